import type { Address } from '../../protocol/address.ts';
import type { MarketPair } from './market-view.ts';
import { priceHop } from './price-hop.ts';
import type { Hop } from './wish.ts';

/** A route names at most four tokens (PROTOCOL 14.1.5), which is three pairs. */
const MOST_HOPS = 3;

type Route = [Hop, ...Hop[]];

/**
 * The way over the cached grid that gives the most `to` for `amount` raw units of `from`; null when there is none, or
 * none deep enough. No token is passed twice.
 */
export function findRoute(pairs: readonly MarketPair[], from: Address, to: Address, amount: bigint): Route | null {
  let best: Route | null = null;
  const search = (token: Address, held: bigint, way: Hop[], passed: ReadonlySet<Address>): void => {
    for (const pair of pairs) {
      const direction = pair.base.address === token ? 'sell' : 'buy';
      if (direction === 'buy' && pair.quote.address !== token) continue;
      const next = direction === 'sell' ? pair.quote.address : pair.base.address;
      if (passed.has(next)) continue;
      const hop = priceHop({ pair, direction, exact: 'in', amount: held });
      if (hop === null) continue;
      const [first = hop, ...rest] = way;
      const route: Route = way.length === 0 ? [hop] : [first, ...rest, hop];
      if (next === to && hop.got > outputOf(best)) best = route;
      if (next !== to && route.length < MOST_HOPS) search(next, hop.got, route, new Set(passed).add(next));
    }
  };
  search(from, amount, [], new Set([from]));
  return best;
}

function outputOf(route: Route | null): bigint {
  return route?.at(-1)?.got ?? 0n;
}
