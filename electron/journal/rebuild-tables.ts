import { DeskError } from '../protocol/desk-error.ts';
import { withArchives } from './archived-bodies.ts';
import { claimJournal } from './folder-lock.ts';
import { migrate } from './migrate.ts';
import { migrationsOf } from './migrations.ts';
import { journalFile, openForReading, openForWriting } from './open-database.ts';
import { rebuildProjections } from './rebuild.ts';
import { SLICES } from './slices.ts';
import { verifyJournal } from './verify.ts';

/**
 * Makes the tables of a folder's journal anew from its rows. Gives the number of rows. Throws DeskError `journal_missing`,
 * `folder_locked` while a desk runs there, and `journal_broken` where the rows themselves are not as they were written: nothing
 * is changed then.
 */
export async function rebuildTables(folder: string): Promise<number> {
  const file = journalFile(folder);
  openForReading(file).close();
  const claim = claimJournal(folder);
  try {
    const { firstBad, detail } = await verifyJournal(folder);
    if (firstBad !== null) {
      throw new DeskError('journal_broken', `The journal does not hold at row ${firstBad}: ${detail ?? ''}`, {
        remedy: 'Tables made of such rows would be no better. Put a backup back.',
      });
    }
    const db = openForWriting(file);
    try {
      migrate(db, file, migrationsOf(SLICES));
      return rebuildProjections(withArchives(db), SLICES);
    } finally {
      db.close();
    }
  } finally {
    claim.release();
  }
}
