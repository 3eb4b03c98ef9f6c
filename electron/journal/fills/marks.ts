import type { FillRow, MarkedFill } from '../../contract/quote-log.ts';
import { div, formatDecimal, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import type { ListedToken } from '../book/listed-tokens.ts';
import { MARK_AFTER_MS, MARK_NAMES, type MarkName, referenceAt } from '../book/reference-at.ts';
import { sidesOf, type Trade, tenthBps, type Worth, worthAt } from '../quotes/trade-value.ts';

/** The reference of a fill's pair at each of its marks. */
export type MidColumns = { [Name in MarkName as `mid_${Name}`]: string | null };

/** One of `MidColumns`, of fills named `f`. */
export function midColumn(name: MarkName): string {
  const mid = referenceAt({ chain: 'f.chain_id', pair: 'f.pair', time: `(f.time + ${MARK_AFTER_MS[name]})` });
  return `${mid} AS mid_${name}`;
}

export const MID_COLUMNS = MARK_NAMES.map(midColumn).join(', ');

/** Prices are shown with this many digits at most; what is computed with them is exact. */
const PRICE_PLACES = 18;
const DOLLAR_PLACES = 2;

/** What a fill was worth at each mark: null without a reference there. */
export function worthsOf(trade: Trade, mids: MidColumns): Record<MarkName, Worth | null> {
  const at = (mid: string | null) => (mid === null ? null : worthAt(trade, mid));
  return {
    edge: at(mids.mid_edge),
    after10s: at(mids.mid_after10s),
    after1m: at(mids.mid_after1m),
    after5m: at(mids.mid_after5m),
  };
}

/** Whether the time of a mark has not come yet. Both times in Unix milliseconds. */
export function isTooEarly(name: MarkName, fillTime: number, now: number): boolean {
  return fillTime + MARK_AFTER_MS[name] > now;
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
    edge: mark('edge'),
    after10s: mark('after10s'),
    after1m: mark('after1m'),
    after5m: mark('after5m'),
  };
}

/** What one base token cost in quote tokens, cut towards the desk's disadvantage: up where it bought. */
export function priceOf(trade: Trade): string | null {
  const { base, quote } = sidesOf(trade);
  return base.n === 0n ? null : formatDecimal(div(quote, base), PRICE_PLACES, trade.side === 'bids' ? 'ceil' : 'floor');
}

/** Dollars a quote token: 1 for a dollar token, the reference of its own pair for another, null where neither is known. */
export function dollarRate(quote: ListedToken, mid: string | null): Rational | null {
  if (quote.isDollar) return { n: 1n, d: 1n };
  return mid === null ? null : parseDecimal(mid);
}

export const NO_FIGURES: Figures = {
  price: null,
  reference: null,
  edgeQuote: null,
  edgeUsd: null,
  edge: null,
  after10s: null,
  after1m: null,
  after5m: null,
};
