import type { MarketView } from '../market-view.ts';
import type { Wish } from '../wish.ts';
import { decideRetail } from './retail.ts';

/** Somebody who compares prices: asks like anybody, and never fills. */
export function decideLooker(view: MarketView, random: () => number): Wish | null {
  const wish = decideRetail(view, random);
  return wish && { ...wish, ending: 'leave' };
}
