import { constants, copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { syncFile, syncFolder } from './backup.ts';
import { journalFile } from './open-database.ts';

/** What SQLite keeps beside a file and may still need, and the file itself last: without it the others are nothing. */
const PARTS = ['-journal', '-wal', ''];

/** Where the copy that comes into place lies before it does. It has this name only once it is whole. */
export function comingJournal(folder: string): string {
  return `${journalFile(folder)}.put-back`;
}

/**
 * Puts the copy that is to come in the place of the journal of a folder on which no desk runs. The one that is there gets the name
 * `kept`, which is null where there is none. Whatever ends the program in between: the old journal is whole in its place, or the new
 * one is, or none is in place, which the next start refuses, and the old one is whole under its other name. Throws DeskError
 * `backup_failed`; then the old one is in its place again, or where the disk does not let it, under its other name.
 */
export function replaceJournal(folder: string, kept: string | null): void {
  const own = journalFile(folder);
  if (kept !== null && PARTS.some((part) => existsSync(`${kept}${part}`))) throw couldNot(undefined);
  try {
    if (kept !== null) {
      // Whole under its other name before it is opened: SQLite takes away a -wal file of which it can make nothing.
      for (const part of PARTS) {
        if (existsSync(`${own}${part}`)) (part === '' ? name : copy)(`${own}${part}`, `${kept}${part}`);
      }
      syncFolder(folder);
      // Where it is several files it goes first: SQLite would take it without the others, or the new one with them.
      if (!isGathered(own)) rmSync(own);
    }
    for (const end of ['-journal', '-wal', '-shm']) rmSync(`${own}${end}`, { force: true });
    renameSync(comingJournal(folder), own);
  } catch (cause) {
    if (kept !== null) nameBack(kept, own);
    throw couldNot(cause);
  }
  syncFolder(folder);
}

function couldNot(cause: unknown): DeskError {
  return new DeskError('backup_failed', 'The journal that is here could not give way to the backup.', {
    remedy:
      'What was here is kept. Check that the folder may be written and no other program has journal.db open, then put it back again.',
    cause,
  });
}

/**
 * Takes away what a program left that was ended before a copy came into place; nobody else may have the folder. Says whether there was
 * any. Throws DeskError `journal_missing` where it ended in the middle and no journal is in place.
 */
export function leaveBrokenOff(folder: string): boolean {
  const [coming, own] = [comingJournal(folder), journalFile(folder)];
  if (!existsSync(coming)) return false;
  const now = statSync(own, { throwIfNoEntry: false });
  if (now === undefined) {
    throw new DeskError(
      'journal_missing',
      'A backup was being put back here, and that was interrupted: no journal is in place.',
      {
        remedy: `Put the backup back again. A journal that was here lies beside it as ${basename(own)}.before-… .`,
      },
    );
  }
  // The other name of the journal that stayed: it would go on changing with it.
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(`${basename(own)}.before-`)) continue;
    const other = statSync(join(folder, entry), { throwIfNoEntry: false });
    if (other?.ino !== now.ino || other.dev !== now.dev) continue;
    for (const part of PARTS) rmSync(join(folder, `${entry}${part}`), { force: true });
  }
  rmSync(coming);
  syncFolder(folder);
  return true;
}

/** Whether all of a journal is in its one file now. One that is damaged, or that others have open, stays in several. */
function isGathered(own: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(own, { fileMustExist: true });
    db.pragma('synchronous = FULL');
    db.pragma('checkpoint_fullfsync = ON');
    db.prepare('SELECT count(*) FROM sqlite_schema').get(); // what was broken off in it is undone first
    const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return done?.busy === 0;
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

/** Gives a file a second name; on disks that know no such thing, that of a copy. */
function name(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    copy(file, second);
  }
}

function copy(file: string, second: string): void {
  copyFileSync(file, second, constants.COPYFILE_EXCL);
  syncFile(second);
}

/** Has the files of a journal under their first name only. Where one cannot get it back, all keep the second. */
function nameBack(kept: string, own: string): void {
  const parts = PARTS.filter((part) => existsSync(`${kept}${part}`));
  try {
    for (const part of parts) if (!existsSync(`${own}${part}`)) name(`${kept}${part}`, `${own}${part}`);
    syncFolder(dirname(own));
  } catch {
    return;
  }
  for (const part of parts) rmSync(`${kept}${part}`, { force: true });
}
