import type { Database } from 'better-sqlite3';
import { projectedTables } from './migrations.ts';
import { type JournalRow, selectRows } from './rows.ts';
import { createProjector, type Slice } from './slice.ts';
import { TimeMarks } from './time-marks.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Empties every projected table and fills it from the journal, in one transaction, for tables that are in doubt. Needs the
 * connection that writes. Returns the number of rows read.
 */
export function rebuildProjections(db: Database, slices: readonly Slice[]): number {
  const rows = selectRows(db);
  return db.transaction(() => {
    for (const table of projectedTables(slices)) db.exec(`DELETE FROM ${table}`);
    const project = createProjector(db, slices);
    const marks = new TimeMarks(db);
    let last = 0;
    for (;;) {
      const chunk: JournalRow[] = rows.all(last + 1, last + ROWS_AT_ONCE);
      for (const row of chunk) {
        project(row);
        marks.add(row.seq, row.time);
      }
      marks.write();
      if (chunk.length < ROWS_AT_ONCE) return last + chunk.length;
      last += chunk.length;
    }
  })();
}
