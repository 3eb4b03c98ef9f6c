import Sqlite, { type Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import type { Head } from './head-file.ts';
import { rowHash } from './row-hash.ts';
import { createPlainWriter, createProjector, type Slice } from './slice.ts';
import { isJournalFault } from './sqlite-fault.ts';
import { TimeMarks } from './time-marks.ts';
import { type EventText, errorToText, type WriteItem, type WriteResult } from './write-item.ts';

/**
 * Writes groups of events and plain rows, each group in one transaction. It alone gives sequence numbers and hashes.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #insert;
  readonly #begin;
  readonly #commit;
  readonly #savepoint;
  readonly #release;
  readonly #rollBackRow;
  readonly #project;
  readonly #writePlain;
  readonly #marks: TimeMarks;
  #head: Head;

  constructor(db: Database, head: Head, slices: readonly Slice[]) {
    this.#db = db;
    this.#head = head;
    this.#insert = db.prepare(`
      INSERT INTO main.journal (seq, time, actor, kind, body, previous, hash) VALUES (?, ?, ?, ?, ?, unhex(?), unhex(?))`);
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT item');
    this.#release = db.prepare('RELEASE item');
    this.#rollBackRow = db.prepare('ROLLBACK TO item');
    this.#project = createProjector(db, slices);
    this.#writePlain = createPlainWriter(db, slices);
    this.#marks = new TimeMarks(db);
  }

  get head(): Head {
    return this.#head;
  }

  /**
   * Gives what became of each item, once the disk has the whole group. Throws when the journal cannot be written;
   * then nothing of the group is there.
   */
  write(items: readonly WriteItem[]): WriteResult[] {
    const before = this.#head;
    try {
      this.#begin.run();
      const results = items.map((item) => this.#writeItem(item));
      this.#marks.write();
      this.#commit.run();
      return results;
    } catch (error) {
      this.#head = before;
      this.#marks.forget();
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The fault that led here is the one to report, and without a commit nothing of the group counts.
    }
  }

  #writeItem(item: WriteItem): WriteResult {
    this.#savepoint.run();
    try {
      if ('table' in item) this.#writePlain(item);
      else this.#append(item);
      this.#release.run();
    } catch (error) {
      if (isJournalFault(error)) throw error;
      this.#rollBackRow.run();
      this.#release.run();
      return errorToText(refusal(error));
    }
    if ('table' in item) return null;
    this.#marks.add(this.#head.seq, item.time);
    return this.#head;
  }

  #append({ time, actor, kind, body }: EventText): void {
    const previous = this.#head.hash;
    const seq = this.#head.seq + 1;
    const hash = rowHash({ seq, time, actor, kind, body, previous });
    try {
      this.#insert.run(seq, time, actor, kind, body, previous, hash);
    } catch (error) {
      throw isTaken(error) ? otherWriter(seq, error) : error;
    }
    this.#project({ seq, time, actor, kind, body });
    this.#head = { seq, hash };
  }
}

/** The number after the last row that this thread knows is there: somebody else has written since. */
function isTaken(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

function otherWriter(seq: number, cause: unknown): DeskError {
  return new DeskError('journal_failed', `Row ${seq} of the journal was written by another program.`, {
    remedy: 'Two desks run on this folder: end both, then start one. Never remove lock.db while a desk runs.',
    cause,
  });
}

function refusal(error: unknown): DeskError {
  if (error instanceof DeskError) return error;
  return new DeskError('journal_row_refused', `The journal refused a row: ${String(error)}`, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
    cause: error,
  });
}
