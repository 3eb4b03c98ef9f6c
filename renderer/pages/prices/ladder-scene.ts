import type { Decimal } from '../../components/figures/decimal-text.ts';
import type { Side } from '../../components/side-mark.tsx';
import type { LadderValues } from './ladder-values.ts';

/** What every row of the ladder is drawn from. */
export interface LadderScene {
  draft: LadderValues;
  live: LadderValues;
  totals: Record<Side, readonly (Decimal | null)[]>;
  /** The larger of the two sides' totals; for the width of bars only. */
  most: number;
  /** Halfway between best bid and best ask of what is live, null without both. */
  mid: string | null;
  places: { price: number; amount: number };
}
