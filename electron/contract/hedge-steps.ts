import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { bytesSchema } from '../protocol/market-transaction.ts';
import { chainIdSchema, timeSchema } from './names.ts';

/** A signed transaction whole, so that the very same bytes can be sent again and no others. */
const signedTransaction = {
  nonce: z.int().nonnegative(),
  hash: z.string(),
  raw: bytesSchema,
  to: addressSchema,
  value: rawAmountSchema,
  data: bytesSchema,
  gas: rawAmountSchema,
  /** The most a unit of gas may cost, wei. */
  perGas: rawAmountSchema,
};

const minedTransaction = {
  hash: z.string(),
  block: z.int(),
  blockHash: z.string(),
  succeeded: z.boolean(),
  /** What was paid for gas. */
  feeWei: rawAmountSchema,
};

/** Dollars that the service reckons a whole native token at, decimal; null where it does not say. */
const nativeUsdSchema = decimalSchema.nullable();

/** Raw units of the source and of the destination, altogether so far. */
const executed = { spent: rawAmountSchema, received: rawAmountSchema };

/** Which transaction: of the approval before a hedge, or the swap itself. */
const purposeSchema = z.enum(['approval', 'swap']);

/** One transaction that an intent order was filled or refunded by. */
const orderTransactionSchema = z.object({
  chainId: chainIdSchema,
  hash: z.string(),
  kind: z.enum(['fill', 'delivery', 'refund']),
  /** Raw units that it moved: of the source for a fill and a refund, of the destination for a delivery. */
  amount: rawAmountSchema.nullable(),
  /** Where it is, of what a chain confirms. */
  block: z.int().optional(),
  blockHash: z.string().optional(),
});

/** A transaction that was seen on its chain. */
const onChain = {
  chainId: chainIdSchema,
  hash: z.string(),
  purpose: z.enum(['approval', 'swap', 'fill', 'delivery', 'refund']),
};

/** What a person entered of something that was done elsewhere. `feeUsd` is what it cost beside its amounts, dollars. */
export const hedgeEntrySchema = z.object({
  ...executed,
  feeUsd: decimalSchema,
  where: z.string().max(100),
  at: timeSchema,
  note: z.string().max(500),
});
export type HedgeEntry = z.infer<typeof hedgeEntrySchema>;
const { where, at, note } = hedgeEntrySchema.partial().shape;

/**
 * What happens to a hedge, one event of the journal each, written before its effect: what is signed is durable before it is
 * sent, and what is about to be asked of the service before it is asked.
 */
export const hedgeStepSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('transaction_signed'), purpose: purposeSchema, ...signedTransaction }),
  /**
   * With the same nonce and a higher fee, in the place of one that the chain does not take; only one is ever mined. It is the same call,
   * or, once the deadline of a swap is over, an empty one (`isEmpty`) that takes its nonce.
   */
  z.object({
    step: z.literal('transaction_replaced'),
    purpose: purposeSchema,
    replaces: z.string(),
    ...signedTransaction,
  }),
  /** The node took it. */
  z.object({ step: z.literal('transaction_sent'), purpose: purposeSchema, hash: z.string() }),
  /**
   * Its receipt. `spent` and `received` are read from it, of a swap. `emptied`: it is of the empty transaction that took the place of a
   * swap, so that nothing was traded and its gas was paid. `guessed`: the node had no balances around its block any more, so that what it
   * moved of the native coin is as it was tried or built.
   */
  z.object({
    step: z.literal('transaction_mined'),
    purpose: purposeSchema,
    ...minedTransaction,
    ...executed,
    emptied: z.literal(true).optional(),
    guessed: z.literal(true).optional(),
  }),
  /** Another transaction used its nonce: it can never be mined. `block` is the newest then. */
  z.object({
    step: z.literal('transaction_lost'),
    purpose: purposeSchema,
    hash: z.string(),
    block: z.int().optional(),
  }),
  /**
   * A reorganisation took its block, or what had used its nonce: what it moved counts no more, and it is followed anew.
   * `feeWei` is what had been paid for it.
   */
  z.object({ step: z.literal('taken_back'), ...onChain, feeWei: rawAmountSchema }),
  /** An approval that was taken back is mined again; the hedge itself went on meanwhile. */
  z.object({
    step: z.literal('mined_again'),
    ...onChain,
    block: z.int(),
    blockHash: z.string(),
    succeeded: z.boolean(),
    feeWei: rawAmountSchema,
  }),
  /** It lies so deep that no reorganisation takes it back any more. */
  z.object({ step: z.literal('final'), ...onChain }),
  /** A permit that goes into the build instead of an approval. */
  z.object({
    step: z.literal('permit_signed'),
    spender: addressSchema,
    amount: rawAmountSchema,
    permit: bytesSchema,
    /** Who checks it: the token, or the Permit2 contract. */
    contract: addressSchema.optional(),
  }),
  /** What the service built, checked, before it is tried. `least` is what must be received, `most` what may be spent. */
  z.object({
    step: z.literal('swap_built'),
    to: addressSchema,
    value: rawAmountSchema,
    data: bytesSchema,
    least: rawAmountSchema,
    most: rawAmountSchema,
    nativeUsd: nativeUsdSchema,
  }),
  /** The maker is a contract: its owner has the calldata, and the chain is watched from this block on for what it does. */
  z.object({ step: z.literal('handed_out'), block: z.int() }),
  /** The owner's transaction that did it, found on the chain or named by a person. */
  z.object({
    step: z.literal('wallet_mined'),
    hash: z.string(),
    block: z.int(),
    blockHash: z.string(),
    ...executed,
  }),
  /** It was tried on the chain as it is, without sending anything. */
  z.object({ step: z.literal('swap_simulated'), gas: rawAmountSchema, received: rawAmountSchema.nullable() }),
  z.object({
    step: z.literal('order_built'),
    orderHash: z.string(),
    orderType: z.string(),
    spender: addressSchema,
    least: rawAmountSchema,
    most: rawAmountSchema,
    nativeUsd: nativeUsdSchema,
    /** When its price was asked for, Unix milliseconds, and the least that was agreed to arrive, raw units; not in older journals. */
    pricedAt: timeSchema.optional(),
    arrives: rawAmountSchema.optional(),
  }),
  /** `order` is the value that was signed, as the service gave it. */
  z.object({
    step: z.literal('order_signed'),
    orderHash: z.string(),
    order: z.record(z.string(), z.unknown()),
    signature: bytesSchema,
    type: z.enum(['MARKET', 'LIMIT']),
    partiallyFillable: z.boolean().optional(),
    /** The newest block of the source chain then, and of another one where it delivers: nothing of the order lies before. Older journals lack them. */
    block: z.int().optional(),
    destBlock: z.int().optional(),
  }),
  /** The service has it. */
  z.object({ step: z.literal('order_submitted'), orderId: z.string(), status: z.string() }),
  /** The order as the service has it now; amounts are verified on chain. */
  z.object({
    step: z.literal('order_status'),
    status: z.string(),
    ...executed,
    /** What came back in tokens that are neither end, altogether so far: a bridge gives back what it took in. */
    others: z.array(z.object({ chainId: chainIdSchema, token: addressSchema, amount: rawAmountSchema })).optional(),
    transactions: z.array(orderTransactionSchema),
  }),
  /** The chain took more of the order after its hedge had ended; amounts and transactions are all that is known of it now. */
  z.object({
    step: z.literal('filled_late'),
    ...executed,
    transactions: z.array(orderTransactionSchema),
    sentence: z.string().max(1_000),
  }),
  /** A person wants the end of the order: from here on the service is asked until the order shows it. */
  z.object({ step: z.literal('cancel_wanted') }),
  /** The cancellation is signed. */
  z.object({
    step: z.literal('cancel_signed'),
    signature: bytesSchema,
    /** What it is signed for, where that is not this order alone. */
    orderIds: z.array(z.string()).optional(),
  }),
  /** The service took it. */
  z.object({ step: z.literal('cancel_asked') }),
  /** Nobody knows yet what became of it, or something keeps it from going on. `held`: the desk is halted. */
  z.object({ step: z.literal('waiting'), sentence: z.string().max(1_000), held: z.boolean() }),
  /** A person lets it go on although the desk is halted. */
  z.object({ step: z.literal('confirmed') }),
  /** What was done elsewhere, as a person entered it: nothing of it was signed here. */
  z.object({ step: z.literal('entered'), ...hedgeEntrySchema.shape }),
  /** What was entered before was wrong; this counts instead. Older journals have neither what was before nor another place, time or note. */
  z.object({
    step: z.literal('corrected'),
    ...executed,
    feeUsd: decimalSchema,
    where,
    at,
    note,
    before: hedgeEntrySchema.optional(),
    reason: z.string().max(500),
  }),
  /** What was entered was never done, or was entered twice: it counts no more. */
  z.object({ step: z.literal('struck_out'), reason: z.string().max(500) }),
  z.object({
    step: z.literal('ended'),
    outcome: z.enum(['done', 'failed', 'cancelled', 'handed_out']),
    sentence: z.string().max(1_000).nullable(),
    /** Why a person ended it although nobody knows what becomes of what was signed. */
    givenUp: z.string().max(500).optional(),
  }),
]);
export type HedgeStep = z.infer<typeof hedgeStepSchema>;

/** Whether a signed transaction does nothing but take its nonce: of the maker to itself, with no value and no data. */
export function isEmpty({ value, data }: { value: string; data: string }): boolean {
  return value === '0' && data === '0x';
}

/** What counts of a hedge that was entered by hand, by all of its steps; null for any other. */
export function entryOf(steps: readonly HedgeStep[]): HedgeEntry | null {
  let entry: HedgeEntry | null = null;
  for (const step of steps) {
    if (step.step === 'entered') entry = hedgeEntrySchema.parse(step);
    else if (step.step === 'corrected' && entry !== null) {
      const before: HedgeEntry = entry;
      const { spent, received, feeUsd, where = before.where, at = before.at, note = before.note } = step;
      entry = { spent, received, feeUsd, where, at, note };
    }
  }
  return entry;
}

/** A step as it stands in the journal. */
export const writtenStepSchema = z.object({ seq: z.int(), time: timeSchema, actor: z.string(), step: hedgeStepSchema });
