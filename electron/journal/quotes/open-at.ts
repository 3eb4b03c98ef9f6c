import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { parsedBody } from '../archived-bodies.ts';
import { FILL_EVENTS } from '../fills/events.ts';
import { bytesOf } from '../hex-bytes.ts';
import { QUOTE_EVENTS, type QuoteBody } from './events.ts';
import { foldOrder, OPEN_STATES, type OpenQuote, type OrderFate, orderState, UNTOUCHED } from './fold.ts';
import { BESIDE_QUOTES } from './other-events.ts';

type Row = { seq: number; body: string };
type Signed = { seq: number; time: number; chainId: number; expiry: number };
type Event = { seq: number; amount: string | null };

/** A signed order that was open, whose row cannot be read: what it could still take is not known. */
export interface UnreadOrder {
  readonly seq: number;
  readonly why: string;
}

/** Every signed order that had no end after a row of the journal. */
export interface OpenAt {
  readonly orders: OpenQuote[];
  readonly unread: UnreadOrder[];
  /** Rows that tell of the ends of orders and cannot be read: what they ended may still be among the open ones. */
  readonly unreadEndings: ReadonlySet<number>;
  /** False where so much was signed before that not all of it was looked at: older orders may be missing. */
  readonly whole: boolean;
}

/** Rows that tell of the ends of orders, and signed orders, that are looked back through at most. */
const MOST_ENDINGS = 200_000;
const MOST_SIGNED = 500_000;
const SIGNED_AT_ONCE = 5_000;
/** So many fills and cancels that were taken back are looked at, newest first, and for the end of each so many endings after it. */
const MOST_TAKEN_BACK = 1_000;
const MOST_ENDINGS_AFTER = 2_000;
/** After so many endings of each chain none of them names a later expiry than those that were seen. */
const ENDINGS_OF_A_CHAIN = 32;

/**
 * What was signed and still open after a row of the journal. The desk ends all orders of a chain at once that were over by a
 * moment, so the latest expiry that it had named by then says what else was over, however long a node was silent. Orders that
 * end later are looked at one by one. `longest`: how long a firm quote lived at most by the settings until then, seconds.
 */
export function openOrdersAt(db: Database) {
  const { index, condition } = BESIDE_QUOTES;
  const rows = (order: 'ASC' | 'DESC') =>
    db.prepare<[kind: string, from: number, to: number], Row>(`
      SELECT b.seq, j.body FROM main.journal b INDEXED BY ${index} JOIN main.journal j ON j.seq = b.seq
      WHERE b.kind = ? AND b.${condition} AND b.seq BETWEEN ? AND ? ORDER BY b.seq ${order}`);
  const [oldest, newest] = [rows('ASC'), rows('DESC')];
  const expiryOf = db.prepare<[number], number | null>('SELECT expiry FROM quotes WHERE seq = ?').pluck();
  const signed = db.prepare<[number, number], Signed>(`
    SELECT seq, time, chain_id AS chainId, expiry FROM quotes
    WHERE seq <= ? AND order_hash IS NOT NULL ORDER BY seq DESC LIMIT ?`);
  const byHand = db.prepare<[number], Signed>(`
    SELECT q.seq, q.time, q.chain_id AS chainId, q.expiry FROM main.journal j INDEXED BY ${index}
    JOIN quotes q ON q.seq = j.seq WHERE j.kind = 'nft_order' AND j.${condition} AND j.seq <= ?`);
  const byHash = db.prepare<[Buffer, number], Signed>(
    'SELECT seq, time, chain_id AS chainId, expiry FROM quotes WHERE order_hash = ? AND chain_id = ?',
  );
  const fills = db.prepare<[number, number], Event>(
    'SELECT seq, maker_amount AS amount FROM fills WHERE quote_seq = ? AND seq <= ?',
  );
  const cancels = db.prepare<[number, number], Event>(
    'SELECT seq, NULL AS amount FROM cancels WHERE quote_seq = ? AND seq <= ?',
  );
  const rowOf = db.prepare<[number], Row>('SELECT seq, body FROM journal WHERE seq = ?');

  let unreadEndings = new Set<number>();
  /** A row that cannot be read ends nothing, and is named. */
  const read = <Schema extends z.ZodType>(schema: Schema, { seq, body }: Row): z.output<Schema> | null => {
    try {
      return schema.parse(JSON.parse(body));
    } catch {
      unreadEndings.add(seq);
      return null;
    }
  };

  /** Up to which expiry everything of a chain was over after a row. */
  function* overUpTo(seq: number, chains: ReadonlySet<number>): Generator<number, Map<number, number>> {
    const over = new Map<number, number>();
    const left = new Map([...chains].map((chainId) => [chainId, ENDINGS_OF_A_CHAIN]));
    let looked = 0;
    for (const row of newest.iterate('quotes_expired', 1, seq)) {
      looked += 1;
      if (looked % 1_000 === 0) yield looked;
      if (looked > MOST_ENDINGS || left.size === 0) break;
      const said = read(QUOTE_EVENTS.quotes_expired, row);
      const rest = said === null ? undefined : left.get(said.chainId);
      if (said === null || rest === undefined) continue;
      if (rest === 1) left.delete(said.chainId);
      else left.set(said.chainId, rest - 1);
      for (const quoteSeq of said.quoteSeqs) {
        over.set(said.chainId, Math.max(over.get(said.chainId) ?? 0, expiryOf.get(quoteSeq) ?? 0));
      }
    }
    return over;
  }

  /** The last row in which a chain was begun anew, which ended all that was signed before. */
  const resets = (seq: number): Map<number, number> => {
    const last = new Map<number, number>();
    for (const row of oldest.iterate('chain_reset', 1, seq)) {
      const said = read(QUOTE_EVENTS.chain_reset, row);
      if (said !== null) last.set(said.chainId, row.seq);
    }
    return last;
  };

  /** Orders that counted again since a fill or cancel of them was taken back: their time is judged anew, and their end is told once more. */
  function* judgedAnew(seq: number): Generator<Signed> {
    let looked = 0;
    for (const row of newest.iterate('reverted', 1, seq)) {
      looked += 1;
      if (looked > MOST_TAKEN_BACK) return;
      const said = read(FILL_EVENTS.reverted, row);
      const order = said === null ? undefined : byHash.get(bytesOf(said.orderHash), said.chainId);
      if (order !== undefined && !isEndedBetween(order.seq, row.seq, seq)) yield order;
    }
  }

  const isEndedBetween = (quoteSeq: number, from: number, to: number): boolean => {
    let looked = 0;
    for (const row of oldest.iterate('quotes_expired', from, to)) {
      looked += 1;
      // The desk judges it at its next look: an end that is so far off was told otherwise.
      if (looked > MOST_ENDINGS_AFTER || read(QUOTE_EVENTS.quotes_expired, row)?.quoteSeqs.includes(quoteSeq))
        return true;
    }
    return false;
  };

  return function* openAt(
    seq: number,
    { chains, longest }: { chains: ReadonlySet<number>; longest: number },
  ): Generator<number, OpenAt> {
    unreadEndings = new Set();
    const over = yield* overUpTo(seq, chains);
    const reset = resets(seq);
    const isOpen = ({ seq: at, chainId, expiry }: Signed) =>
      at > (reset.get(chainId) ?? 0) && (expiry === 0 || expiry > (over.get(chainId) ?? -1));
    const earliest = Math.min(...[...chains].map((chainId) => over.get(chainId) ?? Number.NEGATIVE_INFINITY));
    const candidates = new Map<number, Signed>();
    let looked = 0;
    let before = seq;
    for (;;) {
      const some = signed.all(before, SIGNED_AT_ONCE);
      for (const one of some) if (isOpen(one)) candidates.set(one.seq, one);
      looked += some.length;
      yield looked;
      const last = some.at(-1);
      if (last === undefined || some.length < SIGNED_AT_ONCE || looked >= MOST_SIGNED) break;
      const latest = some.reduce((most, { time }) => Math.max(most, time), 0);
      if (latest / 1_000 + longest < earliest && !some.some(isOpen)) break;
      before = last.seq - 1;
    }
    for (const one of byHand.all(seq)) if (isOpen(one)) candidates.set(one.seq, one);
    for (const one of judgedAnew(seq)) if (one.seq > (reset.get(one.chainId) ?? 0)) candidates.set(one.seq, one);

    const first = Math.min(...candidates.keys());
    const withheld = new Set<number>();
    const takenBack = new Set<number>();
    if (candidates.size > 0) {
      for (const row of oldest.iterate('quote_withheld', first, seq)) {
        withheld.add(read(QUOTE_EVENTS.quote_withheld, row)?.quoteSeq ?? 0);
      }
      for (const row of oldest.iterate('reverted', first, seq)) {
        takenBack.add(read(FILL_EVENTS.reverted, row)?.eventSeq ?? 0);
      }
    }
    const fateOf = (quoteSeq: number): OrderFate => {
      let fate = UNTOUCHED;
      for (const { seq: at, amount } of fills.all(quoteSeq, seq)) {
        if (!takenBack.has(at)) fate = foldOrder(fate, { kind: 'fill', maker: BigInt(amount ?? 0), taker: 0n });
      }
      for (const { seq: at } of cancels.all(quoteSeq, seq)) {
        if (!takenBack.has(at)) fate = foldOrder(fate, { kind: 'cancel', stands: true });
      }
      return withheld.has(quoteSeq) ? foldOrder(fate, { kind: 'quote_withheld' }) : fate;
    };

    const orders: OpenQuote[] = [];
    const unread: UnreadOrder[] = [];
    for (const { seq: at, expiry } of [...candidates.values()].sort((a, b) => a.seq - b.seq)) {
      looked += 1;
      if (looked % 1_000 === 0) yield looked;
      try {
        const fate = fateOf(at);
        const order = orderOf(rowOf.get(at), expiry);
        if (!OPEN_STATES.includes(orderState(BigInt(order.makerAmount), fate))) continue;
        orders.push({ ...order, filledMakerAmount: `${fate.filledMaker}` });
      } catch (error) {
        unread.push({ seq: at, why: error instanceof Error ? error.message.slice(0, 200) : 'no reason given' });
      }
    }
    return { orders, unread, unreadEndings, whole: looked < MOST_SIGNED };
  };
}

function orderOf(row: Row | undefined, expiry: number): OpenQuote {
  if (row === undefined) throw new Error('The journal has no such row.');
  const { chainId, pair, side, userAddress, makerAsset, takerAsset, ...body } = parsedBody<QuoteBody>(row.body);
  const { makerAmount, takerAmount, orderHash, makerNft, takerNft } = body;
  if (makerAmount === null || takerAmount === null || orderHash === null) throw new Error('It is no signed order.');
  BigInt(makerAmount);
  const terms = { makerAmount, takerAmount, filledMakerAmount: '0', expiry, orderHash, makerNft, takerNft };
  return { seq: row.seq, chainId, pair, side, userAddress, makerAsset, takerAsset, ...terms };
}
