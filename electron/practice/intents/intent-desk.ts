import type { Address } from '../../protocol/address.ts';
import type { intentNames } from '../../protocol/intent-wire.ts';
import { isNative } from '../../protocol/route-token.ts';
import type { MarketDesk } from '../router/market-desk.ts';
import { findToken, listedTokens, type RouterChain, type RouteToken } from '../router/router-chain.ts';
import { WireRefused } from '../wire-refused.ts';
import type { IntentStore } from './intent-store.ts';
import type { IntentAddresses, IntentChain } from './settle/intent-chain.ts';

/** One chain as the intent side of the service sees it. */
export interface DeskChain {
  market: RouterChain;
  /** Null where the intent product is not available (PROTOCOL 15.9). */
  addresses: IntentAddresses | null;
  /** Tokens that are spent by a permit only (PROTOCOL 15.8). */
  permitOnly: ReadonlySet<Address>;
}

/** What every intent operation has at hand. */
export interface IntentDesk {
  chains: readonly DeskChain[];
  /** The market side, which prices what solvers do, and whose routes a combined quote gives. */
  market: MarketDesk;
  store: IntentStore;
  /** What path, mode and block are called. */
  names: ReturnType<typeof intentNames>;
}

/** A chain that intents are settled on. */
export interface ServedChain extends DeskChain, Pick<IntentChain, 'chain'> {
  addresses: IntentAddresses;
}

/** @throws WireRefused `Unsupported chain`, or naming the chain that has no intent contract */
export function intentChain({ chains }: Pick<IntentDesk, 'chains'>, chainId: number): ServedChain {
  const found = chains.find(({ market }) => market.chain.chainId === chainId);
  if (found === undefined) throw new WireRefused('UnsupportedChain', 'Unsupported chain');
  if (found.addresses === null) {
    throw new WireRefused('UnsupportedChain', `Intents are not available on chain ${chainId}`);
  }
  return { ...found, chain: found.market.chain, addresses: found.addresses };
}

/** No liquidity, wrong decimals, or no lane between the chains (PROTOCOL 17). */
export function noIntentRoute(): WireRefused {
  return new WireRefused('NoRoute', 'No route');
}

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
