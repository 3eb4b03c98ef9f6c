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

/** Room that has to stay free on the disk while an archive is written: the desk that writes quotes there comes first. */
const ROOM_KEPT = 16 * 1024 * 1024;

/**
 * Writes the bodies of the next stretch of rows from before a time into an archive, and changes nothing of the journal. Gives null
 * where there is nothing to archive. Throws DeskError `archive_failed` where it cannot be written, `journal_broken` where a row is
 * not as it was written. `before` is Unix milliseconds.
 */
export function sealRows(db: Database, slices: readonly Slice[], before: number): Archive | null {
  const first = (archivesIn(db).at(-1)?.last ?? 0) + 1;
  const end = lastBefore(db, first, before);
  const conditions = slices.flatMap(({ archived = [] }) => archived).map((condition) => `(${condition})`);
  if (end < first || conditions.length === 0) return null;
  const rows = db.prepare<[number, number], JournalRow>(`
    SELECT j.seq, j.time, j.actor, j.kind, j.body, lower(hex(j.previous)) AS previous, lower(hex(j.hash)) AS hash
    FROM main.journal j WHERE j.seq BETWEEN ? AND ? AND j.body <> '' AND (${conditions.join(' OR ')})
    ORDER BY j.seq LIMIT ${MOST_ROWS}`);
  return written(() => {
    const folder = archiveFolder(db.name);
    // What a run left that was killed; there is one at a time on a folder.
    for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      if (entry.isFile() && entry.name.endsWith('.part')) rmSync(join(folder, entry.name), { force: true });
    }
    const file = new ArchiveWriter(folder);
    try {
      let [bytes, firstAt, lastAt, last] = [0, 0, 0, 0];
      for (const row of rows.iterate(first, end)) {
        if (rowHash(row) !== row.hash) throw changed(row.seq);
        if (file.rows % ROWS_PER_MARK === 0) needRoom(folder, bytes);
        file.add(row.seq, row.body);
        bytes += row.body.length;
        firstAt ||= row.time;
        [lastAt, last] = [row.time, row.seq];
      }
      if (file.rows === 0) return null;
      if (file.rows < MOST_ROWS) last = end;
      return { first, last, rows: file.rows, firstAt, lastAt, ...file.finish(first, last) };
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

/** The last row of those that may be archived: older than `before`, and no part of the end. */
function lastBefore(db: Database, first: number, before: number): number {
  const newest = db
    .prepare<[], { seq: number; time: number }>('SELECT seq, time FROM main.journal ORDER BY seq DESC LIMIT 1')
    .get();
  if (newest === undefined) return 0;
  const block = db
    .prepare<[number, number], number>(
      'SELECT block FROM time_marks WHERE latest >= ? AND block >= ? ORDER BY block LIMIT 1',
    )
    .pluck();
  const later = db
    .prepare<[number, number], number>('SELECT seq FROM main.journal WHERE seq >= ? AND time >= ? ORDER BY seq LIMIT 1')
    .pluck();
  const rowsUntil = (time: number) => {
    const from = (block.get(time, Math.floor(first / ROWS_PER_MARK)) ?? 0) * ROWS_PER_MARK;
    return (later.get(Math.max(first, from), time) ?? newest.seq + 1) - 1;
  };
  return Math.min(rowsUntil(before), rowsUntil(newest.time - KEPT_MS) - ROWS_KEPT);
}

function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < ROOM_KEPT + bytes) throw new Error('there is too little room on the disk');
}

function changed(seq: number): DeskError {
  return new DeskError('journal_broken', `Row ${seq} of the journal was changed, and is not archived.`, {
    remedy: 'Find out what happened with "makerdesk verify", and restore a backup.',
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
