import type { PairRow } from '../../../electron/contract/book.ts';
import type { Formula } from '../../../electron/contract/formula.ts';
import type { FormulaPrice, FormulaRow, FormulaTerm, TermShare } from '../../../electron/contract/formula-prices.ts';
import { FORMULA } from '../../../electron/contract/names.ts';
import {
  compareDecimals,
  type Decimal,
  groupedText,
  negated,
  plainText,
  ratio,
  readDecimal,
  sum,
  toPixels,
  withPlaces,
} from '../../components/figures/decimal-text.ts';

/** A side of a price as terms are told: `bid` is what we pay. */
export const PRICE_SIDES = ['bid', 'ask'] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** What a term is on one side: its column texts, all of its digits, and its bar. */
export interface ShownShare {
  /** Empty of the mid, which is no share. */
  bps: string;
  price: string;
  exact: string;
  /** Where it moves the price from and to, from 0 at the left end of the chart to 1. */
  from: number;
  to: number;
  /** Whether it adds to the spread, or takes from it; null where it does neither. */
  widens: boolean | null;
}

export interface ShownTerm {
  term: FormulaTerm | 'steps';
  bid: ShownShare | null;
  ask: ShownShare | null;
}

/** A formula and what it gives. */
export interface Priced {
  formula: Formula;
  price: FormulaPrice;
}

/** A price with what it is made of, so that what stands in each column adds up to it. */
export interface ShownTerms {
  rows: readonly ShownTerm[];
  /** Null where the side has no such level. `isClosed`: it is worked out, and not served. */
  total: Record<PriceSide, { price: string; bps: string; isClosed: boolean; at: number } | null>;
  /** How far both are apart, in quote tokens and in bps of their middle; null without both. */
  spread: { price: string; bps: string } | null;
  /** The mid on the chart, and its two ends as prices. */
  mid: number;
  ends: readonly [string, string];
}

const ZERO: Decimal = { digits: 0n, places: 0 };
const BPS_PLACES = 2;
/** What the steps to a level come to in bps has no end: so many places of it count. */
const STEP_PLACES = 6;
/** The room beside the outermost bar, a part of all. For pixels only. */
const MARGIN = 0.06;

/** What the prices of a level (from 0 at the best one) are made of. */
export function shownTerms({ formula, price }: Priced, level: number): ShownTerms {
  const tick = read(formula.tick).places;
  // One digit finer than the prices are.
  const places = Math.min(tick + 1, 12);
  const columns = { bid: columnOf(price, 'bid', level, places), ask: columnOf(price, 'ask', level, places) };
  const all = PRICE_SIDES.flatMap((side) => columns[side].sums.map(toPixels));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = (high - low || Math.abs(high) * 0.001 || 1) * MARGIN;
  const [left, right] = [low - margin, high + margin];
  const xOf = (at: Decimal) => (toPixels(at) - left) / (right - left);
  const share = (side: PriceSide, index: number): ShownShare | null => {
    const { parts, sums, bps, prices } = columns[side];
    const [part, to] = [parts[index], sums[index]];
    if (part === undefined || to === undefined) return null;
    const from = sums[index - 1] ?? to;
    const moved = compareDecimals(to, from);
    return {
      bps: index === 0 ? '' : signedText(bps[index]),
      price: index === 0 ? groupedText(nearest(to, places)) : signedText(prices[index]),
      exact: index === 0 ? part.price : `${part.price}, ${part.bps} bps`,
      from: xOf(from),
      to: xOf(to),
      widens: moved === 0 ? null : moved < 0 === (side === 'bid'),
    };
  };
  const terms: readonly ShownTerm['term'][] = [
    ...price.terms.map(({ term }) => term),
    ...(level === 0 ? [] : ['steps' as const]),
  ];
  const total = (side: PriceSide) => {
    const { sums, bps, isThere } = columns[side];
    const at = sums.at(-1);
    if (!isThere || at === undefined) return null;
    const all = bps.slice(1).reduce(sum, { digits: 0n, places: BPS_PLACES });
    return {
      price: groupedText(withPlaces(at, tick, 'down')),
      bps: signedText(all),
      isClosed: price.ladder[side === 'bid' ? 'bids' : 'asks'].length === 0,
      at: xOf(at),
    };
  };
  const [buy, sell] = [columns.bid.sums.at(-1) ?? ZERO, columns.ask.sums.at(-1) ?? ZERO];
  const apart = sum(sell, negated(buy));
  // Of the middle of both, as every page has it.
  const apartBps = ratio({ digits: apart.digits * 20_000n, places: apart.places }, sum(buy, sell), 1, 'down');
  const isWhole = columns.bid.isThere && columns.ask.isThere;
  const mid = columns.bid.sums[0] ?? ZERO;
  const endText = (at: number) => groupedText(readDecimal(at.toFixed(Math.min(places, 8))) ?? mid);
  return {
    rows: terms.map((term, index) => ({ term, bid: share('bid', index), ask: share('ask', index) })),
    total: { bid: total('bid'), ask: total('ask') },
    spread: isWhole
      ? {
          price: groupedText(withPlaces(apart, tick, 'down')),
          bps: groupedText(apartBps ?? { digits: 0n, places: 1 }),
        }
      : null,
    mid: xOf(mid),
    ends: [endText(left), endText(right)],
  };
}

/** The shares of a side one by one, what they have added up to by then, and both columns as they are written. */
function columnOf(price: FormulaPrice, side: PriceSide, level: number, places: number) {
  const best = read(price.total[side].price);
  const parts: TermShare[] = price.terms.map((term) => term[side]);
  const levels = price.ladder[side === 'bid' ? 'bids' : 'asks'];
  const own = levels[level];
  const isThere = level === 0 || own !== undefined;
  if (level > 0 && own !== undefined) {
    const step = sum(read(own[0]), negated(best));
    const bps = ratio(
      { digits: step.digits * 10_000n, places: step.places },
      read(price.inputs.mid),
      STEP_PLACES,
      'down',
    );
    parts.push({ price: plainText(step), bps: bps === null ? '0' : plainText(bps) });
  }
  const sums = runningOf(parts.map((part) => read(part.price)));
  return {
    parts,
    sums,
    bps: writtenOf(runningOf(parts.map((part) => read(part.bps))), BPS_PLACES),
    prices: writtenOf(sums, places),
    isThere,
  };
}

function runningOf(parts: readonly Decimal[]): Decimal[] {
  let so = ZERO;
  return parts.map((part) => {
    so = sum(so, part);
    return so;
  });
}

/** What each part is written as, so that the written parts add up to the written sums. */
function writtenOf(sums: readonly Decimal[], places: number): Decimal[] {
  const cut = sums.map((one) => nearest(one, places).digits);
  return cut.map((digits, index) => ({ digits: digits - (cut[index - 1] ?? 0n), places }));
}

/** To the nearest, halves away from zero: a part of a sum is nobody's gain or loss. */
function nearest({ digits, places }: Decimal, wanted: number): Decimal {
  if (wanted >= places) return withPlaces({ digits, places }, wanted, 'down');
  const unit = 10n ** BigInt(places - wanted);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return { digits: (digits + half) / unit, places: wanted };
}

function read(text: string): Decimal {
  return readDecimal(text) ?? ZERO;
}

function signedText(value: Decimal | undefined): string {
  if (value === undefined) return '';
  return `${value.digits > 0n ? '+' : ''}${groupedText(value)}`;
}

/** Which price is told, and of what: of the live revision, with its number where it was made before now, or of now. */
export type Explained =
  | { of: 'live'; priced: Priced; revision: number | null }
  | { of: 'now'; priced: Priced }
  | { of: 'nothing' };

/**
 * What to explain of a pair: what the formula gives now where that is what is live, or where it closes the pair; else what the last
 * revision was made of while a formula's is live or was left so by a hand; else what it gives now although that is not live.
 */
export function explained(
  { formula, now, served, pricedBy }: Pick<FormulaRow, 'formula' | 'now' | 'served' | 'pricedBy'>,
  live: Pick<PairRow, 'bestBid' | 'bestAsk' | 'publishedBy'>,
): Explained {
  const isSame = (side: 'bids' | 'asks', shown: string | null) => {
    const made = now?.ladder[side][0]?.[0] ?? null;
    if (made === null || shown === null) return made === shown;
    return compareDecimals(read(made), read(shown)) === 0;
  };
  if (now !== null && isSame('bids', live.bestBid) && isSame('asks', live.bestAsk)) {
    return { of: 'live', priced: { formula, price: now }, revision: null };
  }
  const isClosed = now !== null && now.ladder.bids.length + now.ladder.asks.length === 0;
  if (served !== null && live.publishedBy === FORMULA && !(isClosed && pricedBy === 'formula')) {
    return { of: 'live', priced: served, revision: served.revision };
  }
  return now === null ? { of: 'nothing' } : { of: 'now', priced: { formula, price: now } };
}
