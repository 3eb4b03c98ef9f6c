import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { StopsQuery } from '../../../electron/contract/stops.ts';
import { useConsole, useDesk } from '../../state/console.tsx';

/** A stop of a pair may be explained elsewhere without anything else changing. Milliseconds. */
const AGAIN = 5_000;

/** Stops, newest first; read anew whenever what trades changes. */
export function useStops(which: StopsQuery['which']) {
  const { queries } = useConsole();
  const cache = useQueryClient();
  const status = useDesk((view) => view.status);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status means another stop or start
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: queries.trading.stops.key() });
  }, [status, cache, queries]);
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
