import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useConsole } from '../../state/console.tsx';
import { useStream } from '../../state/use-stream.ts';

/** Changes of this long are read anew together. Milliseconds. */
const GATHER = 150;

/** Reads hedges, positions and fills anew when the desk says that they changed. */
export function useHedgeFeed(): void {
  const { connection, queries } = useConsole();
  const cache = useQueryClient();
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; positions: boolean } | null>(null);
  const open = useCallback((signal: AbortSignal) => connection.client.hedge.watch(undefined, { signal }), [connection]);
  useStream(open, ({ positions }) => {
    if (waiting.current !== null) {
      waiting.current.positions ||= positions;
      return;
    }
    const timer = setTimeout(() => {
      const moved = waiting.current?.positions ?? false;
      waiting.current = null;
      const { list, get, positions: held, fills, auto } = queries.hedge;
      for (const changed of [list, get, ...(moved ? [held, fills, auto] : [])]) {
        void cache.invalidateQueries({ queryKey: changed.key() });
      }
    }, GATHER);
    waiting.current = { timer, positions };
  });
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
}
