import Database from 'better-sqlite3';
import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';

/** The only version of a store of the practice market so far. */
const SCHEMA_VERSION = 1;

/**
 * Opens a file of the practice service, making it by `schema` when it is missing. What was written before a kill -9 is there
 * after it. `what` names its rows in the refusal.
 * @throws DeskError `code` when it is of a later version, or of another program
 */
export function openStoreFile(file: string, schema: string, { code, what }: { code: ErrorCode; what: string }) {
  const db = new Database(file, { timeout: 5_000 });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('temp_store = MEMORY');
    db.transaction(() => {
      const version = db.pragma('user_version', { simple: true });
      if (version === SCHEMA_VERSION) return;
      const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
      if (version !== 0 || tables !== 0) throw new Error(`schema ${version}, ${tables} tables`);
      db.exec(schema);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    })();
    return db;
  } catch (cause) {
    db.close();
    throw new DeskError(code, `The practice market's ${what} in ${file} cannot be read.`, {
      remedy: `Choose another folder with --data, or remove this file to begin without ${what}.`,
      cause,
    });
  }
}
