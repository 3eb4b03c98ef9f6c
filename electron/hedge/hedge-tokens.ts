import type { HedgeToken } from '../contract/hedge.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { isNative, NATIVE_TOKEN } from '../protocol/route-token.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';

/** A listed token, or the native asset of the chain. Throws DeskError `unknown_token`. */
export function hedgeToken(parts: Pick<HedgeParts, 'book'>, chainId: number, address: Address): HedgeToken {
  const chain = chainOf(parts, chainId);
  if (isNative(address)) return { chainId, address, symbol: 'native', decimals: 18 };
  const token = [...chain.tokens.values()].find((one) => one.address === address);
  if (token !== undefined) return { chainId, address, symbol: token.symbol, decimals: token.decimals };
  throw new DeskError('unknown_token', `${address} is not a listed token of chain ${chainId}.`, {
    remedy: 'List it first, so that its decimals are known.',
  });
}

/** As the service wants to read it: the native asset in its one spelling (PROTOCOL 12.1). */
export function wireToken({ address }: Pick<HedgeToken, 'address'>): Address {
  return isNative(address) ? NATIVE_TOKEN : address;
}
