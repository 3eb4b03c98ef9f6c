import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { eventDetailSchema, eventFilterSchema, eventKindSchema, eventRowSchema } from '../journal.ts';
import { may } from './base.ts';

/** How far a search has come: it looks at rows `first` to `last` of the journal and has come to row `at`. */
const progressSchema = z.object({ first: z.int(), last: z.int(), at: z.int() });

/** Every event of the journal, as sentences. */
export const journalContract = {
  /** Every kind of event there is. */
  kinds: may('look').output(z.array(eventKindSchema)),
  /**
   * Rows as they are found, with progress. `before` is the last row that was looked at, `from` and `to` the first and last ones to
   * look at. The last message is `done`; `more` tells whether rows are left to look at, from `before: at` on.
   */
  find: may('look')
    .input(
      z.object({
        filter: eventFilterSchema,
        order: z.enum(['newest', 'oldest']).default('newest'),
        before: z.int().optional(),
        from: z.int().optional(),
        limit: z.int().min(1).max(500).default(200),
      }),
    )
    .output(
      eventIterator(
        z.object({ rows: z.array(eventRowSchema), progress: progressSchema, done: z.boolean(), more: z.boolean() }),
      ),
    ),
  /** One event with all its fields and its hash. */
  event: may('look')
    .input(z.object({ seq: z.int() }))
    .output(eventDetailSchema),
};
