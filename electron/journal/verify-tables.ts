import Sqlite, { type Database } from 'better-sqlite3';
import type { EventBody } from './events.ts';
import { bytesOf } from './hex-bytes.ts';
import { MIGRATIONS, PROJECTED_TABLES } from './migrations.ts';
import type { QuoteBody } from './quotes/events.ts';
import { createProjector } from './slice.ts';
import { SLICES } from './slices.ts';
import { TimeMarks } from './time-marks.ts';

const ROWS_AT_ONCE = 2_000;

/** Proven row by row, or (the hours of pairs, which only count what is in the other tables) not at all. */
const NOT_REBUILT = new Set<string>(['quotes', 'pair_hours']);

type Row = { seq: number; time: number; actor: string; kind: string; body: string; previous: Buffer; hash: Buffer };
type QuoteRow = {
  seq: number;
  time: number;
  chainId: number;
  pair: string | null;
  side: string | null;
  user: string;
  hash: string;
  expiry: number | null;
  state: string;
  code: string | null;
  ended: string | null;
  maker: string | null;
  taker: string | null;
};

/**
 * Proves the tables against the rows of the journal, as of now: everything that was projected is projected again into a
 * database that goes away, and compared. Quotes to which nothing happened but their end are not projected again, for
 * there are millions: each is compared with its row. Gives the first difference in a sentence, or null.
 */
export function verifyTables(db: Database): string | null {
  const scratch = new Sqlite(''); // on disk where it does not fit into memory
  try {
    db.exec('BEGIN');
    for (const step of MIGRATIONS) step(scratch);
    scratch.exec('BEGIN');
    return new TableProof(db, scratch).firstFault();
  } catch (error) {
    return `The tables cannot be proven: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    scratch.close();
    db.exec('ROLLBACK');
  }
}

class TableProof {
  readonly #db: Database;
  readonly #scratch: Database;
  readonly #project;
  readonly #insert;
  readonly #rowAt;
  readonly #quoteOf;
  readonly #expire;
  /** Quotes that were projected again. */
  readonly #again = new Set<number>();
  /** One for each row that is a quote whose time was said to be over. */
  readonly #expired: Uint8Array;
  readonly #last: number;

  constructor(db: Database, scratch: Database) {
    this.#db = db;
    this.#scratch = scratch;
    this.#project = createProjector(scratch, SLICES);
    this.#insert = scratch.prepare('INSERT INTO journal VALUES (@seq, @time, @actor, @kind, @body, @previous, @hash)');
    this.#rowAt = db.prepare<[number], Row>('SELECT * FROM journal WHERE seq = ?');
    this.#quoteOf = db
      .prepare<[Buffer, number], number>('SELECT seq FROM quotes WHERE order_hash = ? AND chain_id = ?')
      .pluck();
    this.#expire = scratch.prepare(`UPDATE quotes SET ended = 'expired', state = 'expired' WHERE seq = ?`);
    this.#last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
    this.#expired = new Uint8Array(this.#last + 1);
  }

  firstFault(): string | null {
    return this.#walk() ?? this.#quotesFault() ?? this.#tablesFault();
  }

  /** Row by row: quotes are compared as they were signed, everything else is projected again. */
  #walk(): string | null {
    const rows = this.#db.prepare<[number, number], Row>(
      'SELECT * FROM journal WHERE seq BETWEEN ? AND ? ORDER BY seq',
    );
    const quotes = quoteRows(this.#db);
    const marks = new TimeMarks(this.#scratch);
    for (let from = 1; from <= this.#last; from += ROWS_AT_ONCE) {
      const to = from + ROWS_AT_ONCE - 1;
      const inTable = new Map(quotes.all(from, to).map((quote) => [quote.seq, quote]));
      for (const row of rows.all(from, to)) {
        marks.add(row.seq, row.time);
        if (row.kind === 'nft_order') {
          inTable.delete(row.seq); // there are few, so that all of them are projected again
          this.#bring(row.seq);
          continue;
        }
        if (row.kind !== 'quote') {
          this.#projectAgain(row);
          continue;
        }
        const quote = inTable.get(row.seq);
        inTable.delete(row.seq);
        if (quote === undefined) return `The table of quotes has no row ${row.seq}.`;
        if (!isOf(quote, row)) return `The table of quotes says something else than row ${row.seq} of the journal.`;
      }
      const [strange] = inTable.keys();
      if (strange !== undefined) return `The table of quotes has a row ${strange}, which is no quote in the journal.`;
      marks.write();
    }
    return null;
  }

  #projectAgain(row: Row): void {
    const { kind } = row;
    let { body } = row;
    if (kind === 'fill' || kind === 'cancel') {
      const { chainId, orderHash }: EventBody<'cancel'> = JSON.parse(body);
      this.#bring(this.#quoteOf.get(bytesOf(orderHash), chainId));
    } else if (kind === 'quote_withheld') {
      const { quoteSeq }: EventBody<'quote_withheld'> = JSON.parse(body);
      this.#bring(quoteSeq);
    } else if (kind === 'quotes_expired' || kind === 'chain_reset') {
      const said: EventBody<'quotes_expired'> = JSON.parse(body);
      for (const seq of said.quoteSeqs) this.#expired[seq] = 1;
      body = JSON.stringify({ ...said, quoteSeqs: said.quoteSeqs.filter((seq) => this.#again.has(seq)) });
    }
    this.#insert.run(row);
    this.#project({ ...row, body });
  }

  /** A quote to which something happened, as it was before that. */
  #bring(seq: number | undefined): void {
    if (seq === undefined || this.#again.has(seq)) return;
    const row = this.#rowAt.get(seq);
    if (row?.kind !== 'quote' && row?.kind !== 'nft_order') return;
    this.#again.add(seq);
    this.#insert.run(row);
    this.#project(row);
    if (this.#expired[seq] === 1) this.#expire.run(seq);
  }

  /** What became of each quote. */
  #quotesFault(): string | null {
    const [quotes, again] = [quoteRows(this.#db), quoteRows(this.#scratch)];
    for (let from = 1; from <= this.#last; from += ROWS_AT_ONCE) {
      const to = from + ROWS_AT_ONCE - 1;
      const projected = new Map(again.all(from, to).map((quote) => [quote.seq, quote]));
      for (const quote of quotes.all(from, to)) {
        const is = outcome(quote);
        const ought = outcome(projected.get(quote.seq) ?? this.#untouched(quote));
        if (is !== ought) return `The quote of row ${quote.seq} is ${is} in the tables, but ${ought} by the journal.`;
      }
    }
    return null;
  }

  #untouched(quote: QuoteRow): Pick<QuoteRow, 'state' | 'ended' | 'maker' | 'taker' | 'code'> {
    const nothing = { ended: null, maker: null, taker: null };
    if (quote.hash === '') return { ...nothing, state: 'refused', code: quote.code };
    if (this.#expired[quote.seq] === 1) return { ...nothing, state: 'expired', ended: 'expired', code: null };
    return { ...nothing, state: 'live', code: null };
  }

  #tablesFault(): string | null {
    for (const table of PROJECTED_TABLES) {
      if (NOT_REBUILT.has(table)) continue;
      const [is, ought] = [this.#db, this.#scratch].map((db) => contents(db, table));
      for (;;) {
        const [row, expected] = [is?.next(), ought?.next()];
        if (row?.done && expected?.done) break;
        if (row?.value === expected?.value) continue;
        is?.return?.(undefined);
        ought?.return?.(undefined);
        const which = row?.done ? `lacks ${expected?.value}` : `has ${row?.value}`;
        return `The table ${table} is not what the journal says: it ${which.slice(0, 200)}.`;
      }
    }
    return null;
  }
}

function quoteRows(db: Database) {
  return db.prepare<[number, number], QuoteRow>(`
    SELECT seq, time, chain_id AS chainId, pair, side, lower(hex(user_address)) AS user,
      ifnull(lower(hex(order_hash)), '') AS hash, expiry, state, code, ended,
      filled_maker_amount AS maker, filled_taker_amount AS taker
    FROM quotes WHERE seq BETWEEN ? AND ? ORDER BY seq`);
}

function outcome({ state, ended, maker, taker, code }: Pick<QuoteRow, 'state' | 'ended' | 'maker' | 'taker' | 'code'>) {
  return `${state} (${ended ?? code ?? 'open'}, ${maker ?? 0} for ${taker ?? 0} filled)`;
}

/** Whether a row of the table says of a quote what its row in the journal does; its code may be that of a withheld one. */
function isOf(quote: QuoteRow, { time, body }: Row): boolean {
  if (quote.time !== time) return false;
  const said: QuoteBody = JSON.parse(body);
  return (
    quote.chainId === said.chainId &&
    quote.pair === said.pair &&
    quote.side === said.side &&
    `0x${quote.user}` === said.userAddress.toLowerCase() &&
    quote.hash === (said.orderHash?.slice(2).toLowerCase() ?? '') &&
    quote.expiry === said.expiry &&
    (quote.code === said.code || quote.ended === 'withheld')
  );
}

/** Every row of a table as text, in one order. */
function* contents(db: Database, table: string): Generator<string, undefined> {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).sort();
  const order = columns.join(', ');
  for (const row of db.prepare(`SELECT ${order} FROM ${table} ORDER BY ${order}`).raw().iterate()) {
    const text = JSON.stringify(row, (_, value) => (value?.type === 'Buffer' ? bufferText(value.data) : value));
    // What came back in other tokens is not in the record of a hedge that an earlier program wrote.
    yield table === 'hedges' ? text.replace(/,?\\"others\\":(\[[^\]]*\]|\{[^}]*\})/, '') : text;
  }
  return undefined;
}

function bufferText(bytes: number[]): string {
  return Buffer.from(bytes).toString('hex');
}
