import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnected } from './console.tsx';

/** Who drags along a day asks for what is there where they rest so long, milliseconds. */
const REST_MS = 150;

/** What was read last, whether it is of what is asked for now, and how far the reading of that has come. */
export interface PartsRead<Whole, Progress> {
  readonly whole: Whole | null;
  readonly isOld: boolean;
  readonly progress: Progress | null;
  readonly error: unknown;
  readonly again: () => void;
}

type Part = { part: string };

/**
 * Reads all parts of what `key` names, as the desk tells them; what was read before stays until then. Nothing is asked for without a
 * key, and what was asked for is given up.
 */
export function useParts<One extends Part, Whole>(
  key: string | null,
  ask: (key: string, signal: AbortSignal) => Promise<AsyncIterable<One>>,
  whole: (parts: readonly One[], key: string) => Whole | null,
): PartsRead<Whole, Extract<One, { part: 'progress' }>> {
  type Progress = Extract<One, { part: 'progress' }>;
  const connected = useConnected();
  const [state, setState] = useState<{ of: string | null; whole: Whole | null; error: unknown }>({
    of: null,
    whole: null,
    error: null,
  });
  const [progress, setProgress] = useState<Progress | null>(null);
  const [times, setTimes] = useState(0);
  const latest = useRef({ ask, whole });
  latest.current = { ask, whole };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press of "Ask again" counts `times` up
  useEffect(() => {
    setProgress(null);
    if (key === null || !connected) return;
    const stop = new AbortController();
    const read = async () => {
      const parts: One[] = [];
      try {
        for await (const one of await latest.current.ask(key, stop.signal)) {
          if (stop.signal.aborted) return;
          if (one.part === 'progress') setProgress(one as Progress);
          else parts.push(one);
        }
        if (!stop.signal.aborted) setState({ of: key, whole: latest.current.whole(parts, key), error: null });
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
