import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  ChangedCell,
  Moment,
  PastDeskView,
  PastDiffPart,
  PastPair,
  PastPart,
  PastToken,
} from '../../../electron/contract/past.ts';
import { useClient, useConnected } from '../../state/console.tsx';

/** Who drags along a day asks for the moment where they rest so long, milliseconds. */
const REST_MS = 150;

/** The desk at a moment, whole. */
export interface Past {
  readonly desk: PastDeskView;
  readonly pairs: readonly PastPair[];
  readonly tokens: readonly PastToken[];
}

/** What differs between two moments. */
export interface PastDiff {
  readonly end: Extract<PastDiffPart, { part: 'end' }>;
  readonly cells: readonly ChangedCell[];
}

/** What was read last, whether it is of what is asked for now, and how far the reading of that has come. */
export interface PastRead<Whole> {
  readonly whole: Whole | null;
  readonly isOld: boolean;
  readonly progress: { reading: string; rows: number } | null;
  readonly error: unknown;
  readonly again: () => void;
}

type Part = { part: string };
type Progress = Extract<PastPart, { part: 'progress' }>;

/** Reads all parts of what `key` names; what was read before stays until then. Nothing is asked for without a key. */
function useParts<One extends Part, Whole>(
  key: string | null,
  ask: (key: string, signal: AbortSignal) => Promise<AsyncIterable<One>>,
  whole: (parts: readonly One[]) => Whole | null,
): PastRead<Whole> {
  const connected = useConnected();
  const [state, setState] = useState<{ of: string | null; whole: Whole | null; error: unknown }>({
    of: null,
    whole: null,
    error: null,
  });
  const [progress, setProgress] = useState<PastRead<Whole>['progress']>(null);
  const [times, setTimes] = useState(0);
  const latest = useRef({ ask, whole });
  latest.current = { ask, whole };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press of "Ask again" counts `times` up
  useEffect(() => {
    if (key === null || !connected) return;
    const stop = new AbortController();
    const read = async () => {
      const parts: One[] = [];
      try {
        for await (const one of await latest.current.ask(key, stop.signal)) {
          if (stop.signal.aborted) return;
          if (isProgress(one)) setProgress(one);
          else parts.push(one);
        }
        if (!stop.signal.aborted) setState({ of: key, whole: latest.current.whole(parts), error: null });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, of: key, error }));
      } finally {
        if (!stop.signal.aborted) setProgress(null);
      }
    };
    const timer = setTimeout(() => void read(), REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, connected, times]);
  const again = useCallback(() => setTimes((old) => old + 1), []);
  const isOld = state.of !== key;
  return { whole: state.whole, isOld, progress, error: isOld ? null : state.error, again };
}

function isProgress(one: Part): one is Progress {
  return one.part === 'progress';
}

/** The desk at a moment; null asks for none. */
export function usePast(moment: Moment | null): PastRead<Past> {
  const client = useClient();
  const ask = (key: string, signal: AbortSignal) => client.past.at({ moment: JSON.parse(key) }, { signal });
  return useParts<PastPart, Past>(moment === null ? null : JSON.stringify(moment), ask, (parts) => {
    const desk = parts.find((one) => one.part === 'desk')?.desk;
    if (desk === undefined) return null;
    return {
      desk,
      pairs: parts.flatMap((one) => (one.part === 'pairs' ? one.pairs : [])),
      tokens: parts.flatMap((one) => (one.part === 'tokens' ? one.tokens : [])),
    };
  });
}

/** What changed from one moment to another; null asks for nothing. */
export function usePastDiff(moments: { from: Moment; to: Moment } | null): PastRead<PastDiff> {
  const client = useClient();
  const ask = (key: string, signal: AbortSignal) => client.past.diff(JSON.parse(key), { signal });
  return useParts<PastDiffPart, PastDiff>(moments === null ? null : JSON.stringify(moments), ask, (parts) => {
    const end = parts.find((one) => one.part === 'end');
    if (end === undefined) return null;
    return { end, cells: parts.flatMap((one) => (one.part === 'cells' ? one.cells : [])) };
  });
}
