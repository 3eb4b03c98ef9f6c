import { z } from 'zod';
import { timeSchema } from './names.ts';

/** What a run of archiving came to. `until`: the time of the last quote that lies in an archive by now; null where none does. */
export const archivedSchema = z.object({
  rows: z.int().nonnegative(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  until: timeSchema.nullable(),
});
export type Archived = z.infer<typeof archivedSchema>;
