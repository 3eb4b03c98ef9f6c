import Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';

/** Results of SQLite that are about the row given to it; every other one is about the file or the disk. */
const ABOUT_THE_ROW = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE', 'SQLITE_ERROR'];

/** True if writing further rows makes no sense: disk full, I/O error, damaged or locked file, somebody else who writes. */
export function isJournalFault(error: unknown): boolean {
  if (error instanceof DeskError) return error.code === 'journal_failed';
  const { code } = error instanceof Database.SqliteError ? error : { code: null };
  return code !== null && !ABOUT_THE_ROW.some((prefix) => code === prefix || code.startsWith(`${prefix}_`));
}

/** The fault in the words of the desk: what is wrong with the journal, and what to do. */
export function journalFault(error: unknown): DeskError {
  if (error instanceof DeskError) return error;
  const code = error instanceof Database.SqliteError ? error.code : '';
  const [sentence, remedy] = faultOf(code);
  return new DeskError('journal_failed', `${sentence} (${code || String(error)})`, { remedy, cause: error });
}

function faultOf(code: string): [sentence: string, remedy: string] {
  if (code === 'SQLITE_FULL') {
    return [
      'The journal cannot be written: the disk is full.',
      'Make room on the disk of the desk, then start it again.',
    ];
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return [
      'The journal is damaged.',
      'Keep the file as it is, find the first bad row with "makerdesk verify", and put a backup back.',
    ];
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return ['Another program holds the journal locked.', 'End the program that has journal.db open for writing.'];
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM')) {
    return ['The journal cannot be opened for writing.', 'Check the rights on the desk’s folder and on its files.'];
  }
  return ['The journal cannot be written.', 'Check the disk, then start the desk again.'];
}
