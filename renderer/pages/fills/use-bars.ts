import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useConsole } from '../../state/console.tsx';
import { restAfter, timed } from '../../state/rest.ts';
import { barsOf, type FillRange, fittedRange } from './fill-ranges.ts';

/** A bar of the overview: fills in which the desk bought, and, downwards, in which it sold. */
export interface FillBar {
  time: number;
  bought: number;
  sold: number;
}

const LOOK_EVERY = 1_000;

/** The bars of a range, moved on as the clock comes to the next one. */
export function useBarFrame(range: FillRange): { first: number; count: number } {
  const { desk } = useConsole();
  const [now, setNow] = useState(() => desk.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow((old) => (isSameFrame(barsOf(range, old), barsOf(range, desk.now())) ? old : desk.now()));
    }, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [range, desk]);
  return useMemo(() => barsOf(range, now), [range, now]);
}

/** Every bar, empty ones too, so that silence is seen; of one pair or of all. Null where they are not known: that is no silence. */
export function useBars(
  range: FillRange,
  frame: { first: number; count: number },
  pair: string,
): readonly FillBar[] | null {
  const { connection, queries } = useConsole();
  const until = frame.first + frame.count * range.bucketMs;
  const volume = useQuery({
    queryKey: [...queries.fills.volume.key(), frame.first, range.bucketMs],
    queryFn: () => timed(() => connection.client.fills.volume({ since: frame.first, until, bucketMs: range.bucketMs })),
    placeholderData: (old, before) => (before?.queryKey.at(-1) === range.bucketMs ? old : undefined),
    refetchInterval: ({ state }) => restAfter(state),
  });
  return useMemo(() => {
    if (volume.data === undefined) return null;
    const bars = Array.from({ length: frame.count }, (_, index): FillBar => {
      return { time: frame.first + index * range.bucketMs, bought: 0, sold: 0 };
    });
    for (const row of volume.data.value) {
      const bar = bars[Math.floor((row.bucket - frame.first) / range.bucketMs)];
      if (bar === undefined || (pair !== '' && `${row.chainId}:${row.pair}` !== pair)) continue;
      bar.bought += row.boughtFills;
      bar.sold -= row.fills - row.boughtFills;
    }
    return bars;
  }, [volume.data, frame, range, pair]);
}

function isSameFrame(a: { first: number; count: number }, b: { first: number; count: number }): boolean {
  return a.first === b.first && a.count === b.count;
}

/**
 * The range that the page shows of the one that was chosen: where a desk is young, no more than what holds its fills. It
 * stays as it is while `held`, so that nothing moves under a hand that brushes.
 */
export function useFittedRange(chosen: FillRange, held: boolean): FillRange {
  const { connection, desk, queries } = useConsole();
  const [fitted, setFitted] = useState(chosen);
  const first = useQuery({
    queryKey: [...queries.fills.volume.key(), 'first', chosen.ms],
    queryFn: () =>
      timed(async () => {
        const now = desk.now();
        const { first: since } = barsOf(chosen, now);
        const bars = await connection.client.fills.volume({ since, until: now + 1, bucketMs: chosen.bucketMs });
        const oldest = Math.min(...bars.map(({ bucket }) => bucket));
        return bars.length === 0 ? null : { since: Math.max(since, oldest), now };
      }),
    refetchInterval: ({ state }) => restAfter(state),
  });
  const found = first.data?.value;
  const next = found === undefined ? undefined : fittedRange(chosen, found);
  useEffect(() => {
    if (held || next === undefined) return;
    setFitted((old) => (old.ms === next.ms && old.from === next.from ? old : next));
  }, [held, next]);
  return fitted;
}
