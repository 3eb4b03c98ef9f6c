import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isoTime } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { syncFolder } from './backup.ts';
import type { HandOrder } from './desk/events.ts';
import { readUnprovenPast, unprovenPasts } from './desk/slice.ts';
import { type Head, headFile, readHead } from './head-file.ts';
import { bytesOf } from './hex-bytes.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { journalFile, openForWriting } from './open-database.ts';
import { ABOUT_ORDERS_BY_HAND, quoteLifetime } from './quotes/prove-open.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { type JournalRow, selectRows } from './rows.ts';
import { journalFault } from './sqlite-fault.ts';
import { hearWitness } from './witness.ts';

export type OpenedFile = {
  db: Database;
  head: Head;
  doubts: string[];
  /** Orders signed by hand that the witness knows, and that the journal neither has nor says to be missing; null where there is no word of them. */
  missingByHand: HandOrder[] | null;
  /** Every order signed by hand that may still live. */
  handOrders: HandOrder[];
  /** The longest that a quote lives by the settings, and by what the witness knows of those before them; 0 where neither is there. */
  longestLifetimeSeconds: number;
};

/** An order is over for good when no chain's clock can be so late. */
const LOOK_BACK_SECONDS = 86_400;
/** A clock that was set back by less than this between two starts was only brought in line, milliseconds. */
const CLOCK_BACK_MS = 2_000;

/**
 * Opens the journal for writing: newest schema, and an end whose hashes hold. It does not walk the whole chain, which is
 * what verifying is for; it looks at the rows from the noted head on. The doubts say, in sentences, what speaks against
 * this being the whole past of the desk: an end that is not the noted one, a clock that went back, the witness in the
 * folder `witness`. `openedAt` is Unix milliseconds.
 */
export function openJournalFile(folder: string, openedAt: number, witness?: string): OpenedFile {
  const file = journalFile(folder);
  const isNew = !existsSync(file);
  const noted = readHead(headFile(folder));
  const db = openForWriting(file);
  try {
    const beforeWitnesses = schemaVersion(db) <= MIGRATIONS.indexOf(unprovenPasts);
    migrate(db, file, MIGRATIONS);
    if (isNew) syncFolder(folder);
    const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
    const head = checkedEnd(db, noted, last);
    const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
    const doubts = headDoubts(noted, last, (seq) => hashOf.get(seq) ?? null);
    const lastTime = db.prepare<[number], number>('SELECT time FROM journal WHERE seq = ?').pluck().get(last) ?? 0;
    if (lastTime > openedAt + CLOCK_BACK_MS) {
      doubts.push(
        `This machine's clock was set back: it is ${isoTime(openedAt)}, and the last row is of ${isoTime(lastTime)}.`,
      );
    }
    let known: HandOrder[] | null = null;
    let longestLifetimeSeconds = quoteLifetime(db)() ?? 0;
    if (witness !== undefined) {
      const signed = db.prepare('SELECT 1 FROM quotes WHERE order_hash IS NOT NULL LIMIT 1').pluck();
      const said = hearWitness(witness, folder, {
        last,
        hashOf: (seq: number) => hashOf.get(seq) ?? null,
        hasSigned: () => signed.get() === 1,
        beforeWitnesses,
      });
      doubts.push(...said.doubts);
      known = said.handOrders;
      longestLifetimeSeconds = Math.max(longestLifetimeSeconds, said.longestLifetimeSeconds);
    }
    const live = (known ?? []).filter(({ expiry }) => (expiry + LOOK_BACK_SECONDS) * 1_000 > openedAt);
    const ofHash = db.prepare('SELECT 1 FROM quotes WHERE order_hash = ? AND chain_id = ?').pluck();
    const missing = live.filter(({ chainId, orderHash }) => ofHash.get(bytesOf(orderHash), chainId) === undefined);
    const told = new Set(readUnprovenPast(db).missingByHand().map(keyOf));
    const untold = missing.filter((order) => !told.has(keyOf(order)));
    for (const { chainId, orderHash, expiry } of untold) {
      doubts.push(
        `The order ${orderHash} of chain ${chainId}, signed here by hand, is not in the journal and may be filled until ${isoTime(expiry * 1_000)}.`,
      );
    }
    // An order is not over by time before its time, whatever the table says.
    const own = db
      .prepare<[number], HandOrder>(`
        SELECT q.chain_id AS chainId, '0x' || lower(hex(q.order_hash)) AS orderHash, q.expiry
        FROM journal j INDEXED BY journal_by_hand JOIN quotes q ON q.seq = j.seq
        WHERE j.kind = 'nft_order' AND j.${ABOUT_ORDERS_BY_HAND}
          AND (q.state IN ('live', 'part_filled') OR (q.state = 'expired' AND q.expiry > ?))`)
      .all(Math.floor(openedAt / 1_000));
    return {
      db,
      head,
      doubts,
      missingByHand: known === null ? null : untold,
      handOrders: [...missing, ...own],
      longestLifetimeSeconds,
    };
  } catch (error) {
    db.close();
    throw journalFault(error);
  }
}

/** The last row, once it and those since the noted head hold together. */
function checkedEnd(db: Database, noted: Head | null, last: number): Head {
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

function headDoubts(noted: Head | null, last: number, hashOf: (seq: number) => string | null): string[] {
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
    remedy: 'Keep the file as it is, find the first bad row with "makerdesk verify", and restore a backup.',
  });
}

function keyOf({ chainId, orderHash }: HandOrder): string {
  return `${chainId} ${orderHash.toLowerCase()}`;
}
