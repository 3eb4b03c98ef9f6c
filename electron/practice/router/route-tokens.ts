import type { Address } from '../../protocol/address.ts';
import { isNative, NATIVE_TOKEN } from '../../protocol/route-token.ts';
import { WireRefused } from '../wire-refused.ts';
import type { ListedToken, RouterChain } from './router-chain.ts';

/** A token that a request names. */
export interface RouteToken {
  /** As it goes into the answer: the placeholder for the native asset, else lower case. */
  named: Address;
  /** The ERC-20 token that is traded: the wrapped one for the native asset. */
  traded: ListedToken;
  isNative: boolean;
}

const NATIVE = { symbol: 'ETH', name: 'Ether', address: NATIVE_TOKEN, decimals: 18 } as const;

/** What `/tokens` lists of a chain: the native asset first (PROTOCOL 12.1). */
export function listedTokens({ tokens }: RouterChain): ListedToken[] {
  return [NATIVE, ...tokens];
}

/**
 * Finds a token by address or by symbol; `decimals`, when said, must be the token's.
 * @throws WireRefused `Invalid srcToken`, `Invalid destToken` (PROTOCOL 17), after `field`
 */
export function findToken(chain: RouterChain, text: string, field: string, decimals?: number): RouteToken {
  const wanted = text.toLowerCase();
  const isAddress = wanted.startsWith('0x');
  const found = listedTokens(chain).find(({ address, symbol }) => {
    return isAddress ? address.toLowerCase() === wanted : symbol.toLowerCase() === wanted;
  });
  if (found === undefined) throw new WireRefused('InvalidInput', `Invalid ${field}`);
  if (decimals !== undefined && decimals !== found.decimals) {
    throw new WireRefused('InvalidInput', `Invalid ${field.replace('Token', 'Decimals')}`);
  }
  if (!isNative(found.address)) return { named: found.address, traded: found, isNative: false };
  const traded = chain.tokens.find(({ address }) => address === chain.addresses.wrappedNative);
  if (traded === undefined) throw new WireRefused('InvalidInput', `Invalid ${field}`);
  return { named: NATIVE_TOKEN, traded, isNative: true };
}
