import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { utcText } from '../../contract/names.ts';
import type { BOOK_EVENTS } from '../book/events.ts';
import { type HandOrder, handOrderSchema } from '../desk/events.ts';
import { readUnprovenPast } from '../desk/slice.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { Witnessed } from '../slice.ts';
import { ABOUT_ORDERS_BY_HAND, LONGEST_LIFETIME_SECONDS, quoteLifetime } from './prove-open.ts';

/** An order is over for good when no chain's clock can be so late. */
const LOOK_BACK_SECONDS = 86_400;

interface Known {
  /** Orders that were signed by hand, which live far beyond the last rows, and may still live. */
  handOrders: HandOrder[];
  /** The longest that quotes were ever let live; 0 where there are no settings yet. */
  longestLifetimeSeconds: number;
}

interface FoundOrders {
  /** Orders signed by hand that the witness knows, and that the journal neither has nor says to be missing; null where there is no word of them. */
  missingByHand: HandOrder[] | null;
  /** The longest that a quote lives by the settings, and by what the witness knows of those before them; 0 where neither is there. */
  longestLifetimeSeconds: number;
}

/** What is known of signed orders outside the journal. */
export const WITNESSED_ORDERS = {
  known: {
    handOrders: z.array(handOrderSchema).optional(),
    longestLifetimeSeconds: z.int().min(0).max(LONGEST_LIFETIME_SECONDS).optional(),
  },
  matters: (db: Database) =>
    db.prepare('SELECT 1 FROM quotes WHERE order_hash IS NOT NULL LIMIT 1').pluck().get() === 1,
  compare: (db, said: Partial<Known>, now) => {
    const longestLifetimeSeconds = Math.max(quoteLifetime(db)() ?? 0, said.longestLifetimeSeconds ?? 0);
    const missing = (said.handOrders ?? []).filter((order) => mayLive(order, now) && !isInJournal(db, order));
    const told = new Set(readUnprovenPast(db).missingByHand().map(keyOf));
    const untold = missing.filter((order) => !told.has(keyOf(order)));
    const found: FoundOrders = {
      missingByHand: said.handOrders === undefined ? null : untold,
      longestLifetimeSeconds,
    };
    const known: Known = { handOrders: [...missing, ...ordersByHand(db, now)], longestLifetimeSeconds };
    return { doubts: untold.map(doubtOf), known, found };
  },
  after: {
    nft_order: (known: Known, body: unknown): Known => ({
      ...known,
      handOrders: [...known.handOrders, handOrderSchema.parse(body)],
    }),
    desk_configured: (known: Known, { desk }: z.infer<typeof BOOK_EVENTS.desk_configured>): Known =>
      withLifetimes(known, desk.chains),
    chain_set: (known: Known, { config }: z.infer<typeof BOOK_EVENTS.chain_set>): Known =>
      withLifetimes(known, [config]),
  },
} satisfies Witnessed;

/** With the longest lifetime that quotes of these chains have, where it is longer than any before. */
function withLifetimes(known: Known, chains: readonly { quoteLifetimeSeconds: number }[]): Known {
  const longest = Math.max(0, ...chains.map(({ quoteLifetimeSeconds }) => quoteLifetimeSeconds));
  return longest <= known.longestLifetimeSeconds ? known : { ...known, longestLifetimeSeconds: longest };
}

function mayLive({ expiry }: HandOrder, now: number): boolean {
  return (expiry + LOOK_BACK_SECONDS) * 1_000 > now;
}

function isInJournal(db: Database, { chainId, orderHash }: HandOrder): boolean {
  const row = db.prepare('SELECT 1 FROM quotes WHERE order_hash = ? AND chain_id = ?').get(bytesOf(orderHash), chainId);
  return row !== undefined;
}

function doubtOf({ chainId, orderHash, expiry }: HandOrder): string {
  return `The order ${orderHash} of chain ${chainId}, signed here by hand, is not in the journal and may be filled until ${utcText(expiry * 1_000)}.`;
}

/** Those of the journal that are not over. An order is not over by time before its time, whatever the table says. */
function ordersByHand(db: Database, now: number): HandOrder[] {
  return db
    .prepare<[number], HandOrder>(`
      SELECT q.chain_id AS chainId, '0x' || lower(hex(q.order_hash)) AS orderHash, q.expiry
      FROM main.journal j INDEXED BY journal_by_hand JOIN quotes q ON q.seq = j.seq
      WHERE j.kind = 'nft_order' AND j.${ABOUT_ORDERS_BY_HAND}
        AND (q.state IN ('live', 'part_filled') OR (q.state = 'expired' AND q.expiry > ?))`)
    .all(Math.floor(now / 1_000));
}

function keyOf({ chainId, orderHash }: HandOrder): string {
  return `${chainId} ${orderHash.toLowerCase()}`;
}
