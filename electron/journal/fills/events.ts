import { z } from 'zod';
import { chainIdSchema, timeSchema } from '../../contract/names.ts';
import { nftSchema } from '../../contract/quote-log.ts';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';

const orderEvent = {
  chainId: chainIdSchema,
  orderHash: z.string(),
  block: z.int(),
  blockHash: z.string(),
  /** Block time, Unix milliseconds. */
  blockTime: timeSchema,
  transactionHash: z.string(),
  logIndex: z.int(),
};

export const FILL_EVENTS = {
  fill: z.object({
    ...orderEvent,
    taker: addressSchema,
    makerAsset: addressSchema,
    takerAsset: addressSchema,
    makerAmount: rawAmountSchema,
    takerAmount: rawAmountSchema,
    /** Of an NFT order (PROTOCOL 1.4): the side that was an NFT. A side without is an ERC-20. */
    makerNft: nftSchema.optional(),
    takerNft: nftSchema.optional(),
  }),
  cancel: z.object({ ...orderEvent }),
  /**
   * The fill or cancel that was written as `eventSeq` is taken back: by a reorganisation, or (`never_there`) since one node told it of a
   * block that is of the chain still, and two others do not have it there.
   */
  reverted: z.object({
    chainId: chainIdSchema,
    eventSeq: z.int(),
    orderHash: z.string(),
    cause: z.literal('never_there').optional(),
  }),
  /**
   * From block `fromBlock` to `block` the maker's balance of a token changed by `amount` raw units (with a sign) more than
   * its fills and transfers say.
   */
  drift: z.object({
    chainId: chainIdSchema,
    token: addressSchema,
    amount: z.string().regex(/^-?[1-9]\d{0,78}$/),
    fromBlock: z.int(),
    block: z.int(),
    blockHash: z.string(),
  }),
};

export type FillBody = z.infer<typeof FILL_EVENTS.fill>;
