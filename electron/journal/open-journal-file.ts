import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { utcText } from '../contract/names.ts';
import { withArchives } from './archived-bodies.ts';
import { syncFolder } from './backup.ts';
import { checkedEnd, type EndOfJournal, endFault } from './check-end.ts';
import { type Head, headFile, readHead } from './head-file.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { migrationsOf, WITNESSED_SINCE } from './migrations.ts';
import { journalFile, openForWriting } from './open-database.ts';
import type { Slice } from './slice.ts';
import { journalFault } from './sqlite-fault.ts';
import { hearWitness } from './witness.ts';

export type OpenedFile = {
  db: Database;
  head: Head;
  doubts: string[];
  /** What the slices have the witness know from now on, by key. */
  known: object;
  /** What the slices say that the desk has to know of its past, by key. */
  found: object;
};

/** A clock that was set back by less than this between two starts was only brought in line, milliseconds. */
const CLOCK_BACK_MS = 2_000;

/**
 * Opens the journal for writing: newest schema, and an end whose hashes hold. It does not walk the whole chain, which is
 * what verifying is for; it looks at the rows from the noted head on. The doubts say, in sentences, what speaks against
 * this being the whole past of the desk: an end that is not the noted one, a clock that went back, the witness in the
 * folder `witness`. `openedAt` is Unix milliseconds.
 */
export function openJournalFile(
  folder: string,
  openedAt: number,
  slices: readonly Slice[],
  witness?: string,
): OpenedFile {
  const file = journalFile(folder);
  const isNew = !existsSync(file);
  const noted = readHead(headFile(folder));
  const db = openForWriting(file);
  try {
    const beforeWitnesses = schemaVersion(db) < WITNESSED_SINCE;
    migrate(db, file, migrationsOf(slices));
    withArchives(db);
    if (isNew) syncFolder(folder);
    const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
    const head = checkedEnd(db, noted, last);
    const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
    const end: EndOfJournal = { last, hashOf: (seq) => hashOf.get(seq) ?? null };
    const fault = endFault(noted, end);
    const doubts = fault === null ? [] : [fault.detail];
    const lastTime = db.prepare<[number], number>('SELECT time FROM journal WHERE seq = ?').pluck().get(last) ?? 0;
    if (lastTime > openedAt + CLOCK_BACK_MS) {
      doubts.push(
        `This machine’s clock was set back: it is ${utcText(openedAt)}, and the last row is of ${utcText(lastTime)}.`,
      );
    }
    const parts = slices.flatMap(({ witnessed }) => witnessed ?? []);
    let said: object = {};
    if (witness !== undefined) {
      const heard = hearWitness(witness, folder, {
        ...end,
        matters: () => parts.some(({ matters }) => matters(db)),
        beforeWitnesses,
        known: Object.assign({}, ...parts.map(({ known }) => known)),
      });
      doubts.push(...heard.doubts);
      said = heard.known;
    }
    // Each slice looks for its own keys in what was said.
    const compared = parts.map(({ compare }) => compare(db, said as never, openedAt));
    doubts.push(...compared.flatMap((part) => part.doubts));
    const known = Object.assign({}, ...compared.map((part) => part.known));
    return { db, head, doubts, known, found: Object.assign({}, ...compared.map((part) => part.found)) };
  } catch (error) {
    db.close();
    throw journalFault(error);
  }
}
