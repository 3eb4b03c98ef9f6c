import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import type { Head } from './head-file.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { type JournalRow, selectRows } from './rows.ts';

/** The last row, once it and those since the noted head hold together. */
export function checkedEnd(db: Database, noted: Head | null, last: number): Head {
  if (last === 0) return { seq: 0, hash: GENESIS_HASH };
  const from = noted === null ? last : Math.min(Math.max(noted.seq, 1), last);
  let before: JournalRow | null = null;
  for (const row of selectRows(db).iterate(from, last)) {
    const expected = before === null ? row.previous : before.hash;
    if (row.previous !== expected || rowHash(row) !== row.hash) throw badRow(row.seq);
    before = row;
  }
  if (before === null) throw badRow(last);
  return { seq: before.seq, hash: before.hash };
}

/** Why rows may be cut off the end of a journal, or it is another one, by the head that was noted outside of it; sentences. */
export function headDoubts(noted: Head | null, last: number, hashOf: (seq: number) => string | null): string[] {
  if (noted === null) {
    return last === 0 ? [] : ['journal.head is missing or cannot be read, so rows may be cut off the journal.'];
  }
  if (noted.seq > last)
    return [`The journal ends at row ${last}, but row ${noted.seq} was written: its end is missing.`];
  if (noted.seq === 0 || hashOf(noted.seq) === noted.hash) return [];
  return [`Row ${noted.seq} of the journal is not the one that was written: this is another journal.`];
}

function badRow(seq: number): DeskError {
  return new DeskError('journal_broken', `The journal was changed at row ${seq}: the hash chain does not hold.`, {
    remedy: 'Keep the file as it is, find the first bad row with "makerdesk verify", and put a backup back.',
  });
}
