import type { HedgeMode } from '../../../electron/contract/hedge-terms.ts';

/** A way as it is chosen: selling or buying decides which of the two TWAPs is meant. */
export type ChosenMode = Exclude<HedgeMode, 'twap-buy'>;

/** The ways of carrying a hedge out, in the order of the form; each says in a few words what will happen. */
export const HEDGE_MODES: readonly { mode: ChosenMode; name: string; says: string }[] = [
  {
    mode: 'market',
    name: 'Market',
    says: 'The desk sends a swap to the router and pays its gas. All of it or nothing.',
  },
  {
    mode: 'intent',
    name: 'Intent',
    says: 'The desk signs an order; solvers bid for it, and the best one pays the gas.',
  },
  { mode: 'limit', name: 'Limit', says: 'A signed order that waits for its price, until its deadline.' },
  { mode: 'twap', name: 'TWAP', says: 'A signed order in equal slices, one an interval.' },
  { mode: 'external', name: 'Handler', says: 'A signed order that a contract of your own settles.' },
  {
    mode: 'productive',
    name: 'Productive',
    says: 'A signed order whose tokens work in a strategy until it is filled.',
  },
];

/** A way's name in lists. */
export function modeName(mode: HedgeMode): string {
  if (mode === 'twap-buy') return 'TWAP buy';
  return HEDGE_MODES.find((candidate) => candidate.mode === mode)?.name ?? mode;
}

/** A way as the form offers it. */
export function chosenMode(mode: HedgeMode): ChosenMode {
  return mode === 'twap-buy' ? 'twap' : mode;
}

/** Whether it may wait for hours: then neither a permit nor a short deadline is of use. */
export function settlesLater(mode: ChosenMode): boolean {
  return mode === 'limit' || mode === 'twap';
}
