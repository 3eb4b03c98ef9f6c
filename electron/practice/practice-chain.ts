import type { PublicClient } from 'viem';
import type { Address } from '../protocol/address.ts';

/** One chain of the practice market, as its service and its takers see it. */
export interface PracticeChain {
  readonly chainId: number;
  readonly name: string;
  /** Where the maker's surface of this chain begins, such as `/31337`. */
  readonly basePath: string;
  /** The EIP-712 domain name of the settlement contract. */
  readonly domainName: string;
  readonly rfqContract: Address;
  /** Execution contracts that may be the `takerAddress` of a firm quote (PROTOCOL 4.3). */
  readonly takers: readonly Address[];
  readonly client: PublicClient;
}
