import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { logFilterSchema, quoteDetailSchema, quoteRowSchema } from '../quote-log.ts';
import { quoteXraySchema } from '../quote-xray.ts';
import { may } from './base.ts';

/** How far a search has come: it looks at rows `first` to `last` of the journal and has come to row `at`. */
const progressSchema = z.object({ first: z.int(), last: z.int(), at: z.int() });

/** The signed-firm log. */
export const logContract = {
  /** Newest first; `before` is the last sequence number of the page before. */
  page: may('look')
    .input(
      z.object({ filter: logFilterSchema, before: z.int().optional(), limit: z.int().min(1).max(500).default(100) }),
    )
    .output(z.object({ rows: z.array(quoteRowSchema), more: z.boolean() })),
  /**
   * The same page for any combination of filters: rows as they are found, newest first, with progress. The last
   * message is `done`; `more` tells whether older rows are left to look at, from `before: at` on.
   */
  find: may('look')
    .input(
      z.object({ filter: logFilterSchema, before: z.int().optional(), limit: z.int().min(1).max(500).default(200) }),
    )
    .output(
      eventIterator(
        z.object({ rows: z.array(quoteRowSchema), progress: progressSchema, done: z.boolean(), more: z.boolean() }),
      ),
    ),
  quote: may('look')
    .input(z.object({ seq: z.int() }))
    .output(quoteDetailSchema),
  /** Everything one quote's decision depended on, worked out again from the journal. */
  xray: may('look')
    .input(z.object({ seq: z.int() }))
    .output(quoteXraySchema),
  /** Rows as they are written or change their state, in batches. The first is empty: what is read after it misses nothing. */
  watch: may('look').output(eventIterator(z.array(quoteRowSchema))),
  /** Oldest first, in batches, to the end: the export. A batch may be empty: it only tells how far it came. */
  all: may('look')
    .input(z.object({ filter: logFilterSchema }))
    .output(eventIterator(z.object({ rows: z.array(quoteRowSchema), progress: progressSchema }))),
  verify: may('look').output(
    eventIterator(
      z.object({
        checked: z.int(),
        total: z.int(),
        done: z.boolean(),
        firstBad: z.int().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  ),
};
