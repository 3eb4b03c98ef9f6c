import { z } from 'zod';
import { addressSchema } from '../../../protocol/address.ts';
import type { PracticeChain } from '../../practice-chain.ts';

/** Where the intent side's contracts are on one chain. */
export const intentAddressesSchema = z.object({
  /** The intent contract: what owners approve and sign for. */
  intents: addressSchema,
  /** This chain's end of the bridge. */
  escrow: addressSchema,
  /** A handler for external orders: it divides the output by `Share[]` in their `data`. */
  handler: addressSchema,
  /** A strategy for productive orders: it pays interest by the second. */
  strategy: addressSchema,
});
export type IntentAddresses = z.infer<typeof intentAddressesSchema>;

/** One chain as the relayer sees it. */
export interface IntentChain {
  chain: Pick<PracticeChain, 'chainId' | 'name' | 'client'>;
  addresses: IntentAddresses;
}
