import type { Database, Statement } from 'better-sqlite3';

/** A row of the journal; both hashes in lower-case hex. */
export type JournalRow = {
  seq: number;
  time: number;
  actor: string;
  kind: string;
  body: string;
  previous: string;
  hash: string;
};

/** Rows from the first to the last sequence number given, in order. */
export function selectRows(db: Database): Statement<[from: number, to: number], JournalRow> {
  return db.prepare(`
    SELECT seq, time, actor, kind, body, lower(hex(previous)) AS previous, lower(hex(hash)) AS hash
    FROM journal WHERE seq BETWEEN ? AND ? ORDER BY seq`);
}
