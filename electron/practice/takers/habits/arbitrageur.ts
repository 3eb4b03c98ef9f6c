import { BigNumber } from 'bignumber.js';
import type { Level } from '../../../protocol/wire.ts';
import type { MarketPair, MarketView } from '../market-view.ts';
import { priceHop, shareOfDepth } from '../price-hop.ts';
import type { Wish } from '../wish.ts';

/** So much better than the reference a level must be to be taken, and of a side they take at most that share at once. */
const EDGE_BPS = 2;
const LARGEST_SHARE = 0.1;
/** With more slippage than that nothing would be left of their edge. */
const SLIPPAGE_BPS = 1;

/** Trades when the maker's price is stale: takes the levels that are better than the reference, and nothing else. */
export function decideArbitrageur({ pairs }: MarketView): Wish | null {
  const [best] = pairs.flatMap(stalest).sort((a, b) => b.edge - a.edge);
  if (best === undefined) return null;
  const { pair, direction, share } = best;
  const exact = direction === 'sell' ? 'in' : 'out'; // so that they name base, of which they counted the levels
  const wanted = { pair, direction, exact } as const;
  const hop = priceHop({ ...wanted, amount: shareOfDepth(wanted, share) });
  return hop && { exact, hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

/** Both ways: they sell to bids above the reference, and buy from asks below it. */
function stalest(pair: MarketPair) {
  const { mid } = pair;
  if (mid === null) return [];
  const bps = (price: string) => new BigNumber(price).dividedBy(mid).minus(1).times(10_000).toNumber();
  const ways = [
    { pair, direction: 'sell' as const, levels: pair.bids, edgeOf: bps },
    { pair, direction: 'buy' as const, levels: pair.asks, edgeOf: (price: string) => -bps(price) },
  ];
  return ways.flatMap(({ levels, edgeOf, ...way }) => {
    const edge = edgeOf(levels[0]?.[0] ?? '0');
    const share = shareOf(levels, (price) => edgeOf(price) > EDGE_BPS);
    return share > 0 ? [{ ...way, edge, share: Math.min(LARGEST_SHARE, share) }] : [];
  });
}

function shareOf(levels: readonly Level[], isStale: (price: string) => boolean): number {
  const sum = (some: readonly Level[]) =>
    some.reduce((total, [, amount]) => total.plus(amount), new BigNumber(0)).toNumber();
  return sum(levels.filter(([price]) => isStale(price))) / sum(levels);
}
