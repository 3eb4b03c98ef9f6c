import type { MarketView } from '../market-view.ts';
import type { Ending, Wish } from '../wish.ts';
import { decideRetail } from './retail.ts';

const MISTAKES: readonly Ending[] = ['for_another', 'no_allowance', 'wants_more'];

/** Somebody whose transactions are reverted, for one of three reasons. */
export function decideReverting(view: MarketView, random: () => number): Wish | null {
  const mistake = MISTAKES[Math.floor(random() * MISTAKES.length)];
  const wish = decideRetail(view, random);
  return wish && { ...wish, ending: mistake ?? 'wants_more' };
}
