import type { Database } from 'better-sqlite3';
import { isoTime } from '../contract/names.ts';
import { readUnprovenPast } from '../journal/desk/slice.ts';
import { journalFile, openForReading } from '../journal/open-database.ts';
import { journalFault } from '../journal/sqlite-fault.ts';
import { readWitnessed } from '../journal/witness.ts';

/** What speaks against a journal whose rows all hold being the whole past of its desk. */
export interface PastVerified {
  /** What the witness of the folder has against it, in a sentence; null where it has nothing, or there is none. */
  witness: string | null;
  /** The row that says why the past was not proven complete, which no resume of the desk has accepted since. */
  unaccepted: { row: number; time: string; why: string[] } | null;
  /** Each of both in a sentence. */
  faults: string[];
}

/**
 * Asks the witness of a folder, and the journal itself, whether rows are missing that were written. `witnesses` is where they lie. Writes
 * nothing: what a witness knows is as the desk left it. A journal that cannot be read is for `verifyJournal` to tell.
 */
export function verifyPast(folder: string, witnesses: string): PastVerified {
  let db: Database | undefined;
  try {
    const doubt = readWitnessed(witnesses, folder);
    db = openForReading(journalFile(folder));
    return verified(db, doubt);
  } catch (error) {
    return { witness: null, unaccepted: null, faults: [journalFault(error).message] };
  } finally {
    db?.close();
  }
}

function verified(db: Database, doubt: ReturnType<typeof readWitnessed>): PastVerified {
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM main.journal').pluck().get() ?? 0;
  const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM main.journal WHERE seq = ?').pluck();
  const witness = doubt({ last, hashOf: (seq) => hashOf.get(seq) ?? null });
  const found = readUnprovenPast(db).unacceptedPast();
  const unaccepted = found && { ...found, time: isoTime(found.time) };
  return {
    witness,
    unaccepted,
    faults: [witness, unaccepted && unacceptedSentence(unaccepted)].filter((one) => one !== null),
  };
}

function unacceptedSentence({ row, time, why }: NonNullable<PastVerified['unaccepted']>): string {
  return `Row ${row} of ${time} says that the past is not proven complete, and nobody has accepted that with a resume since: ${why.join(' ')}`;
}
