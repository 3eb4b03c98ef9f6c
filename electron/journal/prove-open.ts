import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { nftSchema } from '../contract/quote-log.ts';
import { type EventBody, quoteBodySchema } from './events.ts';
import { quoteState } from './quote-state.ts';
import { rowHash } from './row-hash.ts';
import type { JournalRow } from './rows.ts';
import type { OpenQuote } from './stored.ts';

/** The open orders as the journal itself has them, and in sentences where its rows or the tables are not as they were written. */
export type ProvenOpenQuotes = {
  open: OpenQuote[];
  faults: string[];
  /** The longest that a quote lives by the settings or by the last rows. */
  longestLifetimeSeconds: number;
};

const ROWS_AT_ONCE = 1_024;
/** What clocks may differ by, and an order be late by, milliseconds. */
const SLACK_MS = 60_000;
/** The longest that a chain's settings let a quote live. */
const LONGEST_LIFETIME_SECONDS = 3_600;
/** Of one kind of fault no more are told one by one. */
const MOST_TOLD = 3;

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

type OrderEvents = { fills: Map<number, bigint>; cancels: Set<number> };
type TableRow = { seq: number; state: string; filled: string | null };

/**
 * The open orders, each proven by its row's hash and by the hash of the row after it. Orders signed so lately that they
 * may live by any clock are not taken from the tables: what became of them is folded anew from the rows since then, and
 * where the tables say otherwise the journal is right. Older ones count as long as the tables have them open. Every fault
 * is told; `now` is Unix milliseconds.
 */
export function proveOpen(db: Database): (now: number) => ProvenOpenQuotes {
  const columns = 'seq, time, actor, kind, body, lower(hex(previous)) AS previous, lower(hex(hash)) AS hash';
  const below = db.prepare<[number, number], JournalRow>(
    `SELECT ${columns} FROM journal WHERE seq <= ? ORDER BY seq DESC LIMIT ?`,
  );
  const pair = db.prepare<[number, number], JournalRow>(
    `SELECT ${columns} FROM journal WHERE seq IN (?, ?) ORDER BY seq`,
  );
  const lifetime = db
    .prepare<[], number | null>(`SELECT max(config ->> '$.quoteLifetimeSeconds') FROM chains WHERE json_valid(config)`)
    .pluck();
  const openBelow = db.prepare<[number], TableRow>(`
    SELECT seq, state, filled_maker_amount AS filled FROM quotes INDEXED BY quotes_open
    WHERE state IN ('live', 'part_filled') AND seq < ? ORDER BY seq`);
  const signedFrom = db.prepare<[number], TableRow>(`
    SELECT seq, state, filled_maker_amount AS filled FROM quotes WHERE seq >= ? AND order_hash IS NOT NULL ORDER BY seq`);

  /** The rows of the last while, newest first, each checked against its neighbour. */
  function readTail(now: number, faults: Faults): { tail: JournalRow[]; longest: number } {
    const tail: JournalRow[] = [];
    let longest = Math.min(lifetime.get() ?? LONGEST_LIFETIME_SECONDS, LONGEST_LIFETIME_SECONDS);
    let chunk = below.all(Number.MAX_SAFE_INTEGER, ROWS_AT_ONCE);
    const newest = Math.min(now, chunk[0]?.time ?? now);
    while (chunk.length > 0) {
      for (const row of chunk) {
        const after = tail.at(-1);
        const follows = after === undefined || (after.previous === row.hash && after.seq === row.seq + 1);
        if (!follows || !isItself(row)) faults.changed(row.seq);
        if (row.kind === 'quote') longest = Math.max(longest, lifetimeOf(row));
        tail.push(row);
      }
      const since = newest - longest * 1_000 - SLACK_MS;
      if (chunk.every(({ time }) => time < since)) break;
      chunk = below.all((tail.at(-1)?.seq ?? 1) - 1, ROWS_AT_ONCE);
    }
    return { tail, longest };
  }

  return (now) => {
    const faults = new Faults();
    const { tail, longest } = readTail(now, faults);
    tail.reverse();
    const first = tail[0]?.seq ?? 1;
    const open: OpenQuote[] = [];
    for (const { seq, filled } of openBelow.all(first)) {
      const [row, after] = pair.all(seq, seq + 1);
      if (row === undefined || !isItself(row) || (after !== undefined && after.previous !== row.hash)) {
        faults.changed(seq);
      }
      const quote = row && readQuote(row, faults);
      if (quote) open.push({ ...quote, filledMakerAmount: amountOf(filled, seq, faults) });
    }
    const inTables = new Map(signedFrom.all(first).map((row) => [row.seq, row]));
    const { ended, ofOrder } = readEndings(tail, faults);
    for (const row of tail) {
      if (!isSigned(row)) continue;
      const { seq } = row;
      const inTable = inTables.get(seq);
      inTables.delete(seq);
      const events = ofOrder.get(orderHashOf(row));
      const end = ended.get(seq) ?? null;
      // Most orders of the tail are over without a word from the chain: their terms do not matter any more.
      const quote = end !== null && events === undefined ? null : readQuote(row, faults);
      let filled = 0n;
      for (const amount of events?.fills.values() ?? []) filled += amount;
      const state = quoteState({
        makerAmount: quote === null ? 1n : BigInt(quote.makerAmount),
        filledMakerAmount: filled,
        cancelled: events !== undefined && events.cancels.size > 0,
        ended: end,
      });
      if (inTable?.state !== state || (inTable.filled ?? '0') !== `${filled}`) {
        const instead = inTable === undefined ? 'not there' : `${inTable.state} with ${inTable.filled ?? 0} filled`;
        faults.add(
          'tables',
          `The order of row ${seq} is ${state} with ${filled} filled; in the tables it is ${instead}.`,
        );
      }
      if (quote !== null && (state === 'live' || state === 'part_filled')) {
        open.push({ ...quote, filledMakerAmount: `${filled}` });
      }
    }
    for (const seq of inTables.keys()) faults.add('tables', `The order of row ${seq} is in the tables alone.`);
    return { open, faults: faults.sentences(), longestLifetimeSeconds: Math.ceil(longest) };
  };
}

/** What these rows say of the ends of orders: by the order's row what the desk said, by its hash what the chain did. */
function readEndings(rows: readonly JournalRow[], faults: Faults) {
  const ended = new Map<number, 'withheld' | 'expired'>();
  const ofOrder = new Map<string, OrderEvents>();
  const ofRow = new Map<number, OrderEvents>();
  for (const { seq, kind, body: text } of rows) {
    if (!ENDINGS.has(kind)) continue;
    try {
      const body = JSON.parse(text);
      if (kind === 'quotes_expired' || kind === 'chain_reset') {
        const { quoteSeqs }: EventBody<'quotes_expired'> = body;
        for (const quoteSeq of quoteSeqs) if (!ended.has(quoteSeq)) ended.set(quoteSeq, 'expired');
      } else if (kind === 'quote_withheld') {
        const { quoteSeq }: EventBody<'quote_withheld'> = body;
        ended.set(quoteSeq, 'withheld');
      } else if (kind === 'reverted') {
        const { eventSeq }: EventBody<'reverted'> = body;
        ofRow.get(eventSeq)?.fills.delete(eventSeq);
        ofRow.get(eventSeq)?.cancels.delete(eventSeq);
      } else {
        const { chainId, orderHash, makerAmount }: EventBody<'fill'> = body;
        const key = `${chainId} ${orderHash.toLowerCase()}`;
        const events = ofOrder.get(key) ?? { fills: new Map(), cancels: new Set() };
        if (kind === 'fill') events.fills.set(seq, BigInt(makerAmount));
        else events.cancels.add(seq);
        ofOrder.set(key, events);
        ofRow.set(seq, events);
      }
    } catch {
      faults.add('unreadable', `Row ${seq} of the journal (${kind}) cannot be read.`);
    }
  }
  return { ended, ofOrder };
}

const ENDINGS = new Set(['fill', 'cancel', 'reverted', 'quote_withheld', 'quotes_expired', 'chain_reset']);

function isItself(row: JournalRow): boolean {
  return rowHash(row) === row.hash;
}

/** The chain and hash of an order; within a text of the body every quotation mark has a backslash before it. */
function orderHashOf({ body }: JournalRow): string {
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

function readQuote(row: JournalRow, faults: Faults): OpenQuote | null {
  try {
    const body: unknown = JSON.parse(row.body);
    // What a proven row says was checked when it was written.
    const quote = faults.isChanged(row.seq) ? signedSchema.parse(body) : (body as z.infer<typeof signedSchema>);
    const { chainId, pair, side, userAddress, makerAsset, takerAsset } = quote;
    const { makerAmount, takerAmount, expiry, orderHash, makerNft, takerNft } = quote;
    const terms = { makerAsset, takerAsset, makerAmount, takerAmount, filledMakerAmount: '0', expiry, orderHash };
    const nfts = { makerNft, takerNft };
    return { seq: row.seq, chainId, pair, side, userAddress, ...terms, ...nfts };
  } catch {
    faults.add('unreadable', `The order of row ${row.seq} cannot be read, so what it may still take is not known.`);
    return null;
  }
}

function amountOf(filled: string | null, seq: number, faults: Faults): string {
  if (filled === null || /^\d{1,78}$/.test(filled)) return filled ?? '0';
  faults.add('unreadable', `What is filled of the order of row ${seq} cannot be read, so nothing counts as filled.`);
  return '0';
}

/** Sentences, of each kind the first few, and how many more there are. */
class Faults {
  readonly #kinds = new Map<string, string[]>();
  readonly #changed = new Set<number>();

  /** The row, or the one after it, is not as it was written. */
  changed(seq: number): void {
    this.#changed.add(seq);
    this.add('changed', `Row ${seq} of the journal was changed.`);
  }

  isChanged(seq: number): boolean {
    return this.#changed.has(seq);
  }

  add(kind: string, sentence: string): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, [sentence]);
    else known.push(sentence);
  }

  sentences(): string[] {
    return [...this.#kinds.values()].flatMap((all) => {
      const more = all.length - MOST_TOLD;
      return more > 0 ? [...all.slice(0, MOST_TOLD), `And so it is with ${more} more.`] : all;
    });
  }
}
