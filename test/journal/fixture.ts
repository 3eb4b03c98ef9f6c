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
import type { WriteResult } from '../../electron/journal/write-item.ts';
import { START } from './sample-events.ts';

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
  const { db, head } = openJournalFile(folder, START);
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
