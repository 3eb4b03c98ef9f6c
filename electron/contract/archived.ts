import { z } from 'zod';
import { timeSchema } from './names.ts';

/** What a run of archiving came to. `until`: the time of the last quote that lies in an archive by now; null where none does. */
export const archivedSchema = z.object({
  rows: z.int().nonnegative(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  until: timeSchema.nullable(),
  /** Quotes among them that stay in the journal: by their time they are too young, for the clock was ahead when they were written. */
  ahead: z.int().nonnegative().default(0),
});
export type Archived = z.infer<typeof archivedSchema>;

/** How much room the journal takes, and what of it is archived. Bytes; times in Unix milliseconds. */
export const storageSchema = z.object({
  /** Of the journal's file. `free`: what of it is empty and is used again. */
  bytes: z.int().nonnegative(),
  free: z.int().nonnegative(),
  rows: z.int().nonnegative(),
  /** The time of its first row; null while there is none. */
  since: timeSchema.nullable(),
  archives: z.int().nonnegative(),
  archivedRows: z.int().nonnegative(),
  archivedBytes: z.int().nonnegative(),
  /** The time of the last quote in an archive; null where there is none. */
  archivedUntil: timeSchema.nullable(),
  /** Archives that are not in their folder, or not as long as they were written. */
  missing: z.array(z.string()),
});
export type Storage = z.infer<typeof storageSchema>;
