import type { Database } from 'better-sqlite3';
import { isoTime } from '../contract/names.ts';
import { type Seal, sealSchema } from '../contract/seal.ts';
import { journalFile, openForReading } from '../journal/open-database.ts';
import { readSeals } from '../journal/seals/slice.ts';
import { journalFault } from '../journal/sqlite-fault.ts';
import { rowAtTime } from '../journal/time-marks.ts';
import type { Address } from '../protocol/address.ts';
import { sealHash } from '../signer/seal-hash.ts';
import { signedBy } from '../signer/signer.ts';

/** What the seals of a journal say of it. */
export interface SealsVerified {
  /** How many the journal has. */
  count: number;
  newest: Seal | null;
  /** Whose keys they are of, in the order of their first seals. */
  signers: Address[];
  /** UTC days on which rows were written and no seal was made, since the first one and before the day of the last row. */
  missing: string[];
  /** How many were kept elsewhere and compared. */
  kept: number;
  /** What the first wrong one says against the journal, in a sentence; null where each of them holds. */
  fault: string | null;
}

const DAY_MS = 86_400_000;
/** Of a clock that was decades off nobody wants to read every day. */
const MOST_DAYS = 3_660;

/**
 * Checks every seal of the journal of a folder, and those that were `kept` elsewhere: that the row which it names is still the one that
 * was signed, and that its signature is that of a signer of the desk at that time. Needs no key, no node and no desk. That
 * the rows before such a row are as they were is what `verifyJournal` proves.
 */
export function verifySeals(folder: string, kept: readonly Seal[] = []): SealsVerified {
  const none: SealsVerified = { count: 0, newest: null, signers: [], missing: [], kept: kept.length, fault: null };
  let db: Database | undefined;
  try {
    db = openForReading(journalFile(folder));
    return verified(db, kept);
  } catch (error) {
    return { ...none, fault: journalFault(error).message };
  } finally {
    db?.close();
  }
}

function verified(db: Database, kept: readonly Seal[]): SealsVerified {
  const faultOf = sealChecker(db);
  const seals: Seal[] = [];
  let fault: string | null = null;
  for (const { seq, body } of readSeals(db).storedSeals()) {
    const seal = sealIn(body);
    if (seal !== null) seals.push(seal);
    const wrong = seal === null || seal.row >= seq ? 'it is no seal of a row before it.' : faultOf(seal);
    if (wrong !== null) fault ??= `The seal in row ${seq} does not hold: ${wrong}`;
  }
  for (const seal of kept) {
    const wrong = faultOf(seal);
    if (wrong !== null) fault ??= `The seal of ${isoTime(seal.time)} that was kept does not hold: ${wrong}`;
  }
  return {
    count: seals.length,
    newest: seals.at(-1) ?? null,
    signers: [...new Set(seals.map(({ signer }) => signer))],
    missing: missingDays(db, seals),
    kept: kept.length,
    fault,
  };
}

function sealIn(body: string): Seal | null {
  try {
    return sealSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** What speaks against a seal, in a sentence that goes on after a colon; null where it holds. */
function sealChecker(db: Database): (seal: Seal) => string | null {
  const seals = readSeals(db);
  const desk = seals.deskId();
  const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM main.journal WHERE seq = ?').pluck();
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM main.journal').pluck().get() ?? 0;
  return (seal) => {
    const { row, hash, time, signer, signature } = seal;
    const there = hashOf.get(row);
    if (signedBy(sealHash(seal), signature) !== signer) return `its signature is not that of ${signer}.`;
    if (there === undefined) return `it names row ${row}, and the journal ends at row ${last}.`;
    if (seal.desk !== desk) return 'it is of another desk, or this journal was written anew from its first row on.';
    if (`0x${there}` !== hash) {
      return `row ${row} is not the one that ${signer} sealed at ${isoTime(time)}, so this row or one before it was changed since.`;
    }
    if (!seals.signersAfter(row).includes(signer))
      return `${signer} was not the signer of any chain of this desk then.`;
    return null;
  };
}

/** Days between seals with rows of their own. */
function missingDays(db: Database, seals: readonly Seal[]): string[] {
  const rowAt = rowAtTime(db);
  const last = db.prepare<[], number>('SELECT time FROM main.journal ORDER BY seq DESC LIMIT 1').pluck().get() ?? 0;
  const sealed = new Set(seals.map(({ time }) => dayOf(time)));
  const first = Math.min(...sealed);
  const missing: string[] = [];
  for (let day = first + 1; day < dayOf(last) && day < first + MOST_DAYS; day += 1) {
    const hasRows = rowAt((day + 1) * DAY_MS - 1) !== rowAt(day * DAY_MS - 1);
    if (hasRows && !sealed.has(day)) missing.push(isoTime(day * DAY_MS).slice(0, 10));
  }
  return missing;
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
