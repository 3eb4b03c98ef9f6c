import type { Database } from 'better-sqlite3';

/** Entries of the blacklist say whether this desk alone bars the user: 1, or 0 where the service is told too. */
export function barsOfThisDesk(db: Database): void {
  db.exec(`
    ALTER TABLE blacklist ADD COLUMN only_here INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE blacklist_history ADD COLUMN only_here INTEGER NOT NULL DEFAULT 0;`);
}
