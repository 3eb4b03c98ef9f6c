import type { Database } from 'better-sqlite3';

/** A new fill looks for hedges of the same quote's fills that were taken back, and reads none of those that stand. */
export function fillsTakenBack(db: Database): void {
  db.exec("CREATE INDEX fills_taken_back ON fills (quote_seq) WHERE reverted = 1 AND cover <> 'taken_back'");
}
