import type { Address } from '../../protocol/address.ts';
import { MarketRefused } from './market-refused.ts';
import type { PriceAsk } from './price-path.ts';
import { findToken } from './route-tokens.ts';
import type { RouterChain } from './router-chain.ts';

/**
 * The tokens of the `route` parameter, dash-separated, both ends included (PROTOCOL 14.1); null without one.
 * @throws MarketRefused when it does not lead from the source to the destination, or passes a token twice
 */
export function pathWanted(
  chain: RouterChain,
  route: string | undefined,
  { from, to }: Pick<PriceAsk, 'from' | 'to'>,
): Address[] | null {
  if (route === undefined) return null;
  const path = route.split('-').map((text) => findToken(chain, text, 'route').traded.address);
  const leadsThere = path.length > 1 && path[0] === from && path.at(-1) === to;
  if (leadsThere && new Set(path).size === path.length) return path;
  throw new MarketRefused('InvalidInput', 'Invalid route');
}
