import type { Database } from 'better-sqlite3';
import type { DeskError } from '../protocol/desk-error.ts';
import type { Head } from './head-file.ts';
import { journalFile, openForReading } from './open-database.ts';
import { type JournalRow, selectRows } from './rows.ts';
import type { WriteItem } from './write-item.ts';

/** What one commit wrote, in order: an item, and for an event the head of the journal with its row as the last. */
export type Written = { item: WriteItem; head: Head | null };

/** The journal as it is on the disk, for whoever writes it down elsewhere. */
export interface OwnRows {
  /** The last row that is durable here. */
  head(): Head;
  /** Rows from the first to the last sequence number given, in order. */
  rows(from: number, to: number): JournalRow[];
  /** What stands beside the rows now, as it is written there: what a desk that goes on from here could not know from the rows. */
  beside(): WriteItem[];
  /** Nothing may be written here any more. */
  failed(error: DeskError): void;
}

/** A second place for a journal: whoever waits for a row is answered once it is there as well. */
export interface Replica {
  /** Brings it level with the journal that was opened. Throws a DeskError where the two have another past; then the journal is not opened. */
  begin(own: OwnRows): Promise<void>;
  /** Resolves once what was written is there, or need not be. Rejects with a DeskError when nothing may be written here any more. */
  take(written: readonly Written[]): Promise<void>;
}

/** Reads a folder's journal on a connection of its own; `beside` reads there what stands beside the rows. */
export function readOwnRows(
  folder: string,
  beside: (db: Database) => OwnRows['beside'],
): Pick<OwnRows, 'rows' | 'beside'> & { close(): void } {
  const db = openForReading(journalFile(folder));
  const select = selectRows(db);
  return { rows: (from, to) => select.all(from, to), beside: beside(db), close: () => void db.close() };
}
