import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import Sqlite, { type Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { archiveRows, rowsLeft } from './archivable-rows.ts';
import { backUpJournal } from './backup.ts';
import { journalFile, openForReading } from './open-database.ts';
import type { QueryName } from './queries.ts';
import type { FromReader, ReaderStart, ToProver, ToReader } from './reader-messages.ts';
import { createQueries, SLICES } from './slices.ts';
import { RowMarks } from './table-proof.ts';
import { verifyRange } from './verify-range.ts';
import { TableVerifier } from './verify-tables.ts';
import { errorToText } from './write-item.ts';

type Port = Pick<MessagePort, 'on' | 'postMessage' | 'close'>;

/** Does the one task that a thread was started for. */
function run(port: Port, start: Exclude<ReaderStart, { task: 'queries' }>): void {
  const tell = (message: FromReader) => port.postMessage(message);
  const db = openForReading(journalFile(start.folder));
  if (start.task === 'tables') {
    proveTables(port, db);
    return;
  }
  try {
    tell(outcomeOf(start, db, tell));
  } finally {
    db.close();
  }
}

/**
 * Reads the journal on a connection of its own, so that no search holds up a quote. It is opened for the first query: the thread may
 * start while the journal is still being made.
 */
function answerQueries(port: Port, folder: string): void {
  const tell = (message: FromReader) => port.postMessage(message);
  let opened: { db: Database; queries: ReturnType<typeof createQueries> } | null = null;
  const open = () => {
    const db = openForReading(journalFile(folder));
    return { db, queries: createQueries(db) };
  };
  port.on('message', (message: ToReader) => {
    if (message.type === 'close') {
      opened?.db.close();
      port.close();
      return;
    }
    try {
      opened ??= open();
    } catch (error) {
      tell({ type: 'failed', error: errorToText(error) });
      return;
    }
    const { id, query, args } = message;
    const began = performance.now();
    try {
      // The name chooses the arguments' types, which the compiler cannot follow through a message.
      const ask = opened.queries[query] as (...given: unknown[]) => unknown;
      const value = ask(...args);
      tell({ type: 'answer', id, value, tookMs: performance.now() - began });
    } catch (error) {
      tell({
        type: 'refused',
        id,
        error: errorToText(isUnreadable(error) ? unreadable(query, error) : error),
      });
    }
  });
}

/** A text in a row is not the JSON that it was, as Node or SQLite says it. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Sqlite.SqliteError && error.message === 'malformed JSON');
}

/** What a start that needs such a row ends with, in place of the parser's words. */
function unreadable(query: QueryName, cause: unknown): DeskError {
  return new DeskError('journal_unreadable', `A row of the journal or its tables cannot be read (${query}).`, {
    remedy: 'Find it with "makerdesk verify", keep the file as it is, and put a backup back.',
    cause,
  });
}

/** Looks at the tables as they are now, and waits for what the rows of the journal say. */
function proveTables(port: Port, db: Database): void {
  const verifier = new TableVerifier(db, SLICES);
  port.on('message', (message: ToProver) => {
    if (message.type === 'prove') {
      const fault = verifier.end(message.parts, new RowMarks(message.marks));
      port.postMessage({ type: 'proven', fault } satisfies FromReader);
    }
    db.close();
    port.close();
  });
  port.postMessage({ type: 'begun', last: verifier.last } satisfies FromReader);
  verifier.begin();
}

/** What a thread that was started for one task has to say in the end. */
function outcomeOf(
  start: Exclude<ReaderStart, { task: 'queries' | 'tables' }>,
  db: Database,
  tell: (message: FromReader) => void,
): FromReader {
  if (start.task === 'backup') return { type: 'copied', ...backUpJournal(db, start.target) };
  if (start.task === 'archive') return { type: 'archived', archive: archiveRows(db, SLICES, start.before) };
  if (start.task === 'left') return { type: 'left', seqs: rowsLeft(db, start.archive) };
  db.pragma('cache_size = -4096'); // each page is read once, and there may be a thread for each processor
  const part = { from: start.from, to: start.to, slices: SLICES, marks: new RowMarks(start.marks) };
  const range = verifyRange(db, part, (checked) => tell({ type: 'progress', checked }));
  return { type: 'verified', range };
}

/** Opens the journal, and does its task or answers the port until it is told to close; says so where it cannot be opened. */
export function serve(port: Port, start: ReaderStart): void {
  try {
    if (start.task === 'queries') answerQueries(port, start.folder);
    else run(port, start);
  } catch (error) {
    port.postMessage({ type: 'failed', error: errorToText(error) } satisfies FromReader);
  }
}

if (parentPort !== null && workerData !== undefined) serve(parentPort, workerData);
