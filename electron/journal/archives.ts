import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { timeSchema } from '../contract/names.ts';

/** A stretch of the journal whose rows have their bodies in a file, as an event says it. */
export const archiveSchema = z.object({
  /** The file's name in the folder of archives. */
  file: z.string().max(200),
  /** Its rows are among these, both inclusive; those between that are not in it are in the journal still. */
  first: z.int().positive(),
  last: z.int().positive(),
  rows: z.int().positive(),
  bytes: z.int().positive(),
  /** SHA-256 of the file. */
  digest: z.string(),
  /** The times of its first row and its last, Unix milliseconds. */
  firstAt: timeSchema,
  lastAt: timeSchema,
});
export type Archive = z.infer<typeof archiveSchema>;

const COLUMNS = 'file, first, last, rows, bytes, digest, first_at AS firstAt, last_at AS lastAt';

/** Where the archives of a journal lie: beside it, as those of a backup lie beside the backup. */
export function archiveFolder(journal: string): string {
  return join(dirname(journal), 'archive');
}

/** Whether a folder has an archive, as long as it was written. */
function isInPlace({ file, bytes }: Archive, folder: string): boolean {
  return statSync(join(folder, file), { throwIfNoEntry: false })?.size === bytes;
}

/**
 * Those of the archives that a journal names without which some of its rows have no body. A journal that followed another one has all
 * bodies itself, also of rows that were archived there: it never had those files, and needs none of them.
 */
export function archivesNeeded(db: Database): Archive[] {
  // Bodies leave the journal in the order of the rows: where the first has not left, none has.
  const hasLeft = db.prepare<[number, number, number], 1>(
    "SELECT 1 FROM main.journal WHERE seq BETWEEN ? AND ? AND time = ? AND body = '' LIMIT 1",
  );
  return archivesIn(db).filter(({ first, last, firstAt }) => hasLeft.get(first, last, firstAt) !== undefined);
}

/** Those of them that are not in their place, by the names of their files. */
export function missingArchives(db: Database): string[] {
  const missing = archivesNeeded(db).filter((archive) => !isInPlace(archive, archiveFolder(db.name)));
  return missing.map(({ file }) => file);
}

/** The digest of a file as it is now, in hex. */
export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Whether a folder has an archive as it was written, byte by byte; one that cannot be read is not whole. */
export function isWhole(archive: Archive, folder: string): boolean {
  try {
    return isInPlace(archive, folder) && digestOf(join(folder, archive.file)) === archive.digest;
  } catch {
    return false;
  }
}

/** Every archive that a journal names, in the order of its rows. */
export function archivesIn(db: Database): Archive[] {
  const isThere = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'archives'").get();
  if (isThere === undefined) return []; // a journal of before there were any
  const rows = db.prepare<[], Archive>(`SELECT ${COLUMNS} FROM archives ORDER BY first`).all();
  // Nothing that a changed table names leads out of the folder.
  return rows.map((row) => ({ ...row, file: basename(row.file) }));
}
