import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { byMark, marksSchema } from '../marks.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from '../names.ts';
import { fillRowSchema, markedFillSchema } from '../quote-log.ts';
import { may } from './base.ts';

/**
 * Fills of blocks from `since` until before `until`, of everything or of one chain, pair, user or counterparty; null is the
 * requests that named no counterparty.
 */
export const whichFillsSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  chainId: chainIdSchema.optional(),
  pair: pairIdSchema.optional(),
  user: addressSchema.optional(),
  counterparty: z.string().nullable().optional(),
});

/**
 * What was traded by one pair or user, or by all. Marks are weighted by volume: of pairs with one quote token by that in this token,
 * otherwise by that in US dollars. Only fills that have the mark count in it, and in US dollars only those whose worth is known.
 */
const tradedSchema = marksSchema.extend({
  fills: z.int(),
  /** Decimal, in `unit`: US dollars where the worth of every fill is known, else the one quote token. */
  volume: z.string().nullable(),
  unit: z.string(),
  /** How many fills each mark is the average of. */
  counts: z.object(byMark(() => z.int())),
  /** Fills whose worth in US dollars is not known. */
  unpriced: z.int(),
  /** Firm requests that came in this time, how many of them were signed, and of how many of those something was filled. */
  asked: z.int(),
  signed: z.int(),
  filled: z.int(),
});
export type Traded = z.infer<typeof tradedSchema>;

const tradedRowSchema = tradedSchema.extend({
  chainId: chainIdSchema.nullable(),
  pair: pairIdSchema.nullable(),
  user: addressSchema.nullable(),
});
export type TradedRow = z.infer<typeof tradedRowSchema>;

/** A line of prices as places to draw: time in Unix milliseconds, decimal price, null where there was none. */
const lineSchema = z.array(z.tuple([timeSchema, z.string().nullable()]));

/** What was filled. */
export const fillsContract = {
  /** Newest first; `before` is the last fill of the page before. */
  list: may('look')
    .input(
      whichFillsSchema.extend({
        before: z.object({ time: timeSchema, seq: z.int() }).optional(),
        limit: z.int().min(1).max(1_000).default(200),
      }),
    )
    .output(z.array(markedFillSchema)),
  /** Fills and raw base volume per pair and bucket. */
  volume: may('look')
    .input(z.object({ since: timeSchema, until: timeSchema, bucketMs: z.int().min(1_000) }))
    .output(
      z.array(
        z.object({
          chainId: chainIdSchema,
          pair: pairIdSchema,
          bucket: timeSchema,
          fills: z.int(),
          /** In which the desk bought base. */
          boughtFills: z.int(),
          bought: z.string(),
          sold: z.string(),
        }),
      ),
    ),
  /** Sums by pair or by user, most traded first; progress in thousandths, the rows with the last message. */
  summary: may('look')
    .input(whichFillsSchema.extend({ by: z.enum(['pair', 'user']) }))
    .output(
      eventIterator(
        z.object({
          thousandths: z.int(),
          result: z.object({ rows: z.array(tradedRowSchema), all: tradedSchema }).nullable(),
        }),
      ),
    ),
  /** One pair to draw: the reference and our best prices at `steps` moments, and its newest fills. */
  chart: may('look')
    .input(
      whichFillsSchema.required({ chainId: true, pair: true }).extend({
        steps: z.int().min(2).max(2_000),
        marks: z.int().min(1).max(20_000).default(5_000),
      }),
    )
    .output(
      z.object({
        reference: lineSchema,
        bid: lineSchema,
        ask: lineSchema,
        fills: z.array(
          z.object({
            seq: z.int(),
            quoteSeq: z.int().nullable(),
            time: timeSchema,
            side: z.enum(['bids', 'asks']),
            price: z.string(),
            base: z.string(),
            edge: marksSchema.shape.edge,
          }),
        ),
        /** How many fills there are; more than were given when the newest ones only fit. */
        count: z.int(),
      }),
    ),
  /** Fills as they are seen or taken back, in batches; the first is empty, as that of the log. */
  watch: may('look').output(eventIterator(z.array(fillRowSchema))),
};
