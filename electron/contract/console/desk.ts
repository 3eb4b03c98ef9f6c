import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { archivedSchema, storageSchema } from '../archived.ts';
import { deskComparisonSchema } from '../desk-changes.ts';
import { deskUpdateSchema } from '../desk-view.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from '../names.ts';
import { sealSchema } from '../seal.ts';
import { may } from './base.ts';

/** The desk as a whole: what it is doing, and its desk file. */
export const deskContract = {
  /** Everything once, then what changed, at most ten times and at least once a second. */
  watch: may('halt').output(eventIterator(deskUpdateSchema)),
  /** The mid of each pair over the last two hours, oldest first, as places from 0 (its lowest) to 1,000 (its highest). */
  mids: may('look').output(
    z.array(
      z.object({ chainId: chainIdSchema, pair: pairIdSchema, points: z.array(z.int().min(0).max(1_000).nullable()) }),
    ),
  ),
  /** The desk file as JSON, in parts: between two of them the desk does other things. */
  export: may('look')
    .input(z.object({ withSecrets: z.boolean().default(false) }))
    .output(eventIterator(z.object({ text: z.string() }))),
  /** What a desk file would change; nothing is changed. `desk_file_faulty`. */
  compare: may('settings')
    .input(z.object({ desk: z.unknown() }))
    .output(deskComparisonSchema),
  /** Replaces the configuration whole; only while halted. `seen`: what a comparison was made with; where it is another by now, `desk_changed`. */
  import: may('settings')
    .input(z.object({ desk: z.unknown(), seen: z.string().optional() }))
    .output(z.object({ chains: z.int(), pairs: z.int() })),
  /** `missing`: archives that the journal names and of which neither its folder nor that of the backup has a whole copy. */
  backup: may('admin')
    .input(z.object({ file: z.string().min(1) }))
    .output(z.object({ file: z.string(), bytes: z.int(), archives: z.int(), missing: z.array(z.string()) })),
  /** Has the desk's key sign which row is the last of the journal, and writes that down. `no_signer`, `no_answer`, `nothing_to_seal`. */
  seal: may('admin').output(sealSchema),
  storage: may('look').output(storageSchema.extend({ archiveAfterDays: z.int().nullable() })),
  /** Moves what is over and older than `before` into archives beside the journal; a day is kept. `archive_runs`, `archive_failed`. */
  archive: may('settings')
    .input(z.object({ before: timeSchema }))
    .output(archivedSchema),
};
