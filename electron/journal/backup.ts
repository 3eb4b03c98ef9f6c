import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { type Archive, archiveFolder, archivesNeeded, digestOf, isWhole } from './archives.ts';

/** What a copy came to: its size, how many whole archives lie beside it, and the names of those that do not: missing, or changed since they were written. */
export type Copied = { bytes: number; archives: number; missing: string[] };

/**
 * Copies the journal as of now into one self-contained new file (0600) outside the desk's folder, while others go on
 * writing, and the archives of its rows into a folder `archive` beside that file, but those that lie there whole already. The copy has
 * its content only once it is whole and on disk.
 * Throws DeskError `backup_onto_itself` or `backup_inside_folder`, `backup_exists`, `backup_failed`.
 */
export function backUpJournal(db: Database.Database, file: string): Copied {
  const target = resolve(file);
  const own = resolve(db.name);
  if (target === own || target.startsWith(`${own}-`)) {
    throw new DeskError('backup_onto_itself', 'A backup cannot be written over the journal itself.', {
      remedy: 'Name another file, outside the folder of the desk.',
    });
  }
  if (isWithin(dirname(target), dirname(own))) {
    throw new DeskError('backup_inside_folder', `A backup is not written into the folder of the desk: ${target}.`, {
      remedy: 'Name a file elsewhere, best on another disk: what takes the folder would take the backup too.',
    });
  }
  try {
    closeSync(openSync(target, 'wx', 0o600)); // The name is ours from here on, and was nobody's before.
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw backupFailed(file, cause);
    throw new DeskError('backup_exists', `There is a file ${target} already; a backup never writes over one.`, {
      remedy: 'Name a new file.',
      cause,
    });
  }
  try {
    const bytes = copyJournal(db, target);
    // Whatever was archived meanwhile is among those that are named now.
    return { bytes, ...copyArchives(archivesNeeded(db), archiveFolder(own), archiveFolder(target)) };
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/**
 * Copies archives from one folder into another, but those that it has whole; a changed one there gives way to a whole one. `missing`:
 * the names of those that neither folder has whole. What is left of such a one in the first is copied where the other has nothing,
 * for each row that can be read in it still is one. Throws DeskError `backup_failed`.
 */
export function copyArchives(
  archives: readonly Archive[],
  from: string,
  to: string,
): Pick<Copied, 'archives' | 'missing'> {
  const missing: string[] = [];
  for (const archive of archives) {
    const { file, digest } = archive;
    const [source, target] = [join(from, file), join(to, file)];
    if (isWhole(archive, to)) continue;
    const whole = isWhole(archive, from);
    if (!whole) missing.push(file);
    if (!whole && (existsSync(target) || !existsSync(source))) continue;
    const part = join(to, `.${randomUUID()}.part`);
    try {
      mkdirSync(to, { recursive: true, mode: 0o700 });
      copyFileSync(source, part);
      chmodSync(part, 0o600);
      syncFile(part);
      if (whole && digestOf(part) !== digest) throw new Error(`the copy of ${file} is not what was copied`);
      renameSync(part, target);
      syncFolder(to);
    } catch (error) {
      rmSync(part, { force: true });
      throw backupFailed(target, error);
    }
  }
  return { archives: archives.length - missing.length, missing };
}

/**
 * Copies the journal as of now to `target` (0600), in place of what is there once the copy is whole. Gives its size in bytes. The
 * connection sees nothing of archives from then on.
 */
export function copyJournal(db: Database.Database, target: string): number {
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    closeSync(openSync(part, 'wx', 0o600)); // SQLite takes an empty file, and leaves its mode as it is.
    db.exec('DROP VIEW IF EXISTS temp.journal'); // it would be taken for the table; bodies stay where they are
    db.prepare('VACUUM INTO ?').run(part);
    syncFile(part);
    renameSync(part, target);
    syncFolder(dirname(target));
  } catch (error) {
    if (existsSync(part)) rmSync(part);
    throw backupFailed(target, error);
  }
  return statSync(target).size;
}

function backupFailed(file: string, cause: unknown): DeskError {
  return new DeskError('backup_failed', `The backup could not be written to ${file}.`, {
    remedy: 'Check that the folder is there, may be written, and has room for the whole journal.',
    cause,
  });
}

/** Whether a folder is another one or lies in it, whatever names and links lead there. */
function isWithin(folder: string, outer: string): boolean {
  return existsSync(folder) && `${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(outer)}${sep}`);
}

/** Makes sure a new or renamed file is found after a power failure; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32' && existsSync(folder)) syncFile(folder);
}

/** Makes sure that what a file holds is on the disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
