import type { MarketView } from '../market-view.ts';
import { shareOfDepth } from '../price-hop.ts';
import type { Wish } from '../wish.ts';

const LEAST_TIMES = 1.5;
const MOST_TIMES = 4;
const SLIPPAGE_BPS = 50;

/** A refusal costs the maker the pair for a while: enough others must stay. */
const LEAST_PAIRS = 3;

/** Somebody who wants more than there is of a thin pair: they are refused. Never while the service leaves a pair alone already. */
export function decideOversized({ pairs, restricted }: MarketView, random: () => number): Wish | null {
  const thin = pairs.slice(Math.ceil(pairs.length / 2));
  const pair = thin[Math.floor(random() * thin.length)];
  const direction = random() < 0.5 ? 'sell' : 'buy';
  const times = LEAST_TIMES + (MOST_TIMES - LEAST_TIMES) * random();
  if (pair === undefined || restricted > 0 || pairs.length < LEAST_PAIRS) return null;
  const exact = direction === 'sell' ? 'in' : 'out';
  const [takerToken, makerToken] = direction === 'sell' ? [pair.base, pair.quote] : [pair.quote, pair.base];
  const of = (named: 'in' | 'out') => shareOfDepth({ pair, direction, exact: named }, times);
  const hop = { pairId: pair.pairId, direction, takerToken, makerToken, given: of('in'), got: of('out') } as const;
  return { exact, hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}
