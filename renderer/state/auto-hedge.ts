import { useQuery } from '@tanstack/react-query';
import type { AutoHedge } from '../../electron/contract/hedge-terms.ts';
import { useQueries } from './console.tsx';

/** Off, saying what it would do, or doing it. */
export type AutoState = 'off' | 'dry' | 'on';

export const AUTO_WORDS: Record<AutoState, string> = { off: 'off', dry: 'dry run', on: 'on' };

export function autoState({ on, dryRun }: Pick<AutoHedge, 'on' | 'dryRun'>): AutoState {
  if (!on) return 'off';
  return dryRun ? 'dry' : 'on';
}

/** Automatic hedging of every pair, as it is set and what it did last. */
export function useAuto() {
  return useQuery(useQueries().hedge.auto.queryOptions({ refetchInterval: 10_000 }));
}

/**
 * For how many pairs it is on, and for how many it only says what it would do; none of either where that is not known. Every
 * page asks this again and again: of pairs that are not hedged by themselves nothing is worked out.
 */
export function useAutoCounts(): { on: number; dry: number; isKnown: boolean } {
  const { data, error } = useQuery(
    useQueries().hedge.auto.queryOptions({ input: { set: true }, refetchInterval: 10_000 }),
  );
  const states = (data ?? []).map(({ settings }) => autoState(settings));
  const count = (wanted: AutoState) => states.filter((state) => state === wanted).length;
  return { on: count('on'), dry: count('dry'), isKnown: data !== undefined && error === null };
}
