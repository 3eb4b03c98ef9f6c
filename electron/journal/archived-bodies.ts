import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { isoTime } from '../contract/names.ts';
import { ArchiveFile } from './archive-file.ts';
import { type Archive, archiveFolder, archivesIn, isWhole } from './archives.ts';

/** Blocks that are kept unpacked: the rows of a page are mostly in the same few. */
const MOST_BLOCKS = 16;

/** How a sentence begins that stands where a body ought to be. No body does: each is an object of JSON. */
const FAULT = 'The archive ';

/**
 * Has every statement of a connection see rows whose bodies are in an archive as if they were whole: what it calls `journal` is from
 * now on the table with the bodies from there in it. Where a body cannot be read, a sentence that names the file stands in its
 * place, which is no JSON. Of several `folders` an archive is read from the first that has it whole, or else from the first. Whoever writes to the table, or names one of its indexes, calls it `main.journal`.
 */
export function withArchives(db: Database, folders: Folders = [archiveFolder(db.name)]): Database {
  const bodies = new ArchivedBodies(db.name, folders);
  db.function('archived_body', { deterministic: true }, (seq) => bodies.bodyOf(Number(seq)));
  db.exec(`
    CREATE TEMP VIEW IF NOT EXISTS journal AS
    SELECT seq, time, actor, kind, CASE body WHEN '' THEN archived_body(seq) ELSE body END AS body, previous, hash
    FROM main.journal`);
  return db;
}

/** SQL for whether such a sentence stands in place of a `body`. */
export const UNREAD_BODY = `substr(body, 1, ${FAULT.length}) = '${FAULT}'`;

/** Why a body cannot be read from its archive, in the sentence that stands in its place; null where it is a body. */
export function archiveFault(body: string): string | null {
  return body.startsWith(FAULT) ? body : null;
}

/** What the text of a body holds. Throws where it is no JSON, naming the archive that it cannot be read from. */
export function parsedBody<Body>(text: string): Body {
  const fault = archiveFault(text);
  if (fault !== null) throw new Error(fault);
  return JSON.parse(text);
}

/** Where archives are looked for, in this order. */
type Folders = readonly [first: string, ...others: string[]];

/** The bodies that are not in the journal any more, by the rows that they belong to. */
class ArchivedBodies {
  readonly #journal: string;
  readonly #folders: Folders;
  readonly #paths = new Map<string, string>();
  readonly #files = new Map<string, ArchiveFile>();
  /** The last one used stands last. */
  readonly #blocks = new Set<Map<number, string>>();
  #archives: Archive[] = [];

  constructor(journal: string, folders: Folders) {
    this.#journal = journal;
    this.#folders = folders;
  }

  bodyOf(seq: number): string {
    for (const block of this.#blocks) {
      const body = block.get(seq);
      if (body !== undefined) return body;
    }
    const archive = this.#archiveOf(seq);
    if (archive === undefined) return `${FAULT}that has row ${seq} is not known to this journal.`;
    try {
      const block = this.#fileOf(archive).bodiesAround(seq);
      this.#blocks.add(block);
      const [oldest] = this.#blocks;
      if (this.#blocks.size > MOST_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
      return block.get(seq) ?? faultOf(archive, `has no row ${seq}`);
    } catch (error) {
      this.#files.delete(archive.file);
      const isThere = existsSync(this.#pathOf(archive));
      return faultOf(archive, isThere ? `was changed: ${(error as Error).message.slice(0, 100)}` : 'is missing');
    }
  }

  #fileOf(archive: Archive): ArchiveFile {
    const file = this.#files.get(archive.file) ?? new ArchiveFile(this.#pathOf(archive), archive.bytes);
    this.#files.set(archive.file, file);
    return file;
  }

  #pathOf(archive: Archive): string {
    const known = this.#paths.get(archive.file);
    if (known !== undefined) return known;
    const [first, ...others] = this.#folders;
    const whole = others.length === 0 ? first : this.#folders.find((folder) => isWhole(archive, folder));
    const path = join(whole ?? first, archive.file);
    this.#paths.set(archive.file, path);
    return path;
  }

  #archiveOf(seq: number): Archive | undefined {
    const known = this.#archives.find(({ first, last }) => first <= seq && seq <= last);
    if (known !== undefined) return known;
    // SQLite answers nothing else on the connection that asks, and a transaction there may be older than the archive.
    const db = new Sqlite(this.#journal, { readonly: true, timeout: 5_000 });
    try {
      this.#archives = archivesIn(db);
    } finally {
      db.close();
    }
    return this.#archives.find(({ first, last }) => first <= seq && seq <= last);
  }
}

function faultOf({ file, first, last, firstAt, lastAt }: Archive, what: string): string {
  return `${FAULT}${file} (rows ${first} to ${last}, of ${isoTime(firstAt)} to ${isoTime(lastAt)}) ${what}.`;
}
