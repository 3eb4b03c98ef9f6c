import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useQueries } from '../../state/console.tsx';
import { isOver } from './hedge-words.ts';

/** As many of the newest as the page shows. */
export const MOST_HEDGES = 200;

/** The hedges of a chain, newest first. */
export function useHedges(chainId: number) {
  return useQuery(
    useQueries().hedge.list.queryOptions({ input: { chainId, limit: MOST_HEDGES }, refetchInterval: 5_000 }),
  );
}

/**
 * Which hedge is followed: who comes to the page finds the newest that still runs, else the newest. Later ones leave what is
 * being read alone, until one of them is chosen.
 */
export function useFollowed(chainId: number): [number | null, (seq: number) => void] {
  const [followed, follow] = useState<number | null>(null);
  const { data } = useHedges(chainId);
  const found = data?.rows.find((row) => !isOver(row)) ?? data?.rows[0];
  useEffect(() => {
    if (found !== undefined) follow((before) => before ?? found.seq);
  }, [found]);
  return [followed, follow];
}
