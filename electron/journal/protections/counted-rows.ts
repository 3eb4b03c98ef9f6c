import type { Database } from 'better-sqlite3';
import { MARK_NAMES, MARKS, type MarkName } from '../../contract/marks.ts';
import type { FillRow } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import { decimalSchema, floor, mul, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import { type Side, sideSchema } from '../../protocol/side.ts';
import { parsedBody } from '../archived-bodies.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { firstBelievedAfter } from '../book/reference-samples.ts';
import type { FillBody } from '../fills/events.ts';
import { dollarRates, isTooEarly, MID_COLUMNS, type MidColumns, tradeOf } from '../fills/marks.ts';
import type { QuoteBody } from '../quotes/events.ts';
import { worthAt } from '../quotes/trade-value.ts';

/** A firm request with its amounts as the windows count it. Amounts are raw units as decimal strings; `time` is Unix milliseconds. */
export interface AskedRow {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  user: Address;
  counterparty: string | null;
  /** Null where the row does not say. */
  side: Side | null;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: string;
  takerAmount: string;
  /** Dollars a quote token as its row has it; null where the row has none. */
  dollarRate: string | null;
}

/** A signed quote. */
export type SignedRow = AskedRow & { orderHash: string };

/**
 * A fill of a firm quote of this desk as the windows count it. `seq` and `time` are of the row that says it was seen; amounts are raw
 * units, and may be a part of the quote's. `signedAt` is Unix milliseconds.
 */
export type FilledRow = AskedRow & { signedAt: number; isTakenBack: boolean; worth: FillWorth };

/**
 * What a fill gained by the newest of its marks whose time has come: millionths of a dollar, rounded down, with a sign. It is held
 * against what the reference was believed to be at that mark, however long ago that was said: by a reference that speaks seldom it is
 * still the edge at 10 s, and the loss of a move is counted from the first mark on that has a word of after it. Where nothing was
 * believed at the mark, what is first believed after it says it; null until then, and where its tokens have no price.
 * `nextAt`: when its next mark comes or that is heard, Unix milliseconds; null after the last, and while nobody knows when.
 */
export type FillWorth = { gain: string | null; nextAt: number | null };

/** What `StoredFilled` has, of fills `f`; `asked` is the row of the quote. */
export const FILLED_COLUMNS = `SELECT f.seq, j.time, asked.seq AS quoteSeq, asked.time AS signedAt, f.time AS filledAt, f.side,
  f.reverted, j.body AS fill, asked.body AS quote, ${MID_COLUMNS} FROM fills f CROSS JOIN quotes q ON q.seq = f.quote_seq
  CROSS JOIN journal j ON j.seq = f.seq CROSS JOIN journal asked ON asked.seq = f.quote_seq`;

export type StoredFilled = MidColumns & {
  seq: number;
  time: number;
  quoteSeq: number;
  signedAt: number;
  filledAt: number;
  side: FillRow['side'];
  reverted: number;
  fill: string;
  quote: string;
};

const RAW = /^[0-9]{1,78}$/;
/** So long after a mark its reference is in the journal, milliseconds. */
export const MARK_WRITTEN_MS = 2_000;
/** What is said longer than this after a mark is not held against it: the longest window is over by then. Milliseconds. */
const LONGEST_WAIT_MS = 86_400_000;

const MILLION: Rational = { n: 1_000_000n, d: 1n };

/** Null where the body is not that of a signed quote. */
export function signedOf(row: { seq: number; time: number; body: string }): SignedRow | null {
  try {
    const body = parsedBody<QuoteBody>(row.body);
    const asked = askedOf(row, body);
    return asked === null || typeof body.orderHash !== 'string' ? null : { ...asked, orderHash: body.orderHash };
  } catch {
    return null;
  }
}

/** Null where the body has not both amounts, or is not of a firm request. */
export function askedOf({ seq, time }: { seq: number; time: number }, body: QuoteBody): AskedRow | null {
  const { chainId, pair, userAddress: user, counterparty, makerAsset, takerAsset, makerAmount, takerAmount } = body;
  if ([pair, user, makerAsset, takerAsset].some((text) => typeof text !== 'string') || pair === null) return null;
  if (makerAmount === null || takerAmount === null || !RAW.test(makerAmount) || !RAW.test(takerAmount)) return null;
  const assets = { makerAsset, takerAsset, makerAmount, takerAmount };
  const dollarRate = decimalSchema.safeParse(body.dollarRate).data ?? null;
  const side = sideSchema.safeParse(body.side).data ?? null;
  return { seq, time, chainId, pair, user, counterparty, side, ...assets, dollarRate };
}

/** Null where the bodies are not those of a fill and its quote. */
export function fillOf(row: StoredFilled): Omit<FilledRow, 'worth'> | null {
  const { seq, time, signedAt, reverted, fill, quote } = row;
  const signed = signedOf({ seq, time, body: quote });
  if (signed === null) return null;
  const { orderHash: _, ...parties } = signed;
  try {
    const { makerAmount, takerAmount } = parsedBody<FillBody>(fill);
    if (!RAW.test(makerAmount) || !RAW.test(takerAmount)) return null;
    return { ...parties, makerAmount, takerAmount, signedAt, isTakenBack: reverted !== 0 };
  } catch {
    return null;
  }
}

/** What a fill gained until a moment (Unix milliseconds), as its results have it. */
export function fillWorths(
  db: Database,
): (row: StoredFilled, filled: Omit<FilledRow, 'worth'>) => (now: number) => FillWorth {
  const tokens = listedTokens(db);
  const rate = dollarRates(db);
  const firstAfter = firstBelievedAfter(db);
  return (row, filled) => (now) => {
    const { chainId, makerAsset, takerAsset } = filled;
    const token = tokens();
    const [baseAsset, quoteAsset] = row.side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
    const quote = token(chainId, quoteAsset);
    const amounts = { makerAmount: BigInt(filled.makerAmount), takerAmount: BigInt(filled.takerAmount) };
    const trade = tradeOf(row.side, amounts, token(chainId, baseAsset)?.decimals, quote?.decimals);
    const isDue = (name: MarkName) => !isTooEarly(name, row.filledAt, name === 'edge' ? now : now - MARK_WRITTEN_MS);
    const next = MARK_NAMES.find((name) => !isDue(name));
    const nextAt = next === undefined ? null : row.filledAt + MARKS[next].afterMs;
    const dollars = rate(chainId, quote, row.filledAt) ?? (filled.dollarRate && parseDecimal(filled.dollarRate));
    const newest = MARK_NAMES.findLast(isDue);
    if (trade === null || !dollars || newest === undefined) return { gain: null, nextAt };
    let mid = row[`mid_${newest}`];
    if (mid === null) {
      const at = newest === 'edge' ? row.signedAt : row.filledAt + MARKS[newest].afterMs;
      const later = firstAfter(chainId, filled.pair, { after: at, until: at + LONGEST_WAIT_MS });
      if (later === undefined) return { gain: null, nextAt: null };
      if (later.heard + MARK_WRITTEN_MS > now)
        return { gain: null, nextAt: Math.min(nextAt ?? later.heard, later.heard) };
      mid = later.mid;
    }
    return { gain: `${floor(mul(mul(worthAt(trade, mid).gain, dollars), MILLION))}`, nextAt };
  };
}
