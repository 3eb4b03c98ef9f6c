import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { timeSchema } from '../names.ts';
import { fillResultSchema, resultBySchema, resultsSchema, sumsSchema } from '../results.ts';
import { may } from './base.ts';
import { whichFillsSchema } from './fills.ts';

/** Fills of blocks from `since` until before `until`, with everything that became of them until now. */
export const resultsContract = {
  /**
   * By pair, by user and by counterparty, most volume first; with `by` the results of one of these alone, as desks and consoles of
   * older versions know them. Progress in thousandths, the rest with the last message.
   */
  sums: may('look')
    .input(whichFillsSchema.extend({ by: resultBySchema.optional() }))
    .output(eventIterator(z.object({ thousandths: z.int(), result: z.union([resultsSchema, sumsSchema]).nullable() }))),
  /** One by one, newest first; `before` is the last fill of the page before. */
  fills: may('look')
    .input(
      whichFillsSchema.extend({
        before: z.object({ time: timeSchema, seq: z.int() }).optional(),
        limit: z.int().min(1).max(1_000).default(200),
        /** What they came to until this moment, such as that of sums; by default until now. */
        now: timeSchema.optional(),
      }),
    )
    .output(z.array(fillResultSchema)),
};
