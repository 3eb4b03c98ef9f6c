import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { StopsQuery } from '../../../electron/contract/stops.ts';
import { useConsole, useDesk } from '../../state/console.tsx';

/** Words may be added to the stop of a pair without anything else changing. Milliseconds. */
const AGAIN = 5_000;

/** Stops, newest first; read anew whenever what trades changes. */
export function useStops(which: StopsQuery['which']) {
  const { queries } = useConsole();
  const cache = useQueryClient();
  const status = useDesk((view) => view.status);
  const attention = useDesk((view) => view.attention); // a side that is off changes no state of its pair
  // biome-ignore lint/correctness/useExhaustiveDependencies: either of them changes with every stop and start
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: queries.trading.stops.key() });
  }, [status, attention, cache, queries]);
  const read = useInfiniteQuery(
    queries.trading.stops.infiniteOptions({
      input: (before: number | undefined) => ({ which, before }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ rows, more }) => (more ? rows.at(-1)?.id : undefined),
      refetchInterval: AGAIN,
    }),
  );
  return { ...read, rows: read.data?.pages.flatMap(({ rows }) => rows) ?? [] };
}
