import { z } from 'zod';
import { hedgeStepSchema } from '../contract/hedge-steps.ts';
import { approvalWishSchema, autoHedgeSchema, hedgeWaySchema } from '../contract/hedge-terms.ts';
import { chainIdSchema, pairIdSchema } from '../contract/names.ts';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { swapSideSchema } from '../protocol/market-wire.ts';

/** A token as it was when the hedge was opened, so that an old hedge can be read whatever is listed now. */
const tokenThenSchema = z.object({
  chainId: chainIdSchema,
  address: addressSchema,
  symbol: z.string(),
  decimals: z.int(),
});

/** Bodies of the events of hedging. A hedge is known by the row that opened it. */
export const HEDGE_BODIES = {
  hedge_opened: z.object({
    chainId: chainIdSchema,
    maker: addressSchema,
    src: tokenThenSchema,
    dest: tokenThenSchema,
    side: swapSideSchema,
    /** Raw units of the source (SELL) or the destination (BUY). */
    amount: rawAmountSchema,
    slippageBps: z.int(),
    way: hedgeWaySchema,
    beneficiary: addressSchema.nullable(),
    /** Unix seconds. */
    deadline: z.int(),
    approval: approvalWishSchema,
    pair: pairIdSchema.nullable(),
    fillSeqs: z.array(z.int()),
    automatic: z.boolean(),
    /** A person said that it closes a position while the desk was halted. */
    confirmed: z.boolean(),
    /** The other amount as it stood on the screen. */
    shown: rawAmountSchema.nullable(),
  }),
  hedge_step: z.object({ chainId: chainIdSchema, hedgeSeq: z.int(), step: hedgeStepSchema }),
  auto_hedge_set: z.object({ chainId: chainIdSchema, pair: pairIdSchema, settings: autoHedgeSchema }),
  /** What automatic hedging did, or would have done. `unhedged` is raw base units with sign. */
  auto_hedge_said: z.object({
    chainId: chainIdSchema,
    pair: pairIdSchema,
    sentence: z.string().max(500),
    unhedged: z.string(),
    hedgeSeq: z.int().nullable(),
  }),
} as const;

export type HedgeOpened = z.infer<(typeof HEDGE_BODIES)['hedge_opened']>;
