import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { givenAmountSchema, sideSchema } from '../protocol/side.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';
import { refusalCodeSchema } from './refusal.ts';

/** What became of a firm request. */
export const quoteStateSchema = z.enum([
  'live',
  'part_filled',
  'filled',
  'expired',
  'cancelled',
  'withheld',
  'refused',
]);
export type QuoteState = z.infer<typeof quoteStateSchema>;

/** One row of the signed-firm log, as `makerdesk log` prints it. Amounts are raw units; null where a refusal came before pricing. */
export const quoteRowSchema = z.object({
  seq: z.int(),
  time: z.iso.datetime(),
  chainId: chainIdSchema,
  pair: pairIdSchema.nullable(),
  side: sideSchema.nullable(),
  userAddress: addressSchema,
  takerAddress: addressSchema,
  makerAsset: addressSchema,
  takerAsset: addressSchema,
  makerAmount: rawAmountSchema.nullable(),
  takerAmount: rawAmountSchema.nullable(),
  orderHash: z.string().nullable(),
  state: quoteStateSchema,
  code: refusalCodeSchema.nullable(),
  ladderRevision: z.int().nullable(),
  latencyMs: z.number(),
  /** Unix seconds; null when nothing was signed. */
  expiry: z.int().nullable(),
  filledMakerAmount: rawAmountSchema,
  filledTakerAmount: rawAmountSchema,
});
export type QuoteRow = z.infer<typeof quoteRowSchema>;

/** Everything one quote's decision depended on. */
export const quoteDetailSchema = quoteRowSchema.extend({
  given: givenAmountSchema,
  counterparty: z.string().nullable(),
  nonceAndMeta: z.string().nullable(),
  maker: addressSchema,
  signature: z.string().nullable(),
  /** Of the maker asset, raw units, as read when the quote was decided. */
  balance: rawAmountSchema.nullable(),
  allowance: rawAmountSchema.nullable(),
  exposure: rawAmountSchema.nullable(),
  requestBody: z.string(),
  hash: z.string(),
});
export type QuoteDetail = z.infer<typeof quoteDetailSchema>;

export const logFilterSchema = z.object({
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  chainId: chainIdSchema.optional(),
  pair: pairIdSchema.optional(),
  side: sideSchema.optional(),
  user: addressSchema.optional(),
  orderHash: z.string().max(66).optional(),
  state: quoteStateSchema.optional(),
  code: refusalCodeSchema.optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

/** One fill of one of our orders, as the chain told it. Amounts are this fill's increments in raw units. */
export const fillRowSchema = z.object({
  seq: z.int(),
  /** Block time, Unix milliseconds. */
  time: timeSchema,
  chainId: chainIdSchema,
  pair: pairIdSchema.nullable(),
  side: sideSchema.nullable(),
  quoteSeq: z.int().nullable(),
  orderHash: z.string(),
  userAddress: addressSchema.nullable(),
  taker: addressSchema,
  makerAsset: addressSchema,
  takerAsset: addressSchema,
  makerAmount: rawAmountSchema,
  takerAmount: rawAmountSchema,
  transactionHash: z.string(),
  block: z.int(),
  /** True once a reorganisation took the fill back. */
  reverted: z.boolean(),
});
export type FillRow = z.infer<typeof fillRowSchema>;
