import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useConsole } from '../../state/console.tsx';
import { barsOf, type FillRange, fittedRange } from './fill-ranges.ts';
import { restAfter, timed } from './rest.ts';

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
    refetchInterval: ({ state: { data } }) => restAfter(data),
  });
  const found = first.data?.value;
  const next = found === undefined ? undefined : fittedRange(chosen, found);
  useEffect(() => {
    if (held || next === undefined) return;
    setFitted((old) => (old.ms === next.ms && old.from === next.from ? old : next));
  }, [held, next]);
  return fitted;
}
