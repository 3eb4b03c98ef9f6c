import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { nftSchema } from '../../contract/quote-log.ts';
import type { HandOrder } from '../desk/events.ts';
import type { FILL_EVENTS, FillBody } from '../fills/events.ts';
import { rowHash } from '../row-hash.ts';
import type { JournalRow } from '../rows.ts';
import { type QUOTE_EVENTS, quoteBodySchema } from './events.ts';
import {
  foldOrder,
  OPEN_STATES,
  type OpenQuote,
  type OrderFate,
  type OrderNews,
  orderState,
  UNTOUCHED,
} from './fold.ts';

/** Rows about orders that live for weeks, beside those that quotes have by the thousand; word for word what the index `journal_by_hand` holds. */
export const ABOUT_ORDERS_BY_HAND = `kind IN ('nft_order', 'quote_withheld', 'chain_reset', 'reverted')`;

/** The longest that a chain's settings may let a quote live, seconds. */
export const LONGEST_LIFETIME_SECONDS = 3_600;
/** The longest that an order signed by hand may live, seconds. */
export const LONGEST_BY_HAND_SECONDS = 30 * 86_400;

/** Asks for the longest that the settings of a chain let a quote live, seconds; null where no settings can be read. */
export function quoteLifetime(db: Database): () => number | null {
  const longest = db
    .prepare<[], number | null>(`SELECT max(config ->> '$.quoteLifetimeSeconds') FROM chains WHERE json_valid(config)`)
    .pluck();
  return () => {
    const seconds = longest.get() ?? null;
    return seconds === null ? null : Math.min(seconds, LONGEST_LIFETIME_SECONDS);
  };
}

/** The open orders as the journal itself has them, and in sentences where its rows or the tables are not as they were written. */
export type ProvenOpenQuotes = {
  open: OpenQuote[];
  faults: string[];
  /** Orders signed by hand whose rows cannot be read, on every chain that each may be of: what they may still take is not known. */
  unreadByHand: HandOrder[];
  /** The longest that a quote lives by the settings or by the last rows. */
  longestLifetimeSeconds: number;
};

/** The tail has begun before so many rows in turn that are too old to matter. */
const ROWS_OF_A_STRETCH = 1_024;
/** What clocks may differ by, and an order be late by, milliseconds. */
const SLACK_MS = 60_000;

const signedSchema = quoteBodySchema
  .extend({ makerNft: nftSchema.optional(), takerNft: nftSchema.optional() })
  .pick({
    makerNft: true,
    takerNft: true,
    chainId: true,
    pair: true,
    side: true,
    userAddress: true,
    makerAsset: true,
    takerAsset: true,
  })
  .extend({
    makerAmount: quoteBodySchema.shape.makerAmount.unwrap(),
    takerAmount: quoteBodySchema.shape.takerAmount.unwrap(),
    expiry: z.int(),
    orderHash: z.string().regex(/^0x[0-9a-f]{64}$/i),
  });

type TableRow = { seq: number; state: string; filled: string | null };

/**
 * The open orders, each proven by its row's hash and by the hash of the row after it. Orders signed so lately that they
 * may live by any clock are not taken from the tables: what became of them is folded anew from the rows since then, newest
 * first, so that no more is held than one row and the ends of orders that are still to come. So it is with older orders
 * signed by hand whose time is not over: their ends are found by the tables, and proven. Where the tables say otherwise
 * the journal is right. All others count as long as the tables have them open. Every fault is told; `now` is Unix
 * milliseconds.
 */
export function proveOpen(db: Database): (now: number) => ProvenOpenQuotes {
  const columns = 'seq, time, actor, kind, body, lower(hex(previous)) AS previous, lower(hex(hash)) AS hash';
  const table = 'seq, state, filled_maker_amount AS filled';
  const newestFirst = db.prepare<[], JournalRow>(`SELECT ${columns} FROM journal ORDER BY seq DESC`);
  const signedNewestFirst = db.prepare<[], TableRow>(
    `SELECT ${table} FROM quotes WHERE order_hash IS NOT NULL ORDER BY seq DESC`,
  );
  const lifetime = quoteLifetime(db);
  const openBelow = db.prepare<[number], TableRow>(`
    SELECT ${table} FROM quotes INDEXED BY quotes_open WHERE state IN ('live', 'part_filled') AND seq < ? ORDER BY seq`);
  const proveRow = provenRows(db, columns);
  const proveByHand = ordersByHandBelow(db, proveRow);
  const whatIsKnown = unreadOrders(db);

  /** Rows from the newest on, each checked against its neighbour, to where no order can live any more; gives the first of them. */
  function foldTail(now: number, fold: TailFold, faults: ProofFaults) {
    let longest = lifetime() ?? LONGEST_LIFETIME_SECONDS;
    let newest: number | null = null;
    let after: Pick<JournalRow, 'seq' | 'previous'> | null = null;
    let stretch = { rows: 0, latest: -Infinity };
    for (const row of newestFirst.iterate()) {
      newest ??= Math.min(now, row.time);
      const follows = after === null || (after.previous === row.hash && after.seq === row.seq + 1);
      const isChanged = !follows || !isItself(row);
      if (isChanged) faults.changed(row.seq);
      if (row.kind === 'quote') longest = Math.max(longest, lifetimeOf(row));
      fold.take(row, isChanged);
      after = { seq: row.seq, previous: row.previous };
      stretch = { rows: stretch.rows + 1, latest: Math.max(stretch.latest, row.time) };
      if (stretch.rows < ROWS_OF_A_STRETCH) continue;
      if (stretch.latest < newest - longest * 1_000 - SLACK_MS) break;
      stretch = { rows: 0, latest: -Infinity };
    }
    return { first: after?.seq ?? 1, longest, newest: newest ?? now };
  }

  return (now) => {
    const faults = new ProofFaults();
    const tables = signedNewestFirst.iterate();
    const fold = new TailFold(tables, faults);
    let tail: ReturnType<typeof foldTail>;
    try {
      tail = foldTail(now, fold, faults);
      fold.finish(tail.first);
    } finally {
      tables.return?.();
    }
    const byHand = proveByHand({ below: tail.first, since: tail.newest - SLACK_MS, ended: fold.ended, faults });
    const open: OpenQuote[] = [];
    for (const { seq, filled } of openBelow.all(tail.first)) {
      if (byHand.has(seq)) continue;
      const quote = proveRow(seq, faults, readQuote);
      if (quote !== null) open.push({ ...quote, filledMakerAmount: amountOf(filled, seq, faults) });
    }
    for (const quote of byHand.values()) if (quote !== null) open.push(quote);
    open.sort((one, other) => one.seq - other.seq);
    return {
      open: [...open, ...fold.open.reverse()],
      faults: faults.sentences(),
      unreadByHand: faults.unreadByHand.flatMap((row) => whatIsKnown(row)),
      longestLifetimeSeconds: Math.ceil(tail.longest),
    };
  };
}

/** What became of the orders of the tail, folded from its newest row on: the end of an order always comes before the order. */
class TailFold {
  /** Open orders, newest first. */
  readonly open: OpenQuote[] = [];
  /** By its row, what the desk said of the end of an order that is still to come. */
  readonly ended = new Map<number, 'withheld' | 'expired'>();
  readonly #ofOrder = new Map<string, OrderFate>();
  /** Fills and cancels, by their rows, that a reorganisation took back. */
  readonly #takenBack = new Set<number>();
  readonly #tables: Iterator<TableRow>;
  readonly #faults: ProofFaults;
  #inTable: TableRow | undefined;

  /** `tables` gives what the tables say of signed orders, newest first. */
  constructor(tables: Iterator<TableRow>, faults: ProofFaults) {
    this.#tables = tables;
    this.#faults = faults;
    this.#inTable = tables.next().value;
  }

  /** The row before the last one that was taken. */
  take(row: JournalRow, isChanged: boolean): void {
    this.finish(row.seq + 1);
    if (ENDINGS.has(row.kind)) this.#takeEnding(row);
    if (isSigned(row)) this.#takeOrder(row, isChanged);
  }

  /** No row from this one on is still to come. */
  finish(first: number): void {
    while (this.#inTable !== undefined && this.#inTable.seq >= first) {
      this.#faults.add('tables', `The order of row ${this.#inTable.seq} is in the tables alone.`);
      this.#inTable = this.#tables.next().value;
    }
  }

  #takeOrder(row: JournalRow, isChanged: boolean): void {
    const { seq } = row;
    const key = orderKeyOf(row);
    const events = this.#ofOrder.get(key);
    const ended = this.ended.get(seq) ?? null;
    this.#ofOrder.delete(key);
    this.ended.delete(seq);
    let inTable: TableRow | undefined;
    if (this.#inTable?.seq === seq) {
      inTable = this.#inTable;
      this.#inTable = this.#tables.next().value;
    }
    // Most orders of the tail are over without a word from the chain: their terms do not matter any more.
    const quote = ended !== null && events === undefined ? null : readQuote(row, isChanged, this.#faults);
    const still = openStill({ seq, quote, inTable, fate: { ...(events ?? UNTOUCHED), ended } }, this.#faults);
    if (still !== null) this.open.push(still);
  }

  #end(quoteSeq: number, kind: 'quote_withheld' | 'quotes_expired' | 'chain_reset'): void {
    const { ended } = foldOrder({ ...UNTOUCHED, ended: this.ended.get(quoteSeq) ?? null }, { kind });
    if (ended !== null) this.ended.set(quoteSeq, ended);
  }

  #takeEnding({ seq, kind, body: text }: JournalRow): void {
    try {
      const body = JSON.parse(text);
      if (kind === 'quotes_expired' || kind === 'chain_reset') {
        const { quoteSeqs }: z.infer<typeof QUOTE_EVENTS.quotes_expired> = body;
        for (const quoteSeq of quoteSeqs) this.#end(quoteSeq, kind);
      } else if (kind === 'quote_withheld') {
        const { quoteSeq }: z.infer<typeof QUOTE_EVENTS.quote_withheld> = body;
        this.#end(quoteSeq, kind);
      } else if (kind === 'reverted') {
        const { eventSeq }: z.infer<typeof FILL_EVENTS.reverted> = body;
        this.#takenBack.add(eventSeq);
      } else if (!this.#takenBack.delete(seq)) {
        const { chainId, orderHash, ...amounts }: FillBody = body;
        const key = `${chainId} ${orderHash.toLowerCase()}`;
        this.#ofOrder.set(key, foldOrder(this.#ofOrder.get(key) ?? UNTOUCHED, newsOf(kind, amounts)));
      }
    } catch {
      this.#faults.add('unreadable', `Row ${seq} of the journal (${kind}) cannot be read.`);
    }
  }
}

/** A fill or a cancel that stands. */
function newsOf(kind: string, { makerAmount, takerAmount }: Pick<FillBody, 'makerAmount' | 'takerAmount'>): OrderNews {
  if (kind !== 'fill') return { kind: 'cancel', stands: true };
  return { kind, maker: BigInt(makerAmount), taker: BigInt(takerAmount) };
}

const ENDINGS = new Set(['fill', 'cancel', 'reverted', 'quote_withheld', 'quotes_expired', 'chain_reset']);

/** The order as it is open by the rows, or null where it is over; that the tables say otherwise is a fault. */
function openStill(
  {
    seq,
    quote,
    inTable,
    fate,
  }: { seq: number; quote: OpenQuote | null; inTable: TableRow | undefined; fate: OrderFate },
  faults: ProofFaults,
): OpenQuote | null {
  const { filledMaker: filled } = fate;
  const state = orderState(quote === null ? 1n : BigInt(quote.makerAmount), fate);
  if (inTable?.state !== state || (inTable.filled ?? '0') !== `${filled}`) {
    const instead = inTable === undefined ? 'not there' : `${inTable.state} with ${inTable.filled ?? 0} filled`;
    faults.add('tables', `The order of row ${seq} is ${state} with ${filled} filled; in the tables it is ${instead}.`);
  }
  return OPEN_STATES.includes(state) && quote !== null ? { ...quote, filledMakerAmount: `${filled}` } : null;
}

/** Reads a row by itself: `read` is told whether it is not as it was written, or the row after it is not. */
type ProveRow = <T>(
  seq: number,
  faults: ProofFaults,
  read: (row: JournalRow, isChanged: boolean, faults: ProofFaults) => T | null,
) => T | null;

function provenRows(db: Database, columns: string): ProveRow {
  const pair = db.prepare<[number, number], JournalRow>(
    `SELECT ${columns} FROM journal WHERE seq IN (?, ?) ORDER BY seq`,
  );
  return (seq, faults, read) => {
    const [row, after] = pair.all(seq, seq + 1);
    const isChanged = row?.seq !== seq || !isItself(row) || (after !== undefined && after.previous !== row.hash);
    if (isChanged) faults.changed(seq);
    return row?.seq === seq ? read(row, isChanged, faults) : null;
  };
}

/**
 * Orders signed by hand before row `below` that may be filled after `since` (Unix milliseconds), by their rows: null where
 * one is over. What the tables say ended one counts where the row behind it is proven. `ended`: what the tail says.
 */
function ordersByHandBelow(db: Database, proveRow: ProveRow) {
  const about = `SELECT seq FROM main.journal INDEXED BY journal_by_hand WHERE kind = ? AND ${ABOUT_ORDERS_BY_HAND}`;
  const signed = db.prepare<['nft_order', number], number>(`${about} AND seq < ? ORDER BY seq`).pluck();
  const since = db
    .prepare<['quote_withheld' | 'chain_reset' | 'reverted', number], number>(`${about} AND seq > ? ORDER BY seq`)
    .pluck();
  const inTables = db.prepare<[number], TableRow & { ended: string | null }>(
    'SELECT seq, state, filled_maker_amount AS filled, ended FROM quotes WHERE seq = ?',
  );
  const [fills, cancels] = (['fills', 'cancels'] as const).map((table) =>
    db.prepare<[number], number>(`SELECT seq FROM ${table} WHERE quote_seq = ? AND reverted = 0`).pluck(),
  );

  /** What the fills and cancels that the tables name come to. */
  const foldEvents = (quote: OpenQuote, faults: ProofFaults): OrderFate => {
    let fate = UNTOUCHED;
    const named = new Set([...(fills?.all(quote.seq) ?? []), ...(cancels?.all(quote.seq) ?? [])]);
    if (named.size === 0) return fate;
    for (const seq of since.iterate('reverted', quote.seq)) {
      const gone = proveRow(seq, faults, readBody<z.infer<typeof FILL_EVENTS.reverted>>);
      if (gone !== null) named.delete(gone.eventSeq);
    }
    for (const seq of named) {
      proveRow(seq, faults, (row, isChanged) => {
        if (isChanged || (row.kind !== 'fill' && row.kind !== 'cancel')) return null;
        const body = readBody<FillBody>(row, isChanged, faults);
        const isOfIt =
          body?.chainId === quote.chainId && body.orderHash.toLowerCase() === quote.orderHash.toLowerCase();
        if (!isOfIt) return null;
        fate = foldOrder(fate, newsOf(row.kind, body));
        return null;
      });
    }
    return fate;
  };

  /** What the tables say of its end, where a row says so too. */
  const provenEnd = (seq: number, claimed: string | null, faults: ProofFaults): OrderFate['ended'] => {
    if (claimed !== 'withheld' && claimed !== 'expired') return null;
    const kind = claimed === 'withheld' ? 'quote_withheld' : 'chain_reset';
    for (const at of since.iterate(kind, seq)) {
      const said = proveRow(at, faults, readBody<{ quoteSeq?: number; quoteSeqs?: number[] }>);
      if (said?.quoteSeq === seq || said?.quoteSeqs?.includes(seq)) return claimed;
    }
    return null;
  };

  return (tail: {
    below: number;
    since: number;
    ended: ReadonlyMap<number, 'withheld' | 'expired'>;
    faults: ProofFaults;
  }) => {
    const { faults } = tail;
    const found = new Map<number, OpenQuote | null>();
    for (const seq of signed.all('nft_order', tail.below)) {
      const quote = proveRow(seq, faults, readQuote);
      if (quote === null || quote.expiry * 1_000 < tail.since) continue;
      const inTable = inTables.get(seq);
      const ended = tail.ended.get(seq) ?? provenEnd(seq, inTable?.ended ?? null, faults);
      found.set(seq, openStill({ seq, quote, inTable, fate: { ...foldEvents(quote, faults), ended } }, faults));
    }
    return found;
  };
}

/**
 * What is known of an order whose row cannot be read: as the tables have it, and where they have none on every chain, for as long
 * as an order by hand may live.
 */
function unreadOrders(db: Database): (row: Pick<JournalRow, 'seq' | 'time'>) => HandOrder[] {
  const inTable = db.prepare<[number], HandOrder>(`
    SELECT chain_id AS chainId, '0x' || lower(hex(order_hash)) AS orderHash, expiry FROM quotes
    WHERE seq = ? AND order_hash IS NOT NULL`);
  const chains = db.prepare<[], number>('SELECT chain_id FROM chains').pluck();
  return ({ seq, time }) => {
    const known = inTable.get(seq);
    if (known !== undefined) return [known];
    const expiry = Math.ceil(time / 1_000) + LONGEST_BY_HAND_SECONDS;
    return chains.all().map((chainId) => ({ chainId, orderHash: `0x${'0'.repeat(64)}`, expiry }));
  };
}

function readBody<T>({ seq, kind, body }: JournalRow, _isChanged: boolean, faults: ProofFaults): T | null {
  try {
    return JSON.parse(body) as T;
  } catch {
    faults.add('unreadable', `Row ${seq} of the journal (${kind}) cannot be read.`);
    return null;
  }
}

function isItself(row: JournalRow): boolean {
  return rowHash(row) === row.hash;
}

/** The chain and hash of an order; within a text of the body every quotation mark has a backslash before it. */
function orderKeyOf({ body }: JournalRow): string {
  const [, hash = ''] = /"orderHash":"(0x[0-9a-fA-F]{64})"/.exec(body) ?? [];
  const [, chainId = ''] = /"chainId":(\d{1,15})[,}]/.exec(body) ?? [];
  return `${chainId} ${hash.toLowerCase()}`;
}

function isSigned({ kind, body }: JournalRow): boolean {
  return kind === 'nft_order' || (kind === 'quote' && !body.includes('"orderHash":null'));
}

/** Seconds a quote's order lives from when it was written; 0 for a refused one. */
function lifetimeOf(row: JournalRow): number {
  const [, expiry] = /"expiry":(\d{1,15})[,}]/.exec(row.body) ?? [];
  const seconds = expiry === undefined ? 0 : Number(expiry) - row.time / 1_000;
  return Math.min(Math.max(0, seconds), LONGEST_LIFETIME_SECONDS);
}

function readQuote(row: JournalRow, isChanged: boolean, faults: ProofFaults): OpenQuote | null {
  try {
    const body: unknown = JSON.parse(row.body);
    // What a proven row says was checked when it was written.
    const quote = isChanged ? signedSchema.parse(body) : (body as z.infer<typeof signedSchema>);
    const { chainId, pair, side, userAddress, makerAsset, takerAsset } = quote;
    const { makerAmount, takerAmount, expiry, orderHash, makerNft, takerNft } = quote;
    const terms = { makerAsset, takerAsset, makerAmount, takerAmount, filledMakerAmount: '0', expiry, orderHash };
    const nfts = { makerNft, takerNft };
    return { seq: row.seq, chainId, pair, side, userAddress, ...terms, ...nfts };
  } catch {
    faults.add('unreadable', `The order of row ${row.seq} cannot be read, so what it may still take is not known.`);
    if (row.kind === 'nft_order') faults.unreadByHand.push(row);
    return null;
  }
}

function amountOf(filled: string | null, seq: number, faults: ProofFaults): string {
  if (filled === null || /^\d{1,78}$/.test(filled)) return filled ?? '0';
  faults.add('unreadable', `What is filled of the order of row ${seq} cannot be read, so nothing counts as filled.`);
  return '0';
}

/** Of one kind of fault no more are told one by one. */
const MOST_TOLD = 3;

/** What a proof found wrong, in sentences: of each kind the first few, and how many more there are. */
class ProofFaults {
  readonly unreadByHand: Pick<JournalRow, 'seq' | 'time'>[] = [];
  readonly #kinds = new Map<string, { told: string[]; count: number }>();

  add(kind: 'changed' | 'tables' | 'unreadable', sentence: string): void {
    const known = this.#kinds.get(kind) ?? { told: [], count: 0 };
    this.#kinds.set(kind, known);
    known.count += 1;
    if (known.told.length < MOST_TOLD) known.told.push(sentence);
  }

  /** The row, or the one after it, is not as it was written. */
  changed(seq: number): void {
    this.add('changed', `Row ${seq} of the journal was changed.`);
  }

  sentences(): string[] {
    return [...this.#kinds.values()].flatMap(({ told, count }) => {
      return count > told.length ? [...told, `The same goes for ${count - told.length} more.`] : told;
    });
  }
}
