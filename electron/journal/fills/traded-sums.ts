import type { Traded } from '../../contract/console/fills.ts';
import type { Mark } from '../../contract/quote-log.ts';
import { formatDecimal, type Rational } from '../../protocol/decimal.ts';
import { MARK_NAMES, type MarkName } from '../book/reference-at.ts';
import { addWorth, plus, tenthBps, type Worth } from '../quotes/trade-value.ts';

/** Exact sums of some fills. Worths of a pair are in its quote token, of a user or of everything in dollars. */
export type TradedSums = {
  fills: number;
  /** In quote tokens; null where fills of several tokens are summed. */
  quote: { amount: Rational; symbol: string } | null;
  dollars: Rational;
  unpriced: number;
  worths: Record<MarkName, Worth | null>;
  /** How many fills have the mark. */
  counts: Record<MarkName, number>;
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
    dollars: ZERO,
    unpriced: 0,
    worths: { edge: null, after10s: null, after1m: null, after5m: null },
    counts: { edge: 0, after10s: 0, after1m: 0, after5m: 0 },
    due: { edge: false, after10s: false, after1m: false, after5m: false },
  };
}

/** Both sums together; `a` is not changed. */
export function addSums(a: TradedSums, b: TradedSums): TradedSums {
  const worths = { ...a.worths };
  const counts = { ...a.counts };
  const due = { ...a.due };
  for (const name of MARK_NAMES) {
    const [one, other] = [a.worths[name], b.worths[name]];
    worths[name] = one === null ? other : other === null ? one : addWorth(one, other);
    counts[name] += b.counts[name];
    due[name] ||= b.due[name];
  }
  const quote =
    a.quote === null || b.quote === null
      ? (a.quote ?? b.quote)
      : { symbol: a.quote.symbol, amount: plus(a.quote.amount, b.quote.amount) };
  return {
    fills: a.fills + b.fills,
    quote,
    dollars: plus(a.dollars, b.dollars),
    unpriced: a.unpriced + b.unpriced,
    worths,
    counts,
    due,
  };
}

/** The sums as they are shown: in dollars where all of it is known in dollars, else in the quote token. */
export function shownSums(sums: TradedSums, asked: AskedSums): Traded {
  const mark = (name: MarkName): Mark => {
    const worth = sums.worths[name];
    if (worth !== null) return tenthBps(worth);
    return sums.fills > 0 && !sums.due[name] ? 'not_yet' : null;
  };
  const inQuote = sums.unpriced > 0 && sums.quote !== null ? sums.quote : null;
  const volume =
    inQuote === null
      ? formatDecimal(sums.dollars, DOLLAR_PLACES, 'floor')
      : formatDecimal(inQuote.amount, QUOTE_PLACES, 'floor');
  return {
    ...asked,
    fills: sums.fills,
    volume: sums.unpriced > 0 && inQuote === null && sums.unpriced === sums.fills ? null : volume,
    unit: inQuote?.symbol ?? 'USD',
    unpriced: sums.unpriced,
    counts: sums.counts,
    edge: mark('edge'),
    after10s: mark('after10s'),
    after1m: mark('after1m'),
    after5m: mark('after5m'),
  };
}
