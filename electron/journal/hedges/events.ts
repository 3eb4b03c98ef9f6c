import { z } from 'zod';
import { hedgeStepSchema } from '../../contract/hedge-steps.ts';
import { approvalWishSchema, autoHedgeSchema, hedgeWaySchema } from '../../contract/hedge-terms.ts';
import { chainIdSchema, pairIdSchema } from '../../contract/names.ts';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import { decimalSchema } from '../../protocol/decimal.ts';
import { swapSideSchema } from '../../protocol/market-wire.ts';

/** A token as it was when the hedge was opened, so that an old hedge can be read whatever is listed now. */
const tokenThenSchema = z.object({
  chainId: chainIdSchema,
  address: addressSchema,
  symbol: z.string(),
  decimals: z.int(),
});

/** Bodies of the events of hedging. A hedge is known by the row that opened it. */
export const HEDGE_EVENTS = {
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
    /** How far it may be off the reference of its pair; without it that is not looked at. */
    maxDistanceBps: z.int().optional(),
    /** The bridge that was chosen; without it the service's first choice. */
    bridge: z.string().optional(),
    /** A person wants it although quotes or other hedges promise what it takes. */
    acceptsPromises: z.boolean().optional(),
    /** What the reference said of its pair then, quote per base. */
    referenceMid: decimalSchema.optional(),
    /** Dollars a whole native token by its reference then; its gas counts at that. */
    nativeUsd: decimalSchema.optional(),
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
    /** A person has to look: it was switched off by its loss, or it does not hedge what it should. */
    alert: z.enum(['stopped', 'refused']).optional(),
  }),
} as const;

export type HedgeOpened = z.infer<(typeof HEDGE_EVENTS)['hedge_opened']>;
