import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { syncFolder } from './backup.ts';
import { type Head, readHead } from './head-file.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { journalFile, openForWriting } from './open-database.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { type JournalRow, selectRows } from './rows.ts';
import { journalFault } from './sqlite-fault.ts';

export type OpenedFile = { db: Database; head: Head; notes: string[] };

/**
 * Opens the journal for writing: newest schema, and an end that fits the head written beside it. It does not walk the
 * whole chain, which is what verifying is for; it looks at the rows from the noted head on. The notes
 * are for the log. `openedAt` is Unix milliseconds.
 */
export function openJournalFile(folder: string, openedAt: number): OpenedFile {
  const file = journalFile(folder);
  const isNew = !existsSync(file);
  const noted = readHead(folder);
  const db = openForWriting(file);
  try {
    migrate(db, file, MIGRATIONS);
    if (isNew) syncFolder(folder);
    const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
    if (noted !== null && noted.seq > last) throw cutTail(noted, last);
    const head = checkedEnd(db, noted, last);
    const notes: string[] = [];
    if (noted === null && last > 0) notes.push('journal.head was missing and has been written anew.');
    const lastTime = db.prepare<[], number | null>('SELECT max(latest) FROM time_marks').pluck().get() ?? 0;
    if (lastTime > openedAt) {
      notes.push(`The clock is behind the journal, which reaches to ${new Date(lastTime).toISOString()}.`);
    }
    return { db, head, notes };
  } catch (error) {
    db.close();
    throw journalFault(error);
  }
}

function checkedEnd(db: Database, noted: Head | null, last: number): Head {
  if (last === 0) return { seq: 0, hash: GENESIS_HASH };
  const from = noted === null ? last : Math.max(noted.seq, 1);
  let before: JournalRow | null = null;
  for (const row of selectRows(db).iterate(from, last)) {
    const expected = before === null ? row.previous : before.hash;
    if (row.previous !== expected || rowHash(row) !== row.hash) throw badRow(row.seq);
    if (before === null && noted !== null && noted.seq > 0 && row.hash !== noted.hash) throw badRow(row.seq);
    before = row;
  }
  if (before === null) throw badRow(last);
  return { seq: before.seq, hash: before.hash };
}

function cutTail(noted: Head, last: number): DeskError {
  return new DeskError(
    'journal_cut',
    `The journal ends at row ${last}, but row ${noted.seq} was written: its end is missing.`,
    {
      remedy:
        'Put the whole journal back (journal.db with its -wal file). If the loss is meant, as with an older backup, remove journal.head.',
    },
  );
}

function badRow(seq: number): DeskError {
  return new DeskError('journal_broken', `The journal was changed at row ${seq}: the hash chain does not hold.`, {
    remedy: 'Keep the file as it is, find the first bad row with "makerdesk verify", and restore a backup.',
  });
}
