import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import type { Head } from './head-file.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { type JournalRow, selectRows } from './rows.ts';

/** The last row of a journal, and the hash of any; null where there is none. */
export interface EndOfJournal {
  last: number;
  hashOf: (seq: number) => string | null;
}

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

/** What a journal is by a head of it that was noted outside: whole up to there, cut off before it, or another one. */
export function endBy({ seq, hash }: Head, { last, hashOf }: EndOfJournal): 'whole' | 'cut' | 'other' {
  if (seq > last) return 'cut';
  return (seq === 0 ? GENESIS_HASH : hashOf(seq)) === hash ? 'whole' : 'other';
}

/**
 * Why rows may be cut off the end of a journal, or it is another one, by what journal.head says; null where it says nothing of that.
 * `firstBad`: the first row that is not as it was written; null where that is not known.
 */
export function endFault(
  noted: Head | null,
  journal: EndOfJournal,
): { firstBad: number | null; detail: string } | null {
  const { last } = journal;
  if (noted === null) {
    const detail = 'journal.head is missing or cannot be read, so rows may be cut off the journal.';
    return last === 0 ? null : { firstBad: null, detail };
  }
  const { seq } = noted;
  const end = endBy(noted, journal);
  if (end === 'whole') return null;
  if (end === 'cut') {
    const detail = `The journal ends at row ${last}, but row ${seq} was written: its end is missing.`;
    return { firstBad: last + 1, detail };
  }
  return {
    firstBad: seq,
    detail: `Row ${seq} of the journal is not the one that was written: this is another journal.`,
  };
}

function badRow(seq: number): DeskError {
  return new DeskError('journal_broken', `The journal was changed at row ${seq}: the hash chain does not hold.`, {
    remedy: 'Keep the file as it is, find the first bad row with "makerdesk verify", and put a backup back.',
  });
}
