import type { Database } from 'better-sqlite3';
import { APPLICATION_ID } from './open-database.ts';
import type { Migration, Slice } from './slice.ts';

const JOURNAL = `
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  previous BLOB NOT NULL CHECK (length(previous) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Earliest and latest time of each 1,024 rows: turns a range of time into a range of rows, also when a clock stepped.
CREATE TABLE time_marks (
  block INTEGER PRIMARY KEY,
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL
) STRICT;
`;

/** The schema from which on a desk has a witness. */
export const WITNESSED_SINCE = 10;

/**
 * Returns every step of the schema in order: the first one of all slices, and from then on each number of the slice that has it.
 * The version of a file is the place in the list of the last one taken, counted from 1.
 */
export function migrationsOf(slices: readonly Slice[]): readonly Migration[] {
  const last = Math.max(...slices.flatMap(({ migrations }) => Object.keys(migrations).map(Number)));
  return Array.from({ length: last }, (_, index): Migration => {
    const steps = slices.flatMap(({ migrations }) => migrations[index + 1] ?? []);
    if (index === 0) return (db) => [journalItself, ...steps].forEach((step) => void step(db));
    const [step, ...others] = steps;
    if (step === undefined || others.length > 0) throw new Error(`Schema ${index + 1} has ${steps.length} steps.`);
    return step;
  });
}

/** Returns every table that is made from the rows of the journal, and can be emptied and made anew. */
export function projectedTables(slices: readonly Slice[]): readonly string[] {
  return ['time_marks', ...slices.flatMap(({ tables }) => tables)];
}

function journalItself(db: Database): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(JOURNAL);
}
