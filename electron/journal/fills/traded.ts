import type { Database } from 'better-sqlite3';
import type { Traded } from '../../contract/console/fills.ts';
import { byMark, MARK_NAMES, type Mark, type MarkName } from '../../contract/marks.ts';
import type { FillRow } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import { formatDecimal, mul, type Rational } from '../../protocol/decimal.ts';
import { listedTokens, type TokenLookup } from '../book/listed-tokens.ts';
import { bytesOf, hexOf } from '../hex-bytes.ts';
import { addWorth, plus, sidesOf, tenthBps, type Worth, worthIn } from '../quotes/trade-value.ts';
import {
  counterpartyOf,
  dollarRates,
  isTooEarly,
  MID_COLUMNS,
  type MidColumns,
  tradeOf,
  WHICH_FILLS,
  type WhichFills,
  whichValues,
  worthsOf,
} from './marks.ts';

export type TradedBy = 'pair' | 'user';
type Place = { time: number; seq: number };
/** Whose sums: a pair of a chain, or a user. */
export type TradedKey = { chainId: number | null; pair: string | null; user: Address | null };
export type TradedPart = { key: TradedKey; sums: TradedSums };
export type AskedPart = { key: TradedKey; asked: AskedSums };

type Row = MidColumns & {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  side: FillRow['side'];
  user: Buffer;
  maker: string;
  taker: string;
  makerAsset: Address;
  takerAsset: Address;
};
type Counted = { chainId: number | null; pair: string | null; user: Buffer | null } & AskedSums;

const KEYS = {
  pair: 'q.chain_id AS chainId, q.pair, NULL AS user',
  user: 'NULL AS chainId, NULL AS pair, q.user_address AS user',
} as const;

/** Sums of what was traded, a part at a time so that nothing else waits long for the thread that reads. */
export function readTraded(db: Database) {
  const part = db.prepare<[ReturnType<typeof whichValues> & Place & { limit: number }], Row>(`
    SELECT f.seq, f.time, f.chain_id AS chainId, f.pair, f.side, q.user_address AS user, f.maker_amount AS maker,
      f.taker_amount AS taker, j.body ->> '$.makerAsset' AS makerAsset, j.body ->> '$.takerAsset' AS takerAsset,
      ${MID_COLUMNS}
    FROM fills f INDEXED BY fills_by_time
    CROSS JOIN quotes q ON q.seq = f.quote_seq CROSS JOIN journal j ON j.seq = f.seq
    WHERE ${WHICH_FILLS} AND f.reverted = 0 AND f.pair IS NOT NULL
      AND f.time <= :time AND (f.time < :time OR f.seq < :seq)
    ORDER BY f.time DESC, f.seq DESC LIMIT :limit`);
  const counting = new Map<string, ReturnType<typeof db.prepare<(number | string | Buffer)[], Counted>>>();
  const tokens = listedTokens(db);
  const rate = dollarRates(db);

  return {
    /** Sums of up to `limit` fills that stand, newest first, and where to go on; null when there are no more. */
    tradedPart(which: WhichFills & { by: TradedBy; before: Place | null; limit: number; now: number }): {
      parts: TradedPart[];
      next: Place | null;
    } {
      const { by, before, limit, now } = which;
      const place = before ?? { time: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
      const rows = part.all({ ...whichValues(which), ...place, limit });
      const token = tokens();
      const parts = new Map<string, TradedPart>();
      for (const row of rows) {
        const key = keyOf(by, row);
        const name = JSON.stringify(key);
        const before = parts.get(name) ?? { key, sums: noTrades() };
        parts.set(name, { key, sums: addSums(before.sums, sumsOf(row, by, token, now)) });
      }
      const last = rows.at(-1);
      return {
        parts: [...parts.values()],
        next: last === undefined || rows.length < limit ? null : { time: last.time, seq: last.seq },
      };
    },
    /** Firm requests in rows `first` to `last` of the journal: asked, signed, and of those something filled. */
    askedPart({ by, first, last, ...which }: WhichFills & { by: TradedBy; first: number; last: number }): AskedPart[] {
      const { since, until, chainId, pair, user, counterparty } = which;
      const conditions = ['q.seq BETWEEN ? AND ?', 'q.time >= ?', 'q.time < ?'];
      const values: (number | string | Buffer)[] = [first, last, since, until];
      const where = (condition: string, value: number | string | Buffer | undefined) => {
        if (value === undefined) return;
        conditions.push(condition);
        values.push(value);
      };
      where('q.user_address = ?', user === undefined ? undefined : bytesOf(user));
      where('q.pair = ?', pair);
      where('q.chain_id = ?', chainId);
      if (counterparty === null) conditions.push(`${counterpartyOf('q.seq')} IS NULL`);
      else where(`${counterpartyOf('q.seq')} = ?`, counterparty);
      if (by === 'pair') conditions.push('q.pair IS NOT NULL');
      const index = user !== undefined ? 'INDEXED BY quotes_by_user' : 'NOT INDEXED';
      const sql = `
        SELECT ${KEYS[by]}, count(*) AS asked, count(q.order_hash) AS signed, count(q.filled_maker_amount) AS filled
        FROM quotes q ${index} WHERE ${conditions.join(' AND ')} GROUP BY 1, 2, 3`;
      const statement = counting.get(sql) ?? db.prepare<(number | string | Buffer)[], Counted>(sql);
      counting.set(sql, statement);
      return statement.all(...values).map((row) => {
        const { asked, signed, filled } = row;
        const by = { chainId: row.chainId, pair: row.pair, user: row.user === null ? null : hexOf(row.user) };
        return { key: by, asked: { asked, signed, filled } };
      });
    },
  };

  function sumsOf(row: Row, by: TradedBy, token: TokenLookup, now: number): TradedSums {
    const { side, chainId, time, makerAsset, takerAsset } = row;
    const [baseAsset, quoteAsset] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
    const quote = token(chainId, quoteAsset);
    const amounts = { makerAmount: BigInt(row.maker), takerAmount: BigInt(row.taker) };
    const trade = tradeOf(side, amounts, token(chainId, baseAsset)?.decimals, quote?.decimals);
    const sums = { ...noTrades(), fills: 1 };
    if (trade === null || quote === undefined) return { ...sums, unpriced: 1 };
    const rated = rate(chainId, quote, time);
    const amount = sidesOf(trade).quote;
    const worths = worthsOf(trade, row);
    for (const name of MARK_NAMES) {
      if (isTooEarly(name, time, now)) worths[name] = null;
      else sums.due[name] = true;
    }
    const inDollars = byMark((name) => {
      const worth = worths[name];
      return worth === null || rated === null ? null : worthIn(worth, rated);
    });
    return {
      ...sums,
      quote: by === 'pair' ? { chainId, address: quoteAsset, symbol: quote.symbol, amount, ...counted(worths) } : null,
      dollars: { amount: rated === null ? ZERO : mul(amount, rated), ...counted(inDollars) },
      unpriced: rated === null ? 1 : 0,
    };
  }
}

function counted(worths: Marked['worths']): Marked {
  return { worths, counts: byMark((name) => (worths[name] === null ? 0 : 1)) };
}

function keyOf(by: TradedBy, { chainId, pair, user }: Row): TradedKey {
  return by === 'pair' ? { chainId, pair, user: null } : { chainId: null, pair: null, user: hexOf(user) };
}

/** What fills were worth at each mark, in one unit, and how many of them have the mark. */
type Marked = { worths: Record<MarkName, Worth | null>; counts: Record<MarkName, number> };
type InQuote = Marked & { chainId: number; address: Address; symbol: string; amount: Rational };

/** Exact sums of some fills. */
export type TradedSums = {
  fills: number;
  /** In the quote token that fills of pairs have in common; null where none has one, and of users. */
  quote: InQuote | 'several' | null;
  dollars: Marked & { amount: Rational };
  unpriced: number;
  /** Whether one of the fills is old enough for the mark. */
  due: Record<MarkName, boolean>;
};

export type AskedSums = { asked: number; signed: number; filled: number };

const ZERO: Rational = { n: 0n, d: 1n };
const QUOTE_PLACES = 6;
const DOLLAR_PLACES = 2;

export function noTrades(): TradedSums {
  return {
    fills: 0,
    quote: null,
    dollars: { amount: ZERO, ...counted(byMark(() => null)) },
    unpriced: 0,
    due: byMark(() => false),
  };
}

/** Both sums together; neither is changed. */
export function addSums(a: TradedSums, b: TradedSums): TradedSums {
  return {
    fills: a.fills + b.fills,
    quote: addQuotes(a.quote, b.quote),
    dollars: { amount: plus(a.dollars.amount, b.dollars.amount), ...addMarks(a.dollars, b.dollars) },
    unpriced: a.unpriced + b.unpriced,
    due: byMark((name) => a.due[name] || b.due[name]),
  };
}

function addQuotes(a: TradedSums['quote'], b: TradedSums['quote']): TradedSums['quote'] {
  if (a === null || b === null) return a ?? b;
  if (a === 'several' || b === 'several' || a.chainId !== b.chainId || a.address !== b.address) return 'several';
  return { ...a, amount: plus(a.amount, b.amount), ...addMarks(a, b) };
}

function addMarks(a: Marked, b: Marked): Marked {
  return {
    worths: byMark((name) => {
      const [one, other] = [a.worths[name], b.worths[name]];
      return one === null || other === null ? (one ?? other) : addWorth(one, other);
    }),
    counts: byMark((name) => a.counts[name] + b.counts[name]),
  };
}

/** The sums as they are shown: the volume in dollars where all of it is known in dollars, else in the quote token; marks in the quote token where there is one. */
export function shownSums(sums: TradedSums, asked: AskedSums): Traded {
  const quote = sums.quote === 'several' ? null : sums.quote;
  const { worths, counts } = quote ?? sums.dollars;
  const mark = (name: MarkName): Mark => {
    const worth = worths[name];
    if (worth !== null) return tenthBps(worth);
    return sums.fills > 0 && !sums.due[name] ? 'not_yet' : null;
  };
  const inQuote = sums.unpriced > 0 ? quote : null;
  const volume =
    inQuote === null
      ? formatDecimal(sums.dollars.amount, DOLLAR_PLACES, 'floor')
      : formatDecimal(inQuote.amount, QUOTE_PLACES, 'floor');
  return {
    ...asked,
    fills: sums.fills,
    volume: sums.unpriced > 0 && inQuote === null && sums.unpriced === sums.fills ? null : volume,
    unit: inQuote?.symbol ?? 'USD',
    unpriced: sums.unpriced,
    counts,
    ...byMark(mark),
  };
}
