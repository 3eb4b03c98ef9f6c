import type { Database } from 'better-sqlite3';
import { byMark, MARK_NAMES, MARKS, type MarkName } from '../../contract/marks.ts';
import { type FillRow, type MarkedFill, markedFillSchema } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import { div, formatDecimal, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import { archiveFault } from '../archived-bodies.ts';
import { dollarPairs } from '../book/dollar-pairs.ts';
import { type ListedToken, listedTokens, type TokenLookup } from '../book/listed-tokens.ts';
import { referenceAt } from '../book/reference-samples.ts';
import { checkedRow } from '../checked-row.ts';
import { bytesOf } from '../hex-bytes.ts';
import { sidesOf, type Trade, tenthBps, type Worth, worthAt } from '../quotes/trade-value.ts';
import { emptyFill, FILL_COLUMNS, fillRowOf, type StoredFill } from './read.ts';

/** The reference of a fill's pair at each of its marks. */
export type MidColumns = { [Name in MarkName as `mid_${Name}`]: string | null };

/**
 * One of `MidColumns`, of fills named `f` and their quotes `q`. The edge is the one that its quote has in the firm log: against the
 * reference when that was decided. What the price did until the fill is part of the first mark.
 */
export function midColumn(name: MarkName): string {
  const time = name === 'edge' ? 'coalesce(q.time, f.time)' : `(f.time + ${MARKS[name].afterMs})`;
  return `${referenceAt({ chain: 'f.chain_id', pair: 'f.pair', time })} AS mid_${name}`;
}

export const MID_COLUMNS = MARK_NAMES.map(midColumn).join(', ');

/** Prices are shown with this many digits at most; what is computed with them is exact. */
const PRICE_PLACES = 18;
const DOLLAR_PLACES = 2;

/** What a fill was worth at each mark: null without a reference there. */
export function worthsOf(trade: Trade, mids: MidColumns): Record<MarkName, Worth | null> {
  return byMark((name) => {
    const mid = mids[`mid_${name}`];
    return mid === null ? null : worthAt(trade, mid);
  });
}

/** Whether the time of a mark has not come yet. Both times in Unix milliseconds. */
export function isTooEarly(name: MarkName, fillTime: number, now: number): boolean {
  return fillTime + MARKS[name].afterMs > now;
}

type Figures = Omit<MarkedFill, keyof FillRow>;

/** Price, reference, edge and marks of one fill as they are shown; all null where its tokens are not listed any more. */
export function figuresOf(fill: {
  trade: Trade | null;
  quote: ListedToken | undefined;
  mids: MidColumns;
  dollars: Rational | null;
  time: number;
  now: number;
}): Figures {
  const { trade, quote, mids, dollars, time, now } = fill;
  if (trade === null || quote === undefined) return NO_FIGURES;
  const worths = worthsOf(trade, mids);
  const mark = (name: MarkName) => {
    if (isTooEarly(name, time, now)) return 'not_yet' as const;
    const worth = worths[name];
    return worth === null ? null : tenthBps(worth);
  };
  const gain = worths.edge?.gain ?? null;
  return {
    price: priceOf(trade),
    reference: mids.mid_edge,
    edgeQuote: gain === null ? null : formatDecimal(gain, quote.decimals, 'floor'),
    edgeUsd:
      gain === null || dollars === null
        ? null
        : formatDecimal({ n: gain.n * dollars.n, d: gain.d * dollars.d }, DOLLAR_PLACES, 'floor'),
    ...byMark(mark),
  };
}

/** What one base token cost in quote tokens, cut towards the desk's disadvantage: up where it bought. */
export function priceOf(trade: Trade): string | null {
  const { base, quote } = sidesOf(trade);
  return base.n === 0n ? null : formatDecimal(div(quote, base), PRICE_PLACES, trade.side === 'bids' ? 'ceil' : 'floor');
}

export const NO_FIGURES: Figures = {
  price: null,
  reference: null,
  edgeQuote: null,
  edgeUsd: null,
  ...byMark(() => null),
};

/** Fills of blocks from `since` until before `until`, Unix milliseconds. `counterparty` is null for requests that named none. */
export type WhichFills = {
  since: number;
  until: number;
  chainId?: number;
  pair?: string;
  user?: Address;
  counterparty?: string | null;
};
type Place = { time: number; seq: number };

const MOST_TIME = Number.MAX_SAFE_INTEGER;

/** Conditions of `WhichFills` on fills `f` and their quotes `q`, with the values they need; who asked is left out of the first. */
export const WHICH_OF_ANYBODY = `f.time >= :since AND f.time < :until AND (:chainId IS NULL OR f.chain_id = :chainId)
  AND (:pair IS NULL OR f.pair = :pair) AND (:user IS NULL OR q.user_address = :user)`;
export const WHICH_FILLS = `${WHICH_OF_ANYBODY}
  AND (:ofCounterparty = 0 OR ${counterpartyOf('f.quote_seq')} IS :counterparty)`;

/** SQL for the counterparty that asked for the quote in a row of the journal; NULL too where the row cannot be read. */
export function counterpartyOf(quoteSeq: string): string {
  return `(SELECT CASE WHEN json_valid(asked.body) THEN asked.body ->> '$.counterparty' END FROM journal asked
    WHERE asked.seq = ${quoteSeq})`;
}

/** SQL for the body of the quote of a fill `f` where it cannot be read, so that nobody knows whose it was; NULL otherwise. */
export const UNREAD_REQUEST = `(SELECT asked.body FROM journal asked WHERE asked.seq = f.quote_seq AND NOT json_valid(asked.body))`;

/** What is said of a fill with such a quote, where it matters whose it was. */
export function nobodyKnown(body: string): string {
  const fault = archiveFault(body);
  return `nobody knows whose it was, for its request cannot be read${fault === null ? '' : `: ${fault}`}`;
}

export function whichValues({ since, until, chainId, pair, user, counterparty }: WhichFills) {
  return {
    since,
    until,
    chainId: chainId ?? null,
    pair: pair ?? null,
    user: user === undefined ? null : bytesOf(user),
    ofCounterparty: counterparty === undefined ? 0 : 1,
    counterparty: counterparty ?? null,
  };
}

/** Dollars a listed token at a moment: by the first of its pairs in a dollar token, listed or listed once, that had a reference then. */
export function dollarRates(db: Database) {
  const text = dollarRateTexts(db);
  return (chainId: number, quote: ReturnType<TokenLookup>, time: number): Rational | null => {
    const rate = text(chainId, quote, time);
    return rate === null ? null : parseDecimal(rate);
  };
}

/** The same as a decimal. */
export function dollarRateTexts(db: Database) {
  const mid = db
    .prepare<[{ chainId: number; pair: string; time: number }], string | null>(
      `SELECT ${referenceAt({ chain: ':chainId', pair: ':pair', time: ':time' })}`,
    )
    .pluck();
  const pairsOf = dollarPairs(db);
  return (chainId: number, quote: ReturnType<TokenLookup>, time: number): string | null => {
    if (quote === undefined) return null;
    if (quote.isDollar) return '1';
    for (const { pair, since, until } of pairsOf(chainId, quote.address)) {
      if (time < since || time >= until) continue;
      const rate = mid.get({ chainId, pair, time }) ?? null;
      if (rate !== null) return rate;
    }
    return null;
  };
}

/** The columns of fills `f`, their quotes `q` and events `j` that a fill with its worth is made of. */
export const MARKED_COLUMNS = `${FILL_COLUMNS}, ${MID_COLUMNS}`;
export type MarkedRow = MidColumns & StoredFill;
type AskedRow = MarkedRow & { unreadRequest: string | null };

/** Makes fills of rows, with what they were worth. `now` is Unix milliseconds. */
export function fillMarker(db: Database): (now: number) => (row: MarkedRow) => MarkedFill {
  const tokens = listedTokens(db);
  const rate = dollarRates(db);
  return (now) => {
    const token = tokens();
    const markedFill = (row: MarkedRow): MarkedFill => {
      const fill = fillRowOf(row);
      const { time, chainId, side, makerAsset, takerAsset, makerAmount, takerAmount } = fill;
      const [baseAsset, quoteAsset] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
      const quote = token(chainId, quoteAsset);
      const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
      const trade = tradeOf(side, amounts, token(chainId, baseAsset)?.decimals, quote?.decimals);
      return { ...fill, ...figuresOf({ trade, quote, mids: row, dollars: rate(chainId, quote, time), time, now }) };
    };
    return (row) =>
      checkedRow(
        markedFillSchema,
        () => markedFill(row),
        (why) => ({ ...emptyFill(row, why), ...NO_FIGURES }),
      );
  };
}

/** Fills with what they were worth. `now` is Unix milliseconds. */
export function readMarkedFills(db: Database) {
  const list = db.prepare<[ReturnType<typeof whichValues> & Place & { limit: number }], AskedRow>(`
    SELECT ${MARKED_COLUMNS}, CASE WHEN :ofCounterparty THEN ${UNREAD_REQUEST} END AS unreadRequest
    FROM fills f INDEXED BY fills_by_time
    CROSS JOIN journal j ON j.seq = f.seq LEFT JOIN quotes q ON q.seq = f.quote_seq
    WHERE ${WHICH_OF_ANYBODY}
      AND (:ofCounterparty = 0 OR ${counterpartyOf('f.quote_seq')} IS :counterparty OR ${UNREAD_REQUEST} IS NOT NULL)
      AND f.time <= :time AND (f.time < :time OR f.seq < :seq)
    ORDER BY f.time DESC, f.seq DESC LIMIT :limit`);
  const ofQuote = db.prepare<[number], MarkedRow>(`
    SELECT ${MARKED_COLUMNS} FROM fills f
    CROSS JOIN journal j ON j.seq = f.seq LEFT JOIN quotes q ON q.seq = f.quote_seq
    WHERE f.quote_seq = ? ORDER BY f.seq`);
  const toFill = fillMarker(db);

  return {
    /** Newest first, also those a reorganisation took back; `before` is the last fill of the page before. */
    markedFills: (which: WhichFills & { before?: Place; limit: number; now: number }): MarkedFill[] => {
      const { before, limit, now } = which;
      const fill = toFill(now);
      return list
        .all({ ...whichValues(which), limit, ...(before ?? { time: MOST_TIME, seq: MOST_TIME }) })
        .map((row) => {
          const { unreadRequest } = row;
          return unreadRequest === null ? fill(row) : { ...emptyFill(row, nobodyKnown(unreadRequest)), ...NO_FIGURES };
        });
    },
    /** Those of one quote, in the order they were seen. */
    fillsOfQuote: (quoteSeq: number, now: number): MarkedFill[] => ofQuote.all(quoteSeq).map(toFill(now)),
  };
}

export function tradeOf(
  side: FillRow['side'],
  amounts: Pick<Trade, 'makerAmount' | 'takerAmount'>,
  baseDecimals: number | undefined,
  quoteDecimals: number | undefined,
): Trade | null {
  if (side === null || baseDecimals === undefined || quoteDecimals === undefined) return null;
  return { side, ...amounts, baseDecimals, quoteDecimals };
}
