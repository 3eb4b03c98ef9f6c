import { z } from 'zod';
import { rawAmountSchema } from '../protocol/amount.ts';
import { sideSchema } from '../protocol/side.ts';
import { publishedLadderSchema } from './book.ts';
import { formulaSchema } from './formula.ts';
import { eventRowSchema } from './journal.ts';
import { actorSchema, chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from './names.ts';
import { refusalCodeSchema } from './refusal.ts';
import { tradingStateSchema } from './trading.ts';

/**
 * A moment of the past: after a row of the journal, or at a time (Unix milliseconds). A time is after the last row, in the order of
 * the journal, that is not of a later time; where the clock was set back and a time came twice, that is the second one.
 */
export const momentSchema = z.union([
  z.strictObject({ row: z.int().positive() }),
  z.strictObject({ time: timeSchema }),
]);
export type Moment = z.infer<typeof momentSchema>;

/** What a scope was, and who had said so when; nobody had said anything of one without `actor`. */
const stateSchema = z.object({
  state: tradingStateSchema,
  actor: z.string().nullable(),
  since: timeSchema.nullable(),
  reason: z.string().nullable(),
});

/** A row that cannot be read: what it changed is not in what is shown. */
const unreadRowSchema = z.object({
  seq: z.int(),
  time: z.int(),
  actor: z.string(),
  kind: z.string(),
  why: z.string(),
});
export type UnreadRow = z.infer<typeof unreadRowSchema>;

/** The desk after a row of its journal, without its pairs and tokens. */
export const pastDeskSchema = z.object({
  /** The moment, Unix milliseconds: the one that was asked for, or that of its row. */
  at: timeSchema,
  row: z.object({ seq: z.int(), time: z.int(), actor: z.string(), kind: z.string() }),
  /** The newest row that the journal had when it was read. */
  newest: z.int(),
  /** The latest time among the last rows before, where that is later than `at`: the clock was ahead then, or was set back. */
  ahead: timeSchema.nullable(),
  desk: stateSchema,
  chains: z.array(stateSchema.extend({ chainId: chainIdSchema, name: z.string() })),
  /** What needed somebody's attention as far as it was written down, newest first, each as the row that began it. */
  alerts: z.array(z.object({ kind: z.enum(['stop', 'protection', 'alarm']), event: eventRowSchema })),
  /** Signed orders that were still open, all tokens together. */
  quotes: z.int(),
  /** The first of the rows that cannot be read, and how many there are. */
  unread: z.array(unreadRowSchema),
  unreadCount: z.int(),
  /** What of this moment is not known, a sentence each. */
  unknown: z.array(z.string()),
});
export type PastDeskView = z.infer<typeof pastDeskSchema>;

/** A pair as it was. Its ladder is as it was published: a stop leaves it, and serves nothing of it. */
export const pastPairSchema = publishedLadderSchema.omit({ time: true, actor: true }).extend({
  base: tokenIdSchema,
  quote: tokenIdSchema,
  /** Of the strictest of its scopes. */
  state: tradingStateSchema,
  switches: z.object({ pair: z.boolean(), bids: z.boolean(), asks: z.boolean() }),
  publishedAt: timeSchema,
  publishedBy: actorSchema.or(z.literal('')),
  spreadTenthBps: z.int().nullable(),
  /** By which the desk priced it; left out where there was none. */
  formula: formulaSchema.optional(),
  retiredUntil: timeSchema.nullable(),
  /** What was wrong with it, so that it was not served. */
  fault: z.string().nullable(),
  /** The last decision about it: what closed it is known from refusals alone. `code` is null where it was signed. */
  asked: z
    .object({ seq: z.int(), time: timeSchema, side: sideSchema.nullable(), code: refusalCodeSchema.nullable() })
    .nullable(),
});
export type PastPair = z.infer<typeof pastPairSchema>;

/** What of a token was signed and open, and what the maker had of it as a decision last read it. Raw units. */
export const pastTokenSchema = z.object({
  chainId: chainIdSchema,
  tokenId: tokenIdSchema,
  decimals: z.int(),
  live: rawAmountSchema,
  quotes: z.int(),
  /** When the last of it could no longer be filled, Unix milliseconds; null where nothing was live. */
  zeroAt: timeSchema.nullable(),
  /** Null where no decision before had read it. */
  held: z
    .object({
      balance: rawAmountSchema,
      allowance: rawAmountSchema.nullable(),
      /** The row that says so, and its time. */
      seq: z.int(),
      time: timeSchema,
    })
    .nullable(),
});
export type PastToken = z.infer<typeof pastTokenSchema>;

/** A part of what was there, as it is read: how far that has come, then the desk, then its pairs and tokens. */
export const pastPartSchema = z.discriminatedUnion('part', [
  z.object({ part: z.literal('progress'), reading: z.string(), rows: z.int() }),
  z.object({ part: z.literal('desk'), desk: pastDeskSchema }),
  z.object({ part: z.literal('pairs'), pairs: z.array(pastPairSchema) }),
  z.object({ part: z.literal('tokens'), tokens: z.array(pastTokenSchema) }),
]);
export type PastPart = z.infer<typeof pastPartSchema>;

/** One thing that differs between two moments. What was not there, or is not known, is null. */
export const changedCellSchema = z.object({
  chainId: chainIdSchema.nullable(),
  pair: pairIdSchema.nullable(),
  tokenId: tokenIdSchema.nullable(),
  /** `State`, `We sell, level 1, price`. */
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Raw units of a token with so many decimals; without, the text as it is. */
  decimals: z.int().optional(),
  /** Who changed it last before the second moment, and when; null where no one row says so. */
  by: z.object({ actor: z.string(), time: timeSchema }).nullable(),
});
export type ChangedCell = z.infer<typeof changedCellSchema>;

/** What changed from one moment to another, piece by piece; the end says how many cells there are, and how many of them differ. */
export const pastDiffPartSchema = z.discriminatedUnion('part', [
  z.object({ part: z.literal('progress'), reading: z.string(), rows: z.int() }),
  z.object({ part: z.literal('cells'), cells: z.array(changedCellSchema) }),
  z.object({
    part: z.literal('end'),
    from: pastDeskSchema,
    to: pastDeskSchema,
    cells: z.int(),
    changed: z.int(),
    /** Changed cells that were left out because there are so many. */
    left: z.int(),
  }),
]);
export type PastDiffPart = z.infer<typeof pastDiffPartSchema>;

/** What a stretch of time held: rows by equal steps, and what stands out of it. */
export const pastLaneSchema = z.object({
  /** Rows written in each step. */
  rows: z.array(z.int()),
  marks: z.array(
    z.object({
      kind: z.enum(['halt', 'alert', 'publish']),
      seq: z.int(),
      time: timeSchema,
      actor: z.string(),
      /** What stopped: null for the desk. */
      chainId: chainIdSchema.nullable(),
      /** Until when it was stopped, Unix milliseconds; null where it lasts. Of halts only. */
      until: timeSchema.nullable().optional(),
    }),
  ),
  /** Marks that were left out because there are so many. */
  left: z.int(),
  /** The times of the first row of the journal and of its newest, Unix milliseconds; null where it has none. */
  span: z.object({ first: timeSchema, last: timeSchema }).nullable(),
});
export type PastLane = z.infer<typeof pastLaneSchema>;
