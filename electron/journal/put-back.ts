import { existsSync, realpathSync, rmSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isoTime } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { archiveFault, withArchives } from './archived-bodies.ts';
import { type Archive, archiveFolder, archivesIn, archivesNeeded, isWhole } from './archives.ts';
import { copyArchives, copyJournal, syncFolder } from './backup.ts';
import { takeFolderLock } from './folder-lock.ts';
import { schemaVersion } from './migrate.ts';
import { migrationsOf } from './migrations.ts';
import { journalFile, openForReading } from './open-database.ts';
import { comingJournal, replaceJournal } from './replace-journal.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { selectRows } from './rows.ts';
import { SLICES } from './slices.ts';

/** What was put back. */
export interface PutBack {
  rows: number;
  /** Unix milliseconds of its last row. */
  lastAt: number;
  /** Where the journal lies that was in its place; null: there was none. */
  kept: string | null;
  /** Archives that are whole neither beside the backup nor in the folder: of what cannot be read in them the hashes alone are known. */
  missing: string[];
}

const ROWS_AT_ONCE = 2_000;

/**
 * Puts a copy of a journal in the place of the one in a folder on which no desk runs, and the archives beside the copy into that
 * folder. The copy is read whole first, and what
 * was there stays beside it under another name. The folder starts HALTED from then on, and since `journal.head` and the
 * witness stay as they are, the desk finds out by itself what the copy does not know of, and signs nothing until that is over.
 * `at` is Unix milliseconds. Throws DeskError `folder_locked`, `no_file`, `backup_onto_itself`, `journal_foreign`,
 * `journal_broken`, `journal_newer` or `backup_failed`; then what was there is there still.
 */
export async function putBackJournal(folder: string, file: string, at: number): Promise<PutBack> {
  const lock = takeFolderLock(folder);
  try {
    const source = backupAt(folder, file);
    const own = journalFile(folder);
    const kept = existsSync(own) ? `${own}.before-${isoTime(at).replaceAll(/[:.]/g, '-')}` : null;
    const coming = comingJournal(folder);
    const isNew = kept === null && !existsSync(coming);
    try {
      const { rows, lastAt, archives } = await copyWhole(source, coming, archiveFolder(own));
      const { missing } = copyArchives(archives, archiveFolder(source), archiveFolder(own));
      rmSync(join(folder, 'armed'), { force: true });
      syncFolder(folder);
      replaceJournal(folder, kept);
      return { rows, lastAt, kept, missing };
    } finally {
      // As long as the one that was here is not in its place, this file has a start refuse the folder.
      if (isNew || existsSync(own)) rmSync(coming, { force: true });
    }
  } finally {
    lock.release();
  }
}

function backupAt(folder: string, file: string): string {
  if (!isAbsolute(file) || !existsSync(file)) {
    throw new DeskError('no_file', `There is no file ${file}.`, {
      remedy: 'Give the whole path of the backup, as it was said when it was made.',
    });
  }
  const source = realpathSync(resolve(file));
  const own = journalFile(folder);
  if (existsSync(own) && source === realpathSync(own)) {
    throw new DeskError('backup_onto_itself', 'This is the journal of this desk itself, not a backup.', {
      remedy: 'Give the path of the backup.',
    });
  }
  return source;
}

/**
 * Copies a journal whose rows all hold. Throws before anything is copied where one does not. An archive that is not whole beside it
 * is read from the folder `own`.
 */
async function copyWhole(
  source: string,
  target: string,
  own: string,
): Promise<{ rows: number; lastAt: number; archives: Archive[] }> {
  const db = openBackup(source);
  try {
    const newest = migrationsOf(SLICES).length;
    if (schemaVersion(db) > newest) {
      throw new DeskError('journal_newer', `${source} was written by a newer program than this one.`, {
        remedy: 'Put it back with that one.',
      });
    }
    const end = await walk(db, source, [archiveFolder(source), own]);
    copyJournal(db, target);
    return { ...end, archives: archivesNeeded(db) };
  } finally {
    db.close();
  }
}

function openBackup(source: string): Database {
  try {
    return openForReading(source);
  } catch (cause) {
    throw new DeskError('journal_foreign', `${source} is no backup of a desk.`, {
      remedy: 'Give the path of a file that a desk wrote as its backup.',
      cause,
    });
  }
}

/** Reads every row and holds it against its hash and the one before. `folders`: where its archives may lie. */
async function walk(
  db: Database,
  source: string,
  folders: [string, string],
): Promise<{ rows: number; lastAt: number }> {
  const archives = inFile(source, 1, () => archivesIn(db));
  const lost = archives.filter((archive) => !folders.some((folder) => isWhole(archive, folder)));
  const isLost = (seq: number) => lost.some(({ first, last }) => first <= seq && seq <= last);
  const select = inFile(source, 1, () => selectRows(withArchives(db, folders)));
  const isEmptied = db.prepare<[number], number>("SELECT body = '' FROM main.journal WHERE seq = ?").pluck();
  let [previous, rows, lastAt] = [GENESIS_HASH as string, 0, 0];
  for (;;) {
    const some = inFile(source, rows + 1, () => select.all(rows + 1, rows + ROWS_AT_ONCE));
    for (const row of some) {
      rows += 1;
      // Of quotes whose archive is not whole the hashes are known, and what they are of may be found again.
      const holds =
        rowHash(row) === row.hash || (row.kind === 'quote' && isLost(row.seq) && isEmptied.get(row.seq) === 1);
      if (row.seq !== rows || row.previous !== previous || !holds) {
        throw doesNotHold(source, rows, archiveFault(row.body));
      }
      previous = row.hash;
      lastAt = row.time;
    }
    if (some.length < ROWS_AT_ONCE) break;
    await nextTurn();
  }
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0; // rows beyond a gap
  if (last !== rows || rows === 0) throw doesNotHold(source, rows + 1, null);
  return { rows, lastAt };
}

/** `why`: a sentence more, where there is one. */
function doesNotHold(source: string, seq: number, why: string | null, cause?: unknown): DeskError {
  const says = why === null ? '' : ` ${why}`;
  return new DeskError('journal_broken', `${source} was changed, or is cut off: row ${seq} does not hold.${says}`, {
    remedy: 'Nothing was put back. Take another backup.',
    cause,
  });
}

/** Reads from a file that may be damaged anywhere. */
function inFile<T>(source: string, seq: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw doesNotHold(source, seq, null, cause);
  }
}
