import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';
import { ArchiveFile, ArchiveWriter } from './archive-file.ts';
import { type Archive, archiveFolder, archivesIn, digestOf } from './archives.ts';
import { rowHash } from './row-hash.ts';
import type { JournalRow } from './rows.ts';
import type { Slice } from './slice.ts';
import { ROWS_PER_MARK } from './time-marks.ts';

/** Rows of one archive, so that none is a matter of minutes. */
const MOST_ROWS = 50_000;

/** What is younger than this by the newest row stays in the journal, milliseconds, and so many rows before: a start looks through them. */
const KEPT_MS = 86_400_000;
const ROWS_KEPT = 2_048;

/** Rows that look younger hold up none behind them once so many old ones follow for each: the clock was ahead when they were written. */
const OLD_FOR_A_YOUNG = 10;

/** An archive, and how many rows between its own stay in the journal, for by their time they are too young. */
export type ArchivedRows = Archive & { ahead: number };

/** Room that has to stay free on the disk while an archive is written: the desk that writes quotes there comes first. */
const ROOM_KEPT = 16 * 1024 * 1024;

/**
 * Writes the bodies of the next stretch of rows from before a time into an archive, and changes nothing of the journal. Gives null
 * where there is nothing to archive. Throws DeskError `archive_failed` where it cannot be written, `journal_broken` where a row is
 * not as it was written. `before` is Unix milliseconds.
 */
export function archiveRows(db: Database, slices: readonly Slice[], before: number): ArchivedRows | null {
  const first = (archivesIn(db).at(-1)?.last ?? 0) + 1;
  const { end, until } = lastBefore(db, first, before);
  const conditions = slices.flatMap(({ archived = [] }) => archived).map((condition) => `(${condition})`);
  if (end < first || conditions.length === 0) return null;
  const among = `FROM main.journal j WHERE j.seq BETWEEN ? AND ? AND j.body <> '' AND (${conditions.join(' OR ')})`;
  const rows = db.prepare<[number, number, number], JournalRow>(`
    SELECT j.seq, j.time, j.actor, j.kind, j.body, lower(hex(j.previous)) AS previous, lower(hex(j.hash)) AS hash
    ${among} AND j.time < ? ORDER BY j.seq LIMIT ${MOST_ROWS}`);
  const young = db.prepare<[number, number, number], number>(`SELECT count(*) ${among} AND j.time >= ?`).pluck();
  return written(() => {
    const folder = archiveFolder(db.name);
    // What a run left that was killed; there is one at a time on a folder.
    for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      if (entry.isFile() && entry.name.endsWith('.part')) rmSync(join(folder, entry.name), { force: true });
    }
    const file = new ArchiveWriter(folder);
    try {
      let [bytes, firstAt, lastAt, last] = [0, 0, 0, 0];
      for (const row of rows.iterate(first, end, until)) {
        if (rowHash(row) !== row.hash) throw changed(row.seq);
        if (file.rows % ROWS_PER_MARK === 0) needRoom(folder, bytes);
        file.add(row.seq, row.body);
        bytes += row.body.length;
        firstAt ||= row.time;
        [lastAt, last] = [row.time, row.seq];
      }
      if (file.rows === 0) return null;
      if (file.rows < MOST_ROWS) last = end;
      const ahead = young.get(first, last, until) ?? 0;
      return { first, last, rows: file.rows, firstAt, lastAt, ahead, ...file.finish(first, last) };
    } finally {
      file.discard();
    }
  });
}

/** The rows of an archive whose bodies stand in the journal still, once the file is proven to have each as it stands there. */
export function rowsLeft(db: Database, archive: Archive): number[] {
  const body = db.prepare<[number], string>('SELECT body FROM main.journal WHERE seq = ?').pluck();
  return written(() => {
    const path = join(archiveFolder(db.name), archive.file);
    // Lost: what still stands in the journal stays there.
    if (!existsSync(path)) return [];
    if (!statSync(path).isFile() || digestOf(path) !== archive.digest)
      throw new Error('the file is not the one that was written');
    const left: number[] = [];
    for (const [seq, archived] of new ArchiveFile(path, archive.bytes).rows()) {
      const stands = body.get(seq);
      if (stands === '') continue;
      if (stands !== archived) throw new Error(`row ${seq} is another one in the file`);
      left.push(seq);
    }
    return left;
  });
}

/** The last row of those that may be archived, for it is no part of the end, and the time that each of them is older than. */
function lastBefore(db: Database, first: number, before: number): { end: number; until: number } {
  const newest = db
    .prepare<[], { seq: number; time: number }>('SELECT seq, time FROM main.journal ORDER BY seq DESC LIMIT 1')
    .get();
  if (newest === undefined) return { end: 0, until: 0 };
  const kept = newest.time - KEPT_MS;
  const old = oldRows(db, first, newest.seq);
  return { end: Math.min(old(before), old(kept) - ROWS_KEPT), until: Math.min(before, kept) };
}

/**
 * The last row up to which all are older than a time, from `first` on, but for some that were written while the clock was ahead: old
 * ones follow on those, many for each. A few old ones behind many young ones are the other way round, from a clock that was behind.
 */
function oldRows(db: Database, first: number, newest: number): (time: number) => number {
  const marks = db.prepare<[number], { block: number; earliest: number; latest: number }>(
    'SELECT block, earliest, latest FROM time_marks WHERE block >= ? ORDER BY block',
  );
  const times = db
    .prepare<[number, number], number>('SELECT time FROM main.journal WHERE seq BETWEEN ? AND ? ORDER BY seq')
    .pluck();
  return (time) => {
    let end = first - 1;
    /** Old rows that are still to come before those behind `end` are taken along. */
    let owed = 0;
    const take = (isOld: boolean, to: number, rows: number) => {
      owed = isOld ? Math.max(0, owed - rows) : owed + rows * OLD_FOR_A_YOUNG;
      if (owed === 0) end = to;
    };
    for (const { block, earliest, latest } of marks.iterate(Math.floor(first / ROWS_PER_MARK))) {
      const from = Math.max(first, block * ROWS_PER_MARK);
      const to = Math.min(newest, (block + 1) * ROWS_PER_MARK - 1);
      if (latest < time || earliest >= time) take(latest < time, to, to - from + 1);
      else for (const [index, at] of times.all(from, to).entries()) take(at < time, from + index, 1);
    }
    return end;
  };
}

function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < ROOM_KEPT + bytes) throw new Error('there is too little room on the disk');
}

function changed(seq: number): DeskError {
  return new DeskError('journal_broken', `Row ${seq} of the journal was changed, and is not archived.`, {
    remedy: 'Find out what happened with "makerdesk verify", and put a backup back.',
  });
}

function written<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DeskError('archive_failed', `Nothing more was archived: ${why}.`, {
      remedy:
        'The journal is whole as it is. Check that the disk of the desk has room and its folder may be written, then archive again.',
      cause,
    });
  }
}
