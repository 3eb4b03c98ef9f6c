import { mkdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';

export type FolderLock = {
  release(): void;
  /** Whether the file that is locked is still the one a second desk would lock: not once somebody has removed it. */
  isInPlace(): boolean;
};

const LOCK_FILE = 'lock.db';

/** Folders this process holds. The connections are kept here, as a forgotten one would be collected and its lock with it. */
const held = new Map<string, Database.Database>();

/** Folders whose journal is open. */
const journals = new Set<string>();

/**
 * Takes a desk's folder for this process, making it if need be. Only the holder writes the journal. The operating
 * system frees the lock when the process ends, however it ends. Throws `folder_locked` when another desk has it.
 */
export function takeFolderLock(folder: string): FolderLock {
  const key = foldersOwnName(folder);
  if (held.has(key)) throw folderLocked(folder);
  const db = lockedDatabase(folder);
  const locked = statSync(db.name);
  held.set(key, db);
  const lock = once(() => {
    db.close();
    held.delete(key);
  });
  return { ...lock, isInPlace: () => isSameFile(db.name, locked) };
}

/** Whether another process has the folder, also where nothing can be written in it any more; false where that cannot be read. */
export function isFolderTaken(folder: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(join(folder, LOCK_FILE), { readonly: true, timeout: 0 });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    db?.close();
  }
}

/**
 * Whether this process has the folder, as the system tells of its locks. Null where it does not tell who has it: only Linux does, not of
 * every disk, and of no process outside a container to one in it.
 */
export function hasFolder(pid: number, folder: string): boolean | null {
  try {
    const { ino } = statSync(join(folder, LOCK_FILE), { bigint: true });
    const locks = readFileSync('/proc/locks', 'utf8').matchAll(
      /^\d+: POSIX +ADVISORY +WRITE +(\d+) [^ :]+:[^ :]+:(\d+) /gm,
    );
    const holders = [...locks].filter(([, , file]) => file === String(ino)).map(([, holder]) => Number(holder));
    return holders.length === 0 ? null : holders.includes(pid);
  } catch {
    return null;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function isSameFile(path: string, { dev, ino }: Stats): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  return now?.dev === dev && now.ino === ino;
}

/**
 * The right to write the journal of a folder: at most one journal of it is open. Takes the folder if this process does
 * not have it yet. Throws `folder_locked`.
 */
export function claimJournal(folder: string): Pick<FolderLock, 'release'> {
  const key = foldersOwnName(folder);
  if (journals.has(key)) throw folderLocked(folder);
  const lock = held.has(key) ? null : takeFolderLock(folder);
  journals.add(key);
  return once(() => {
    journals.delete(key);
    lock?.release();
  });
}

/** A lock that a second release leaves to whoever took it since. */
function once(free: () => void): Pick<FolderLock, 'release'> {
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      free();
    },
  };
}

function lockedDatabase(folder: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(join(folder, LOCK_FILE), { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) throw folderLocked(folder);
    throw new DeskError('folder_unusable', `The folder ${folder} cannot be used for a desk.`, {
      remedy: 'Check that it may be written and that its disk has room, or choose another one with --data.',
      cause: error,
    });
  }
}

/** Says that another desk has the folder. */
export function folderLocked(folder: string): DeskError {
  return new DeskError('folder_locked', `Another desk is running on ${folder}.`, {
    remedy: 'End that desk first, or choose another folder with --data.',
  });
}

function foldersOwnName(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  } catch (error) {
    throw new DeskError('folder_unusable', `The folder ${folder} cannot be made.`, {
      remedy: 'Check the path and the rights on the folder above it, or choose another one with --data.',
      cause: error,
    });
  }
}
