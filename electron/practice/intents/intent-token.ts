import type { Address } from '../../protocol/address.ts';
import { isNative } from '../../protocol/route-token.ts';
import { findToken, listedTokens, type RouteToken } from '../router/route-tokens.ts';
import { WireRefused } from '../wire-refused.ts';
import { noIntentRoute, type ServedChain } from './intent-desk.ts';

/** Whether a price may name the token on this chain (PROTOCOL 14.4). */
export function isTokenSupported({ market }: ServedChain, token: string): boolean {
  return listedTokens(market).some(({ address }) => address.toLowerCase() === token.toLowerCase());
}

/**
 * A token that is bought or sold. The native asset can only be bought: nobody can be allowed to take it.
 * @throws WireRefused `Token not supported`; `No route` for decimals that are not the token's (PROTOCOL 17)
 */
export function intentToken(
  chain: ServedChain,
  token: Address,
  { as, decimals }: { as: 'srcToken' | 'destToken'; decimals: number },
): RouteToken {
  if (!isTokenSupported(chain, token) || (as === 'srcToken' && isNative(token))) {
    throw new WireRefused('TokenNotSupported', 'Token not supported');
  }
  const found = findToken(chain.market, token, as);
  if (found.traded.decimals !== decimals) throw noIntentRoute();
  return found;
}
