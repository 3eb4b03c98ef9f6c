import { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import type { Token } from '../../protocol/wire.ts';
import type { MakerConsumer } from '../consumer/maker-consumer.ts';
import type { PracticeChain } from '../practice-chain.ts';

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
