import { useEffect, useRef } from 'react';
import { useConsole, useLine } from './console.tsx';

const AGAIN_MS = 1_000;

/** Says nothing and ends with whoever follows it: what there is not, is not asked for again and again. */
export async function* silence(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/**
 * Follows a stream of the desk for as long as the part of the screen lives, over every line there will be. `open` keeps
 * its identity as long as the same thing is followed. `onStart` is told before the first value of each opening.
 */
export function useStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  onValue: (value: T) => void,
  onStart?: () => void,
): void {
  const { connection } = useConsole();
  const { state, epoch } = useLine();
  const connected = state === 'connected';
  const latest = useRef({ onValue, onStart });
  latest.current = { onValue, onStart };

  useEffect(() => {
    if (!connected) return;
    const stop = new AbortController();
    let over = false;
    const follow = async () => {
      while (!over) {
        try {
          latest.current.onStart?.();
          for await (const value of await open(stop.signal)) {
            if (over) return;
            connection.heard(epoch);
            latest.current.onValue(value);
          }
        } catch {
          // The line tells why it broke; a stream that ended alone is opened again.
        }
        if (!over) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void follow();
    return () => {
      over = true;
      // A stream over a line that is gone has ended already: there is nobody left to be told.
      if (connection.line().state === 'connected' && connection.line().epoch === epoch) stop.abort();
    };
  }, [connection, connected, epoch, open]);
}
