import { z } from 'zod';
import { decimalSchema, signedDecimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import { actorSchema, chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from './names.ts';
import { refusalCodeSchema } from './refusal.ts';

/** What a taker would get, in token units, or why they would be refused. */
const previewOutcomeSchema = z.object({
  /** Their share of the firm order, both ways; null where there is no price. */
  gets: decimalSchema.nullable(),
  pays: decimalSchema.nullable(),
  /** Quote per base, rounded towards zero at 18 decimals. */
  average: decimalSchema.nullable(),
  refused: refusalCodeSchema.nullable(),
});
export type PreviewOutcome = z.infer<typeof previewOutcomeSchema>;

/** One request of a taker: on bids they sell base for quote, on asks they buy base. */
export const previewQuoteSchema = z.object({
  side: sideSchema,
  /** Which amount they name: what they give, or what they want. */
  exact: z.enum(['in', 'out']),
  /** That amount, in token units. */
  amount: decimalSchema,
  /** What the service then asks a firm quote for: 1 % more of what is given, 1 bp more of what is wanted (PROTOCOL 4.3.12). */
  asked: decimalSchema,
  /** Null while the draft cannot be published. */
  draft: previewOutcomeSchema.nullable(),
  live: previewOutcomeSchema,
});
export type PreviewQuote = z.infer<typeof previewQuoteSchema>;

/** A whole side of the draft against the reference and against what the maker has of the token it gives. */
export const previewSideSchema = z.object({
  side: sideSchema,
  levels: z.int(),
  /** All that the side trades, token units. */
  base: decimalSchema,
  quote: decimalSchema,
  /** Against the reference, in quote tokens: when all of it is taken, and in the worst case any taker can choose (0: no level loses). */
  result: signedDecimalSchema.nullable(),
  worst: signedDecimalSchema.nullable(),
  /** The token the maker gives, and what serving the whole side takes of it, the overfill included. */
  token: tokenIdSchema,
  needed: decimalSchema,
  /** By how much of it that is more than the side holds, bps; a desk of before does not say. */
  overfillBps: z.int().optional(),
  /** What can still be signed of it; null while it is not seen. */
  signable: decimalSchema.nullable(),
  balance: decimalSchema.nullable(),
  allowance: decimalSchema.nullable(),
  /** The most one quote may give; null without a limit. */
  maxQuote: decimalSchema.nullable(),
  /** Signed at earlier prices and still fillable, of this token. */
  live: decimalSchema,
  quotes: z.int(),
  zeroAt: timeSchema.nullable(),
  /** The level that stands farthest from a fresh reference (0 is the best one) where that is past a fence, which is `bps` from it. */
  fence: z.object({ band: z.enum(['soft', 'hard']), bps: z.int(), level: z.int(), tenthBps: z.int() }).nullable(),
  /** Why nothing of this side is served now whatever its prices, or null. */
  closed: refusalCodeSchema.nullable(),
});
export type PreviewSide = z.infer<typeof previewSideSchema>;

/** The effect of publishing the draft as it stands. */
export const ladderPreviewSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  /** Of the draft this was worked out from, and the revision it is compared with. */
  version: z.int(),
  revision: z.int(),
  /** `heldBack`: why it is not followed or quoted by although it is fresh. */
  reference: z
    .object({ mid: decimalSchema, time: timeSchema, stale: z.boolean(), heldBack: z.string().nullable().optional() })
    .nullable(),
  quotes: z.array(previewQuoteSchema),
  /** Empty while the draft cannot be published. */
  sides: z.array(previewSideSchema),
  /** What the service's strict adapter would not take, as sentences. */
  strict: z.array(z.string()),
});
export type LadderPreview = z.infer<typeof ladderPreviewSchema>;

/** A draft with changes that nobody published yet. */
export const draftSummarySchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  version: z.int(),
  cells: z.int(),
  editors: z.array(actorSchema),
  /** What keeps it from being published. */
  faults: z.int(),
  bestBid: z.string().nullable(),
  bestAsk: z.string().nullable(),
  liveBid: decimalSchema.nullable(),
  liveAsk: decimalSchema.nullable(),
});
export type DraftSummary = z.infer<typeof draftSummarySchema>;

/** Names one window in which somebody works. */
export const sessionSchema = z.string().min(1).max(64);

/** The cells somebody has chosen: levels and columns count from 0, columns are bid size, bid price, ask price, ask size. */
export const standingSchema = z.object({
  top: z.int().min(0),
  bottom: z.int().min(0),
  left: z.int().min(0).max(3),
  right: z.int().min(0).max(3),
});
export type Standing = z.infer<typeof standingSchema>;

/** Somebody who has the same pair before them. */
export const ladderPersonSchema = z.object({
  session: sessionSchema,
  actor: actorSchema,
  at: standingSchema.nullable(),
});
export type LadderPerson = z.infer<typeof ladderPersonSchema>;
