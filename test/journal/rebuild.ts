import type { Database } from 'better-sqlite3';
import { createProjector } from '../../electron/journal/project.ts';
import { type JournalRow, selectRows } from '../../electron/journal/rows.ts';
import { PROJECTED_TABLES } from '../../electron/journal/schema-1.ts';
import { TimeMarks } from '../../electron/journal/time-marks.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Empties every projected table and fills it from the journal, in one transaction: for a migration that changes what
 * is projected, and for tables that are in doubt. Needs the connection that writes. Gives the number of rows read.
 */
export function rebuildProjections(db: Database): number {
  const rows = selectRows(db);
  return db.transaction(() => {
    for (const table of PROJECTED_TABLES) db.exec(`DELETE FROM ${table}`);
    const project = createProjector(db);
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
