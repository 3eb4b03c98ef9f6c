import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { Recorded } from '../slice.ts';
import { AGAIN, type Cell, type Found, type TableProof } from '../table-proof.ts';
import type { QUOTE_EVENTS } from './events.ts';
import { endedState, foldOrder, type OrderFate, orderState, UNTOUCHED } from './fold.ts';

/** Marks of a quote, by what the journal says of its end. */
const EXPIRED = 2;
const WITHHELD = 4;

/** What the table says of an end, by the quote's row; 0 where there is none. */
const SAYS = { open: 1, expired: 2, withheld: 3, refused: 4, other: 5 };

const ROWS_AT_ONCE = 2_000;

/** Reading all of a body for one amount would take most of the time. In a text of the body each quotation mark has a backslash before it. */
const MAKER_AMOUNT = '"makerAmount":"';

type EventBody<Kind extends keyof typeof QUOTE_EVENTS> = z.infer<(typeof QUOTE_EVENTS)[Kind]>;
type Ended = 'withheld' | 'expired' | null;
type QuoteEvent = Recorded<string, EventBody<'quote'>>;
type Withheld = [seq: number, quoteSeq: number, code: string];
type QuoteRow = {
  seq: number;
  signed: number;
  state: string;
  ended: Ended;
  code: string | null;
  maker: string | null;
  taker: string | null;
  /** Its digits, a quotation mark, and what follows. */
  makerAmount: string;
};

/** What the table of quotes says of an event for good. Bytes are lower-case hex without a prefix. */
export function quoteCells({ seq, time, body }: Pick<QuoteEvent, 'seq' | 'time' | 'body'>): readonly Cell[] {
  const { chainId, pair, side, userAddress, orderHash, expiry, code } = body;
  const hash = orderHash === null ? null : hexDigits(orderHash);
  return [seq, time, chainId, pair, side, hexDigits(userAddress), hash, expiry, code];
}

/** The same of an order signed by hand, which is of no pair. */
export function orderByHandCells({ seq, time, body }: Recorded<string, EventBody<'nft_order'>>): readonly Cell[] {
  return quoteCells({ seq, time, body: { ...body, pair: null, side: null, code: null } });
}

function hexDigits(hex: string): string {
  return hex.slice(2).toLowerCase();
}

const TEXT = '"[^"\\\\\\x00-\\x1f]*"';
const WHOLE = '(?:0|[1-9][0-9]{0,14})';
const member = (name: string, value: string) => `"${name}":(?:${value}|null),`;
const texts = (...names: string[]) => names.map((name) => member(name, TEXT)).join('');

/** Every member that a body may have, once, in the order in which the firm path writes them. */
const PLAIN_QUOTE = new RegExp(
  [
    `^\\{"chainId":(${WHOLE}),"pair":(${TEXT}|null),"side":(${TEXT}|null),${texts('given')}"userAddress":"0x([0-9a-f]*)",`,
    texts('takerAddress', 'maker', 'makerAsset', 'takerAsset', 'makerAmount', 'takerAmount'),
    `${member('ladderRevision', WHOLE)}${texts('balance', 'allowance', 'exposure')}(?:${texts('hedged')})?`,
    `${texts('counterparty')}${member('receivedAt', WHOLE)}${member('latencyMs', `${WHOLE}(?:\\.[0-9]{1,20})?`)}`,
    `"requestBody":"[^"\\\\\\x00-\\x1f]*(?:\\\\["\\\\/bfnrt][^"\\\\\\x00-\\x1f]*)*",(?:${member('requestBytes', WHOLE)})?(?:${member('signingMs', WHOLE)})?`,
    `"orderHash":(?:"0x([0-9a-f]+)"|null),${texts('nonceAndMeta')}"expiry":(${WHOLE}|null),${texts('signature')}`,
    `"code":(${TEXT}|null)(?:,"requestSignature":${TEXT})?\\}$`,
  ].join(''),
);

/** The cells of a quote by the text of its body, where they are free of escapes and its members have the order of the firm path. */
export function plainQuoteCells(seq: number, time: number, body: string): readonly Cell[] | null {
  const found = PLAIN_QUOTE.exec(body);
  if (found === null) return null;
  const [, chain, pair, side, user = '', hash = null, expiry, code] = found;
  const until = expiry === 'null' ? null : Number(expiry);
  return [seq, time, Number(chain), textOf(pair), textOf(side), user, hash, until, textOf(code)];
}

/** What a text of JSON without escapes holds. */
function textOf(quoted = 'null'): string | null {
  return quoted === 'null' ? null : quoted.slice(1, -1);
}

/** A quote that nothing happened to but its end by time. */
const PLAIN = `q.filled_maker_amount IS NULL AND q.filled_taker_amount IS NULL AND CASE q.state
  WHEN 'live' THEN q.order_hash IS NOT NULL AND q.ended IS NULL AND q.code IS NULL
  WHEN 'expired' THEN q.order_hash IS NOT NULL AND q.ended IS 'expired' AND q.code IS NULL
  WHEN 'refused' THEN q.order_hash IS NULL AND q.ended IS NULL
  ELSE 0 END`;

/** Every quote and what became of it, by the tables of fills and cancels, and by what the desk said of its end. */
export const QUOTES_PROOF: TableProof = {
  kinds: ['quote', 'nft_order', 'quote_withheld', 'quotes_expired'],
  tables: ['quotes'],
  ownRows: [
    {
      table: 'quotes',
      // The code of a withheld quote is of that event.
      columns: `seq, time, chain_id, pair, side, lower(hex(user_address)), nullif(lower(hex(order_hash)), ''), expiry,
        CASE WHEN ended IS 'withheld' THEN NULL ELSE code END`,
      ofKind: { quote: quoteCells, nft_order: orderByHandCells },
      plain: { quote: plainQuoteCells },
    },
  ],
  gather: (_db, marks) => {
    const withheld: Withheld[] = [];
    const endAll = ({ seq, body }: Recorded<string, EventBody<'quotes_expired'>>) => {
      for (const quoteSeq of body.quoteSeqs) if (quoteSeq < seq) marks.set(quoteSeq, EXPIRED);
    };
    return {
      take: {
        quotes_expired: endAll,
        chain_reset: endAll,
        quote_withheld: ({ seq, body: { quoteSeq, code } }: Recorded<string, EventBody<'quote_withheld'>>) => {
          marks.set(quoteSeq, WITHHELD);
          withheld.push([seq, quoteSeq, code]);
        },
      },
      facts: () => withheld,
    };
  },
  again: (_db, found) => {
    for (const [seq, quoteSeq] of withheldIn(found)) if (found.marks.has(quoteSeq, AGAIN)) found.marks.set(seq, AGAIN);
  },
  settle: (db, last) => {
    const table = new QuoteTable(db, last);
    const fault = table.firstFault();
    return (found) => fault ?? table.endFault(found);
  },
};

function withheldIn({ parts }: Found): Withheld[] {
  return (parts as Withheld[][]).flat();
}

class QuoteTable {
  readonly #last: number;
  readonly #plain;
  readonly #others;
  readonly #one;
  readonly #fills;
  readonly #cancels;
  /** What the table says of the end of each quote. */
  readonly #says: Uint8Array;
  /** Why quotes were withheld, by the table. */
  readonly #codes = new Map<number, string | null>();
  readonly #count;
  /** Fills and cancels that an index led to. */
  #found = 0;

  constructor(db: Database, last: number) {
    this.#last = last;
    this.#says = new Uint8Array(last + 1);
    const columns = `q.seq, q.order_hash IS NOT NULL AS signed, q.state, q.ended, q.code,
      q.filled_maker_amount AS maker, q.filled_taker_amount AS taker, substr(j.body, instr(j.body, '${MAKER_AMOUNT}') + ${MAKER_AMOUNT.length}, 79) AS makerAmount
      FROM quotes q JOIN journal j ON j.seq = q.seq`;
    this.#plain = db
      .prepare<[number, number], number>(`
        SELECT q.seq * 4 + CASE q.state WHEN 'live' THEN 0 WHEN 'expired' THEN 1 ELSE 2 END
        FROM quotes q WHERE q.seq BETWEEN ? AND ? AND ${PLAIN}`)
      .pluck();
    this.#others = db.prepare<[number, number], QuoteRow>(
      `SELECT ${columns} WHERE q.seq BETWEEN ? AND ? AND NOT (${PLAIN})`,
    );
    this.#one = db.prepare<[number], QuoteRow>(`SELECT ${columns} WHERE q.seq = ?`);
    this.#fills = db
      .prepare<[number, number], [number, number, string, string]>(`
        SELECT quote_seq, reverted, maker_amount, taker_amount FROM fills WHERE quote_seq BETWEEN ? AND ?`)
      .raw();
    this.#cancels = db
      .prepare<[number, number], [number, number]>(
        'SELECT quote_seq, reverted FROM cancels WHERE quote_seq BETWEEN ? AND ?',
      )
      .raw();
    this.#count = db
      .prepare<[], number>(`
        SELECT (SELECT count(quote_seq) FROM fills NOT INDEXED) + (SELECT count(quote_seq) FROM cancels NOT INDEXED)`)
      .pluck();
  }

  /** Whether each state is that of the fills and cancels beside it and of the end that the table has. */
  firstFault(): string | null {
    const says = [SAYS.open, SAYS.expired, SAYS.refused];
    for (let from = 1; from <= this.#last; from += ROWS_AT_ONCE) {
      const to = Math.min(from + ROWS_AT_ONCE - 1, this.#last);
      const fates = this.#fatesOf(from, to);
      for (const plain of this.#plain.all(from, to)) {
        const seq = Math.floor(plain / 4);
        this.#says[seq] = says[plain % 4] ?? SAYS.other;
        const fault = fates.size > 0 && fates.has(seq) ? this.#faultOf(this.#one.get(seq), fates) : null;
        if (fault !== null) return fault;
      }
      for (const quote of this.#others.all(from, to)) {
        this.#says[quote.seq] = saidOf(quote);
        if (quote.ended === 'withheld') this.#codes.set(quote.seq, quote.code);
        const fault = this.#faultOf(quote, fates);
        if (fault !== null) return fault;
      }
    }
    const there = this.#count.get();
    if (there === this.#found) return null;
    return `Of ${there} fills and cancels of quotes the indexes of their tables have ${this.#found}.`;
  }

  /** Whether the journal ended each quote as the table has it. */
  endFault(found: Found): string | null {
    const { bytes } = found.marks;
    for (let seq = 1; seq <= this.#last; seq += 1) {
      const is = this.#says[seq];
      if (is === 0 || is === SAYS.refused) continue;
      const mark = bytes[seq] ?? 0;
      const ended = (mark & WITHHELD) !== 0 ? 'withheld' : (mark & EXPIRED) !== 0 ? 'expired' : null;
      if (is !== SAYS[ended ?? 'open']) return this.#differs(this.#one.get(seq), this.#fatesOf(seq, seq), ended);
    }
    const codes = new Map(withheldIn(found).map(([, quoteSeq, code]) => [quoteSeq, code]));
    for (const [seq, code] of codes) {
      const said = this.#codes.get(seq);
      if (said !== code)
        return `The quote of row ${seq} is withheld as ${said} in the tables, but as ${code} by the journal.`;
    }
    return null;
  }

  #fatesOf(from: number, to: number): Map<number, OrderFate> {
    const fates = new Map<number, OrderFate>();
    const [fills, cancels] = [this.#fills.all(from, to), this.#cancels.all(from, to)];
    this.#found += fills.length + cancels.length;
    for (const [seq, reverted, maker, taker] of fills) {
      const fate = fates.get(seq) ?? UNTOUCHED;
      const news = { kind: 'fill', maker: BigInt(maker), taker: BigInt(taker) } as const;
      fates.set(seq, reverted === 0 ? foldOrder(fate, news) : fate);
    }
    for (const [seq, reverted] of cancels) {
      const fate = fates.get(seq) ?? UNTOUCHED;
      fates.set(seq, reverted === 0 ? foldOrder(fate, { kind: 'cancel', stands: true }) : fate);
    }
    return fates;
  }

  #faultOf(quote: QuoteRow | undefined, fates: Map<number, OrderFate>): string | null {
    if (quote === undefined) return null;
    const { state, maker, taker } = oughtToBe(quote, fates.get(quote.seq), quote.ended);
    if (quote.state === state && quote.maker === maker && quote.taker === taker) return null;
    return this.#differs(quote, fates, quote.ended);
  }

  #differs(quote: QuoteRow | undefined, fates: Map<number, OrderFate>, ended: Ended): string | null {
    if (quote === undefined) return null;
    const ought = outcome({ ...quote, ...oughtToBe(quote, fates.get(quote.seq), ended), ended });
    return `The quote of row ${quote.seq} is ${outcome(quote)} in the tables, but ${ought} by the journal.`;
  }
}

/** What a row says of its end. What was refused has none. */
function saidOf({ signed, ended }: QuoteRow): number {
  if (signed === 0) return ended === null ? SAYS.refused : SAYS.other;
  return SAYS[ended ?? 'open'] ?? SAYS.other;
}

/** A quote's columns by what happened to it. */
function oughtToBe(
  { signed, makerAmount }: QuoteRow,
  fate: OrderFate | undefined,
  ended: Ended,
): Pick<QuoteRow, 'state' | 'maker' | 'taker'> {
  if (signed === 0) return { state: 'refused', maker: null, taker: null };
  const { filledMaker, filledTaker } = fate ?? UNTOUCHED;
  const isTouched = fate !== undefined || ended === 'withheld';
  const amount = BigInt(makerAmount.split('"', 1)[0] ?? 0);
  const state = isTouched ? orderState(amount, { ...(fate ?? UNTOUCHED), ended }) : endedState('live', ended);
  const text = (filled: bigint) => (filled > 0n ? `${filled}` : null);
  return { state, maker: text(filledMaker), taker: text(filledTaker) };
}

function outcome({ state, ended, maker, taker, code }: Pick<QuoteRow, 'state' | 'ended' | 'maker' | 'taker' | 'code'>) {
  return `${state} (${ended ?? code ?? 'open'}, ${maker ?? 0} for ${taker ?? 0} filled)`;
}
