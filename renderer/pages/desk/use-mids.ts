import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useQueries } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';

export type MidPoints = readonly (number | null)[];

/** The mid of each pair over the last two hours, by `pairKey`; places from 0 to 1,000. */
export function useMids(): ReadonlyMap<string, MidPoints> {
  const { data } = useQuery(useQueries().desk.mids.queryOptions({ refetchInterval: 10_000, staleTime: 5_000 }));
  return useMemo(() => new Map((data ?? []).map((row) => [pairKey(row), row.points])), [data]);
}
