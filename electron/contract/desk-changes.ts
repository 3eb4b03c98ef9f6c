import { z } from 'zod';

/** One thing that a desk file would change; null where it is not there before, or would not be there afterwards. */
export const deskChangeSchema = z.object({
  /** Whose it is: a chain with its id, a counterparty, the desk. */
  about: z.string(),
  what: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The token that both are amounts of; missing where they are something else. */
  unit: z.string().optional(),
});
export type DeskChange = z.infer<typeof deskChangeSchema>;

/** What a desk file would change if it were taken over now. */
export const deskComparisonSchema = z.object({
  changes: z.array(deskChangeSchema),
  /** Changes beyond those that are listed. */
  more: z.int().nonnegative(),
  /** Why it would be refused as things stand, and what to do; null: it would not. A desk that trades is told by its state. */
  refused: z.object({ sentence: z.string(), remedy: z.string() }).nullable(),
  /** What it was compared with: given to the import, that is refused once it is another. */
  seen: z.string(),
});
