import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { withArchives } from './archived-bodies.ts';
import { claimJournal } from './folder-lock.ts';
import { migrate } from './migrate.ts';
import { migrationsOf } from './migrations.ts';
import { journalFile, openForReading, openForWriting } from './open-database.ts';
import { rebuildProjections } from './rebuild.ts';
import { rowHash } from './row-hash.ts';
import type { JournalRow } from './rows.ts';
import { createProjector } from './slice.ts';
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
    const putBack = nameArchivesAnew(file);
    const { firstBad, detail } = await verifyJournal(folder);
    if (firstBad !== null) {
      putBack();
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

/**
 * Has the table of archives say what the rows of the journal do: without it no row that is archived can be read. Gives what puts
 * back the table as it was.
 */
function nameArchivesAnew(file: string): () => void {
  const slices = SLICES.filter(({ tables }) => (tables as readonly string[]).includes('archives'));
  const inFile = (work: (db: Database) => void) => {
    const db = openForWriting(file);
    try {
      const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'archives'").get() !== undefined;
      if (isThere) db.transaction(() => work(db))();
    } finally {
      db.close();
    }
  };
  let before: unknown[] = [];
  inFile((db) => {
    before = db.prepare('SELECT * FROM archives').raw().all();
    db.exec('DELETE FROM archives');
    const project = createProjector(db, slices);
    const rows = db.prepare<[], JournalRow>(
      "SELECT seq, time, actor, kind, body, lower(hex(previous)) AS previous, lower(hex(hash)) AS hash FROM journal WHERE kind = 'journal_archived' ORDER BY seq",
    );
    // What one that was changed says is not believed.
    for (const row of rows.all()) if (rowHash(row) === row.hash) project(row);
  });
  return () =>
    inFile((db) => {
      db.exec('DELETE FROM archives');
      const insert = db.prepare('INSERT INTO archives VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
      for (const row of before) insert.run(row);
    });
}
