import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { isNative, NATIVE_TOKEN } from '../../protocol/route-token.ts';
import type { Token } from '../../protocol/wire.ts';
import type { MakerConsumer } from '../consumer/maker-consumer.ts';
import type { PracticeChain } from '../practice-chain.ts';
import { WireRefused } from '../wire-refused.ts';

/** Where the market's contracts are on one chain. */
export const routerAddressesSchema = z.object({
  router: addressSchema,
  /** What routes of version 5 are for; it fills no orders of makers. */
  legacyRouter: addressSchema,
  feeVault: addressSchema,
  permit2: addressSchema,
  /** The ERC-20 form of the chain's native asset. */
  wrappedNative: addressSchema,
  pools: z.array(
    z.object({ exchange: z.string(), address: addressSchema, tokens: z.tuple([addressSchema, addressSchema]) }),
  ),
});
export type RouterAddresses = z.infer<typeof routerAddressesSchema>;

/** One chain as the market side of the service sees it. */
export interface RouterChain {
  chain: PracticeChain;
  addresses: RouterAddresses;
  /** The maker of this chain; null while the service does not consume them. */
  consumer(): MakerConsumer | null;
  /** What `/tokens` lists, without the native asset. */
  tokens: readonly ListedToken[];
  /** Dollars for one whole token as a decimal string; null while nobody knows. */
  usdPrice(token: Address): string | null;
}

export type ListedToken = Pick<Token, 'symbol' | 'name' | 'address' | 'decimals'>;

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

const CENTS = 2;

/** Dollars for raw units of a token, null while its price is unknown. */
export function usdValue(chain: RouterChain, { address, decimals }: ListedToken, amount: bigint): BigNumber | null {
  const price = chain.usdPrice(address);
  return price === null ? null : new BigNumber(`${amount}`).shiftedBy(-decimals).times(price);
}

/** As it goes into a route. */
export function inDollars(value: BigNumber | null): string | null {
  return value === null ? null : value.toFixed(CENTS);
}

/** How many percent less comes out than goes in; 0 when more does, or nobody knows. */
export function impactPercent(given: BigNumber | null, got: BigNumber | null): BigNumber {
  if (given === null || got === null || !given.isPositive() || given.isZero()) return new BigNumber(0);
  return BigNumber.maximum(0, given.minus(got).dividedBy(given).times(100));
}
