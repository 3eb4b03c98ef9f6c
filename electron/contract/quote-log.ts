import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { ASSET_KINDS } from '../protocol/packed-asset.ts';
import { givenAmountSchema, sideSchema } from '../protocol/side.ts';
import { marksSchema, tenthBpsSchema } from './marks.ts';
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

/** What became of a firm request, as a person means it: `filled` is closed with anything filled, `expired` without. */
export const quoteOutcomeSchema = z.enum(['open', 'filled', 'expired', 'cancelled', 'withheld', 'refused']);
export type QuoteOutcome = z.infer<typeof quoteOutcomeSchema>;

/** The outcome of a quote in a state with so much filled of it, raw units: the service leaves a part of most orders unfilled. */
export function outcomeOf(state: QuoteState, filledMakerAmount: string | null): QuoteOutcome {
  if (state === 'live' || state === 'part_filled') return 'open';
  return state === 'filled' || (filledMakerAmount ?? '0') !== '0' ? 'filled' : state;
}

/** Why a row cannot be shown, as the end of "this row cannot be shown: …"; then only its place and time mean anything. */
const unreadableSchema = z.string().optional();

/** Which NFT a side of an order or a fill is, of the contract that is named as that side's asset (PROTOCOL 1.4). Its amount counts pieces. */
export const nftSchema = z.object({ kind: z.enum(ASSET_KINDS).exclude(['erc20']), id: rawAmountSchema });
export type Nft = z.infer<typeof nftSchema>;

/** Pieces of an NFT in a table: `NFT #7`, `4 × NFT #3`. An id that is a hash is shortened. */
export function nftText({ id }: Nft, pieces: string): string {
  const shown = id.length > 12 ? `${id.slice(0, 5)}…${id.slice(-4)}` : id;
  return `${pieces === '1' ? '' : `${pieces} × `}NFT #${shown}`;
}

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
  /** Against the reference when it was decided; null without one, and where nothing was signed. */
  edgeTenthBps: tenthBpsSchema.nullable(),
  outcome: quoteOutcomeSchema,
  /** Those that filled it and stand, oldest first; the first of them where there are very many. */
  transactions: z.array(z.string()),
  /** Of an NFT order that a person had signed: the side that is an NFT. Its amount counts pieces; `pair` is then null. */
  makerNft: nftSchema.optional(),
  takerNft: nftSchema.optional(),
  unreadable: unreadableSchema,
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
  /** How many bytes the body had, where it was too large to be stored. */
  requestBytes: z.int().optional(),
  /** How long a key that is held elsewhere took to sign, milliseconds. */
  signingMs: z.int().optional(),
  hash: z.string(),
});
export type QuoteDetail = z.infer<typeof quoteDetailSchema>;

/** How much of a token was asked for, on either side; one entry for each address the token has. Raw units. */
export const sizeFilterSchema = z
  .array(
    z.object({
      chainId: chainIdSchema,
      address: addressSchema,
      min: rawAmountSchema.optional(),
      max: rawAmountSchema.optional(),
    }),
  )
  .min(1)
  .max(40);

export const logFilterSchema = z.object({
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  chainId: chainIdSchema.optional(),
  pair: pairIdSchema.optional(),
  side: sideSchema.optional(),
  user: addressSchema.optional(),
  orderHash: z.string().max(66).optional(),
  /** How an order hash or a user's address begins, `0x` with it, and how it ends: as they stand shortened on a screen. */
  hex: z
    .object({ starts: z.string().regex(/^0x[0-9a-f]{1,64}$/), ends: z.string().regex(/^[0-9a-f]{0,64}$/) })
    .optional(),
  outcome: quoteOutcomeSchema.optional(),
  code: refusalCodeSchema.optional(),
  size: sizeFilterSchema.optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

/** Whether a person had it signed, as an order with an NFT for one taker. */
export function isByHand({ makerNft, takerNft }: Pick<QuoteRow, 'makerNft' | 'takerNft'>): boolean {
  return makerNft !== undefined || takerNft !== undefined;
}

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
  /** What the maker gave or got was an NFT. */
  makerNft: nftSchema.optional(),
  takerNft: nftSchema.optional(),
  transactionHash: z.string(),
  block: z.int(),
  /** True once a reorganisation took the fill back. */
  reverted: z.boolean(),
  unreadable: unreadableSchema,
});
export type FillRow = z.infer<typeof fillRowSchema>;

/** A fill with its price, the reference at its moment and its marks. Prices in quote per base, decimal strings. */
export const markedFillSchema = fillRowSchema.extend({
  ...marksSchema.shape,
  price: z.string().nullable(),
  reference: z.string().nullable(),
  /** The edge as money, decimal: of the quote token, and in US dollars where its worth is known. */
  edgeQuote: z.string().nullable(),
  edgeUsd: z.string().nullable(),
});
export type MarkedFill = z.infer<typeof markedFillSchema>;
