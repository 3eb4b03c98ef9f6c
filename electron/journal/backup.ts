import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';

/**
 * Copies the journal as of now into one self-contained file, while others go on writing. The copy gets its name only
 * once it is whole and on disk; an earlier file of that name is replaced then. Gives its size in bytes.
 */
export function copyJournal(db: Database.Database, file: string): number {
  const target = resolve(file);
  const own = resolve(db.name);
  if (target === own || target.startsWith(`${own}-`)) {
    throw new DeskError('backup_onto_itself', 'A backup cannot be written over the journal itself.', {
      remedy: 'Name another file.',
    });
  }
  const part = `${target}.part`;
  try {
    removePart(part);
    db.prepare('VACUUM INTO ?').run(part);
    syncFile(part);
    renameSync(part, target);
    syncFolder(dirname(target));
  } catch (error) {
    removePart(part);
    throw new DeskError('backup_failed', `The backup could not be written to ${file}.`, {
      remedy: 'Check that the folder is there, may be written, and has room for the whole journal.',
      cause: error,
    });
  }
  return statSync(target).size;
}

function removePart(part: string): void {
  if (existsSync(part)) rmSync(part);
}

/** Makes sure a new or renamed file is found after a power failure; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32' && existsSync(folder)) syncFile(folder);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
