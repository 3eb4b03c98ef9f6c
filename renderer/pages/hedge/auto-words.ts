import type { AutoHedge } from '../../../electron/contract/hedge-terms.ts';

/** Off, saying what it would do, or doing it. */
export type AutoState = 'off' | 'dry' | 'on';

export function autoState({ on, dryRun }: Pick<AutoHedge, 'on' | 'dryRun'>): AutoState {
  if (!on) return 'off';
  return dryRun ? 'dry' : 'on';
}

export const AUTO_WORDS: Record<AutoState, string> = { off: 'off', dry: 'dry run', on: 'on' };
