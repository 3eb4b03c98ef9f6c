import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { withArchives } from './archived-bodies.ts';
import { journalFault } from './sqlite-fault.ts';

/** The journal in a desk's folder. */
export function journalFile(folder: string): string {
  return join(folder, 'journal.db');
}

/** "MKDK": tells a journal from any other SQLite file. */
export const APPLICATION_ID = 0x4d4b444b;

/** The one connection that writes. A commit returns once the disk has it. What is archived is seen once it is asked for, after the migrations. */
export function openForWriting(file: string): Database.Database {
  return opened(file, {}, (db) => {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // On macOS a plain sync stops at the drive's cache.
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
    // Under steady load only; the writer thread does it little by little when nothing waits.
    db.pragma('wal_autocheckpoint = 4000');
    db.pragma('temp_store = MEMORY');
    db.pragma('cache_size = -65536');
    db.pragma('journal_size_limit = 67108864');
  });
}

/** Throws DeskError `journal_missing` where there is none. */
export function expectJournal(file: string): void {
  if (existsSync(file)) return;
  throw new DeskError('journal_missing', 'There is no journal in this folder.', {
    remedy: 'Check the folder given with --data.',
  });
}

/** A connection that cannot write. Throws DeskError `journal_missing` where there is no journal. */
export function openForReading(file: string): Database.Database {
  expectJournal(file);
  const db = opened(file, { readonly: true, fileMustExist: true }, (made) => {
    made.pragma('temp_store = MEMORY');
    made.pragma('cache_size = -65536');
  });
  return withArchives(db);
}

function opened(file: string, options: Database.Options, prepare: (db: Database.Database) => void): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { ...options, timeout: 5_000 });
    prepare(db);
    const id = db.pragma('application_id', { simple: true });
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (id !== APPLICATION_ID && tables !== 0) {
      throw new DeskError('journal_foreign', 'journal.db is not the journal of a desk.', {
        remedy: 'Choose another folder with --data; this file belongs to another program.',
      });
    }
    return db;
  } catch (error) {
    db?.close();
    throw journalFault(error);
  }
}
