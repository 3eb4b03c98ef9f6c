import type { Database } from 'better-sqlite3';
import { APPLICATION_ID } from './open-database.ts';
import { migrationsOf } from './slice.ts';
import { SLICES } from './slices.ts';

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

/** Every step of the schema; the version is the place in the list, counted from 1. */
export const MIGRATIONS = migrationsOf((db: Database) => {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(JOURNAL);
}, SLICES);

/** Every table that is made from the rows of the journal, and can be emptied and made anew. */
export const PROJECTED_TABLES: readonly string[] = ['time_marks', ...SLICES.flatMap(({ tables }) => tables)];
