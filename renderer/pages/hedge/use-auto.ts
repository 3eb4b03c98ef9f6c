import { useQuery } from '@tanstack/react-query';
import { useQueries } from '../../state/console.tsx';

/** Automatic hedging of every pair, as it is set and what it did last. */
export function useAuto() {
  return useQuery(useQueries().hedge.auto.queryOptions({ refetchInterval: 10_000 }));
}
