import { z } from 'zod';
import { decimalSchema, signedDecimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import { pairSchema, tokenSchema } from '../protocol/wire.ts';
import { ladderSchema } from './desk-file.ts';
import { actorSchema, chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from './names.ts';
import { closureSchema } from './trading.ts';

/** One cell of a draft: what stands in it, who last changed it (null: as published), and the revision it was changed against. */
export const draftCellSchema = z.object({
  value: z.string().max(200),
  /** What stands in the revision that the draft was begun on, where that is another; null in a level that is not in it. */
  published: z.string().max(200).nullable().optional(),
  editor: actorSchema.nullable(),
  baseRevision: z.int(),
  /** Why the value cannot be published, or null. */
  fault: z.string().nullable(),
});
export type DraftCell = z.infer<typeof draftCellSchema>;

export const draftLevelSchema = z.object({ price: draftCellSchema, amount: draftCellSchema });
export type DraftLevel = z.infer<typeof draftLevelSchema>;

/** The one shared draft of a pair. `version` counts its edits; `faults` are those of the ladder as a whole. */
export const draftSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  version: z.int(),
  baseRevision: z.int(),
  bids: z.array(draftLevelSchema),
  asks: z.array(draftLevelSchema),
  faults: z.array(z.string()),
  /** There where nobody changed anything: it is the ladder that was live when it was told, and `baseRevision` its revision. */
  isLive: z.literal(true).optional(),
});
export type Draft = z.infer<typeof draftSchema>;

export const draftEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    side: sideSchema,
    level: z.int().min(0),
    field: z.enum(['price', 'amount']),
    value: z.string().max(200),
  }),
  z.object({
    kind: z.literal('insert'),
    side: sideSchema,
    level: z.int().min(0),
    price: z.string().max(200),
    amount: z.string().max(200),
  }),
  z.object({ kind: z.literal('remove'), side: sideSchema, level: z.int().min(0) }),
]);
export type DraftEdit = z.infer<typeof draftEditSchema>;

/**
 * What a revision that follows the reference stands on: the mid it was put on, and how far each side is from the ladder
 * that a person published, in quote per base; both are 0 in the one that a person published and let follow on.
 */
export const followedSchema = z.object({ mid: decimalSchema, bids: signedDecimalSchema, asks: signedDecimalSchema });
export type Followed = z.infer<typeof followedSchema>;

/** A published revision of a pair's ladder. Revision 0 is an empty ladder nobody published. */
export const publishedLadderSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  revision: z.int(),
  time: timeSchema,
  actor: actorSchema,
  ladder: ladderSchema,
  /** Only of a revision that follows the reference. */
  followed: followedSchema.optional(),
  /** Only of one that a formula made or an engine pushed whole, and of its moves: the middle of the ladder that a person published last. */
  anchor: decimalSchema.optional(),
  /** Why its row cannot be read; then the ladder is empty. */
  unreadable: z.string().optional(),
});
export type PublishedLadder = z.infer<typeof publishedLadderSchema>;

/** One of several that were published together; with `takenOver` the pair is in hand only since then. */
export const publishedWithOthersSchema = publishedLadderSchema.extend({ takenOver: z.boolean().optional() });
export type PublishedWithOthers = z.infer<typeof publishedWithOthersSchema>;

/**
 * A pair whose ladder of before is to be live again: what was published over it as `revision`, and the ladder of before.
 * With `keepFollowing` it goes on following the reference, from where that is by now.
 */
export const takeBackSchema = publishedLadderSchema
  .pick({ chainId: true, pair: true, revision: true })
  .extend({ before: publishedLadderSchema.pick({ ladder: true, followed: true }), keepFollowing: z.boolean() });

/** What became of it: the revision that is live now, or why it stays as it is. */
export const takenBackSchema = publishedLadderSchema
  .pick({ chainId: true, pair: true })
  .extend({ published: publishedLadderSchema.nullable(), why: z.string().nullable() });
export type TakenBack = z.infer<typeof takenBackSchema>;

/** A cell of a ladder: the price or the size of a level, counted from 0 at the best one. */
export const ladderCellSchema = z.object({
  side: sideSchema,
  level: z.int().min(0).max(1_000),
  field: z.enum(['price', 'amount']),
});
export type LadderCell = z.infer<typeof ladderCellSchema>;

/**
 * What a cell of a ladder became, and by whom: a ladder that was published, came with a desk file (`imported`) or began empty with
 * its pair (`listed`), or `moves` revisions that moved it with the reference, of which this is the last one.
 * A level that was not there is null, and so is what cannot be read, which `unread` names.
 */
export const cellChangeSchema = z.object({
  kind: z.enum(['published', 'imported', 'listed', 'moved']),
  revision: z.int(),
  moves: z.int().min(0),
  time: timeSchema,
  actor: actorSchema,
  before: z.string().nullable(),
  after: z.string().nullable(),
  unread: z.array(z.enum(['before', 'after'])).optional(),
});
export type CellChange = z.infer<typeof cellChangeSchema>;

/** Changes of a cell, newest first. `further`: before which revision older ones may be; null where there are none. */
export const cellHistorySchema = z.object({ changes: z.array(cellChangeSchema), further: z.int().nullable() });
export type CellHistory = z.infer<typeof cellHistorySchema>;

/**
 * A price that stands where it should not against a fresh reference: the best one `through` it (a bid over, an ask under) or too
 * `far` outwards, or any past the soft or the hard `fence`. `tenthBps`: by how much. `closed`: the desk does not quote the side while
 * that lasts.
 */
export const offReferenceSchema = z.object({
  kind: z.enum(['through', 'far', 'fence']),
  tenthBps: z.int(),
  closed: z.boolean(),
});
export type OffReference = z.infer<typeof offReferenceSchema>;

/** A row of the pairs blotter. Prices are decimal strings, null where a side has none. */
export const pairRowSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  base: z.string(),
  quote: z.string(),
  bestBid: decimalSchema.nullable(),
  bestBidAmount: decimalSchema.nullable(),
  bestAsk: decimalSchema.nullable(),
  bestAskAmount: decimalSchema.nullable(),
  /** Spread in tenths of a basis point of the mid, null without both sides. */
  spreadTenthBps: z.int().nullable(),
  revision: z.int(),
  publishedAt: timeSchema,
  publishedBy: actorSchema,
  /** The switches as people set them. */
  switches: z.object({ pair: z.boolean(), bids: z.boolean(), asks: z.boolean() }),
  retiredUntil: timeSchema.nullable(),
  /** What is wrong with this pair so that it is not served, or null. */
  fault: z.string().nullable(),
  /** Why a side is not quoted now, one sentence; null where a request would be signed as far as its ladder goes. */
  unquoted: z.object({ bids: z.string().nullable(), asks: z.string().nullable() }).optional(),
  /** Why the guard closed this pair by itself, if it did; a closed chain is told with the chain. */
  closed: closureSchema.nullable().optional(),
  /** What closes it exactly, in a sentence; only where more can be said than the closure says. */
  closedWhy: z.string().optional(),
  /** Why the service probably skips it although it is quoted, a sentence; left out where it does not. */
  skipped: z.string().optional(),
  /**
   * What the independent reference last said of the pair; null before it said anything, or where none is configured.
   * `heldBack`: why the pair is not quoted by it although it is fresh.
   */
  reference: z
    .object({ mid: decimalSchema, time: timeSchema, stale: z.boolean(), heldBack: z.string().nullable().optional() })
    .nullable()
    .optional(),
  /** Whether anything outside says where the pair stands. */
  hasReference: z.boolean().optional(),
  /** Sides whose best price stands off the reference; left out where both stand well or nothing fresh is known. */
  offReference: z
    .object({ bids: offReferenceSchema.nullable(), asks: offReferenceSchema.nullable() })
    .nullable()
    .optional(),
  /** Whether the ladder moves with the reference, and why it does not move now although it should. */
  follow: z.object({ on: z.boolean(), note: z.string().nullable() }).optional(),
  /** That a formula prices the pair, and why it does not now although it should; left out where it has none. */
  formula: z.object({ note: z.string().nullable() }).optional(),
  /** Whether a person took the pair over from its engine or its formula; left out where nobody did. */
  byHand: z.boolean().optional(),
  /** Cells of the shared draft that somebody changed and nobody published. */
  draftCells: z.int().optional(),
  /** What the published levels of a side come to in quote tokens: each amount at its price. */
  worth: z.object({ bids: decimalSchema, asks: decimalSchema }).optional(),
  /**
   * US dollars a quote token now, null where nothing says it. `pair` is the pair whose reference says it, and `time`
   * when; both null for a token that counts as a dollar.
   */
  dollars: z
    .object({ rate: decimalSchema, pair: pairIdSchema.nullable(), time: timeSchema.nullable() })
    .nullable()
    .optional(),
  /** Since 00:00 UTC. Volumes are in quote tokens, exact; of a pair whose quote token changed, in the one it has now. */
  today: z.object({
    signed: z.int(),
    refused: z.int(),
    filled: z.int(),
    /** Of the orders signed in this time, how many were filled at least in part; a desk of before does not say. */
    filledOrders: z.int().optional(),
    signedVolume: decimalSchema.optional(),
    filledVolume: decimalSchema.optional(),
  }),
});
export type PairRow = z.infer<typeof pairRowSchema>;

/** A token or a pair as it is to be listed. */
export const listingChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), tokenId: tokenIdSchema, token: tokenSchema }),
  z.object({ kind: z.literal('pair'), pair: pairIdSchema, definition: pairSchema }),
]);
export type ListingChange = z.infer<typeof listingChangeSchema>;

/** A token, and a pair, as whoever changes it had it in view; a description of null: there was none. */
export const seenTokenSchema = tokenSchema.extend({ description: z.string().nullable() });
export type SeenToken = z.infer<typeof seenTokenSchema>;
export const seenPairSchema = pairSchema.extend({ retired: z.boolean() });
export type SeenPair = z.infer<typeof seenPairSchema>;
