import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { copyJournal } from './backup.ts';
import type { Migration } from './slice.ts';

/**
 * Brings the file to the newest schema: each step in one transaction with the number of its version, and a backup
 * beside the file before the first step that changes an existing journal. A new file takes all of them in one, so that the disk
 * is waited for once. A file of a newer program is refused.
 */
export function migrate(db: Database, file: string, migrations: readonly Migration[]): void {
  const from = schemaVersion(db);
  if (from > migrations.length) {
    throw new DeskError(
      'journal_newer',
      `The journal has schema ${from}; this program knows schemas up to ${migrations.length}.`,
      { remedy: 'Start the newer program that wrote it, or put back a backup from before the update.' },
    );
  }
  if (from > 0 && from < migrations.length) copyJournal(db, `${file}.before-schema-${from + 1}`);
  const take = (step: Migration, version: number) => {
    step(db);
    db.pragma(`user_version = ${version}`);
  };
  const steps = migrations.slice(from);
  const all = () => {
    for (const [index, step] of steps.entries()) db.transaction(take).exclusive(step, from + index + 1);
  };
  if (from === 0) db.transaction(all).exclusive();
  else all();
}

/** The number of the last step that was taken; 0 in a new file. */
export function schemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
