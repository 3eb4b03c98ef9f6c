import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { eventText } from '../../electron/journal/event-text.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { GroupCommit } from '../../electron/journal/group-commit.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import { openJournalFile } from '../../electron/journal/open-journal-file.ts';
import { createQueries, type Queries, SLICES } from '../../electron/journal/slices.ts';
import { RowMarks } from '../../electron/journal/table-proof.ts';
import { verifyRange } from '../../electron/journal/verify-range.ts';
import { TableVerifier } from '../../electron/journal/verify-tables.ts';
import type { WriteResult } from '../../electron/journal/write-item.ts';
import { START } from './sample-events.ts';

/** Verifies in this thread, in three parts: the first row that is not as it was written, and the first fault of the tables. */
export function verifyDirectly(db: Database): { firstBad: number | null; fault: string | null } {
  const tables = new TableVerifier(db, SLICES);
  const marks = RowMarks.upTo(tables.last);
  tables.begin();
  const ends = [0, 1, 2, 3].map((part) => Math.ceil((tables.last * part) / 3));
  const ranges = [1, 2, 3].map((part) => {
    const [from, to] = [(ends[part - 1] ?? 0) + 1, ends[part] ?? 0];
    return verifyRange(db, { from, to, slices: SLICES, marks }, () => {});
  });
  const fault = tables.end(
    ranges.map(({ facts }) => facts),
    marks,
  );
  const [first] = ranges.flatMap(({ tableFault }) => tableFault ?? []);
  return { firstBad: ranges.find(({ firstBad }) => firstBad !== null)?.firstBad ?? null, fault: first ?? fault };
}

/** A folder of its own that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A journal with both its threads, closed when the test ends. */
export async function openTestJournal(folder = temporaryFolder()): Promise<Journal> {
  const journal = await openJournal({ folder, now: () => START });
  onTestFinished(() => journal.close());
  return journal;
}

export type DirectJournal = {
  db: Database;
  queries: Queries;
  /** Writes the events as one group; gives the row's number, or the code it was refused with. */
  write(...events: NewEvent[]): (number | string)[];
};

/** The writer's and the reader's parts in this thread, on a real file. */
export function openDirectly(folder = temporaryFolder()): DirectJournal {
  const { db, head } = openJournalFile(folder, START, SLICES);
  db.pragma('synchronous = OFF'); // no power is lost here, and some of these write thousands of commits
  onTestFinished(() => {
    db.close();
  });
  const commit = new GroupCommit(db, head, SLICES);
  const outcome = (result: WriteResult) => (result === null ? 0 : 'code' in result ? result.code : result.seq);
  return {
    db,
    queries: createQueries(db),
    write: (...events) => commit.write(events.map(eventText(SLICES))).map(outcome),
  };
}
