import type { MarketPair, MarketView } from '../market-view.ts';
import { priceHop, shareOfDepth } from '../price-hop.ts';
import type { Wish } from '../wish.ts';

/** Half the swaps are below a quarter of a percent of the depth, and now and then one is of five percent. */
const SMALLEST = 0.0005;
const LARGEST = 0.05;
const SLIPPAGE_BPS = 50;

/** Somebody who needs tokens: any pair, either way, names either amount, small, and fills what they asked for. */
export function decideRetail({ pairs }: Pick<MarketView, 'pairs'>, random: () => number): Wish | null {
  const pair = choose(pairs, random);
  const direction = random() < 0.5 ? 'sell' : 'buy';
  const exact = random() < 0.5 ? 'in' : 'out';
  const share = SMALLEST + (LARGEST - SMALLEST) * random() ** 4;
  if (pair === null) return null;
  const wanted = { pair, direction, exact } as const;
  const hop = priceHop({ ...wanted, amount: shareOfDepth(wanted, share) });
  return hop && { exact, hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

/** The deeper pairs more often. */
function choose(pairs: readonly MarketPair[], random: () => number): MarketPair | null {
  return pairs[Math.floor(random() ** 1.5 * pairs.length)] ?? null;
}
