import {
  add,
  compare,
  div,
  floor,
  formatDecimal,
  mul,
  parseDecimal,
  type Rational,
  sub,
  WHOLE_BPS,
} from './decimal.ts';
import { DeskError } from './desk-error.ts';
import type { Side } from './side.ts';
import type { Level } from './wire.ts';

/** How sizes go from the best level outwards: all alike, 1 2 3 … times the first, or each `factor` times the one before. */
export type SizeShape = { kind: 'flat' } | { kind: 'linear' } | { kind: 'factor'; factor: string };

/** Both sides of a ladder as texts, best first. */
type Both = { readonly bids: readonly Level[]; readonly asks: readonly Level[] };

/** Where the levels of a ladder stand. */
export interface PricePlan {
  mid: Rational;
  /** From best bid to best ask, bps of the mid. */
  spreadBps: string;
  /** How far each level of a side lies behind the best one, as a part of the mid; one for each level, the first is 0. */
  behind: Record<Side, readonly Rational[]>;
  pricePlaces: number;
}

const ONE: Rational = { n: 1n, d: 1n };
const WHOLE: Rational = { n: WHOLE_BPS, d: 1n };
/** Twice that: half a spread is taken off each side of the mid. */
const TWO_WHOLES: Rational = { n: 2n * WHOLE_BPS, d: 1n };
const MOST_PLACES = 18;
/** Digits behind the point that a spread is told with at least, so that it is the one that the screen shows elsewhere. */
const LEAST_DIGITS = 2;

/** Levels that lie `stepBps` of the mid behind one another. */
export function evenlyBehind(stepBps: string, levels: number): Rational[] {
  const step = div(parseDecimal(stepBps), WHOLE);
  return Array.from({ length: levels }, (_, level) => ({ n: step.n * BigInt(level), d: step.d }));
}

/**
 * How far the levels of a side lie behind its best one, as parts of `around`. Behind the last one they go on as far apart as
 * the last two; null where more levels are wanted and there are no two.
 */
export function behindAsIn(side: readonly Level[], around: Rational, levels: number): Rational[] | null {
  const prices = side.slice(0, levels).map(([price]) => parseDecimal(price));
  const [best] = prices;
  if (best === undefined || (prices.length < levels && prices.length < 2)) return null;
  const behind = prices.map((price) => div(apart(price, best), around));
  const [before, last] = behind.slice(-2);
  if (before === undefined || last === undefined) return behind;
  const gap = sub(last, before);
  const more = Array.from({ length: levels - behind.length }, (_, level) =>
    add(last, { n: gap.n * BigInt(level + 1), d: gap.d }),
  );
  return [...behind, ...more];
}

/**
 * The prices of both sides around a mid, cut to whole ticks against the taker: bids down, asks up. Throws DeskError
 * `cannot_build` where a bid would not be above zero.
 */
export function ladderPrices({ mid, spreadBps, behind, pricePlaces }: PricePlan): Record<Side, string[]> {
  const half = div(parseDecimal(spreadBps), TWO_WHOLES);
  const bids = behind.bids.map((back, level) => {
    const bid = formatDecimal(mul(mid, sub(ONE, add(half, back))), pricePlaces, 'floor');
    if (bid.startsWith('-') || bid === '0') throw cannotBuild(`Bid ${level + 1} would not be above zero.`);
    return bid;
  });
  const asks = behind.asks.map((back) => formatDecimal(mul(mid, add(ONE, add(half, back))), pricePlaces, 'ceil'));
  return { bids, asks };
}

/** How the sizes of `levels` levels stand to one another: whole numbers, best level first. */
export function proportionsOf(shape: SizeShape, levels: number): bigint[] {
  const { n, d } = shape.kind === 'factor' ? parseDecimal(shape.factor) : ONE;
  return Array.from({ length: levels }, (_, level) =>
    shape.kind === 'linear' ? BigInt(level + 1) : n ** BigInt(level) * d ** BigInt(levels - 1 - level),
  );
}

/** The same as the sizes of a side stand to one another; levels behind its last are like that one. Empty where it has none. */
export function proportionsIn(side: readonly Level[], levels: number): bigint[] {
  const sizes = sizesAsIn(side, levels);
  const widest = sizes.reduce((most, { d }) => (d > most ? d : most), 1n);
  return sizes.map(({ n, d }) => n * (widest / d));
}

/** The sizes of a side; levels behind its last are like that one. Empty where it has none. */
export function sizesAsIn(side: readonly Level[], levels: number): Rational[] {
  const last = side.at(-1);
  if (last === undefined) return [];
  return Array.from({ length: levels }, (_, level) => parseDecimal((side[level] ?? last)[1]));
}

/** Sizes of which the first is `first`. */
export function sizesFrom(first: Rational, proportions: readonly bigint[]): Rational[] {
  const [one] = proportions;
  if (one === undefined) return [];
  return proportions.map((part) => ({ n: first.n * part, d: first.d * one }));
}

/**
 * The largest sizes of a side with which it gives no more than `most` in all. Each unit of a level's size gives its `price` of
 * that token: the level's own on bids, which give the quote token, and 1 on asks.
 */
export function sizesWithin(most: Rational, proportions: readonly bigint[], prices: readonly Rational[]): Rational[] {
  let given: Rational = { n: 0n, d: 1n };
  for (const [level, part] of proportions.entries()) {
    const { n, d } = prices[level] ?? ONE;
    given = add(given, { n: n * part, d });
  }
  return given.n === 0n ? [] : proportions.map((part) => div({ n: most.n * part, d: most.d }, given));
}

/** Levels of these prices, their sizes cut down to `amountPlaces`. Throws DeskError `cannot_build` where one would be zero. */
export function levelsOf(prices: readonly string[], sizes: readonly Rational[], amountPlaces: number): Level[] {
  return prices.map((price, level) => {
    const amount = formatDecimal(sizes[level] ?? { n: 0n, d: 1n }, amountPlaces, 'floor');
    if (amount === '0') throw cannotBuild(`The size of level ${level + 1} would be zero.`);
    return [price, amount];
  });
}

/** The fewest decimals with which `value` keeps `digits` significant ones, at most 18. */
export function placesFor(value: Rational, digits: number): number {
  const wanted = 10n ** BigInt(digits - 1);
  let places = 0;
  for (let scaled = value; places < MOST_PLACES && floor(scaled) < wanted; places++) {
    scaled = { n: scaled.n * 10n, d: scaled.d };
  }
  return places;
}

/** The most decimals in a column of a ladder; null where it has no level. */
export function finestIn({ bids, asks }: Both, column: 0 | 1): number | null {
  const places = [...bids, ...asks].map((level) => placesIn(level[column]));
  return places.length === 0 ? null : Math.max(...places);
}

/** How many digits a plain decimal has behind the point. */
export function placesIn(text: string): number {
  return (text.split('.')[1] ?? '').length;
}

/** Halfway between best bid and best ask; null without both. */
export function middleOf({ bids, asks }: Both): Rational | null {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return null;
  return div(add(parseDecimal(bid[0]), parseDecimal(ask[0])), { n: 2n, d: 1n });
}

/**
 * The spread of a ladder in bps of its mid, with two decimals or the fewest with which `ladderPrices` gives its best prices again around
 * that mid. Null without both sides, or where they are not apart.
 */
export function spreadIn(ladder: Both): string | null {
  const mid = middleOf(ladder);
  const places = finestIn(ladder, 0);
  const [bid] = ladder.bids;
  if (mid === null || places === null || bid === undefined) return null;
  const half = sub(mid, parseDecimal(bid[0]));
  if (half.n <= 0n) return null;
  const asBps = (away: Rational) => mul(div(away, mid), TWO_WHOLES);
  const most = asBps(half);
  // A tick less, and the best prices would be a tick nearer.
  const least = asBps(sub(half, { n: 1n, d: 10n ** BigInt(places) }));
  for (let digits = LEAST_DIGITS; ; digits++) {
    const text = formatDecimal(most, digits, 'floor');
    if (text !== '0' && compare(parseDecimal(text), least) > 0) return text;
  }
}

/** How far apart the levels of a ladder lie on average, bps of its mid, to three digits and rounded up; null where no side has two. */
export function stepIn(ladder: Both): string | null {
  const side = ladder.bids.length >= ladder.asks.length ? ladder.bids : ladder.asks;
  const [best, last] = [side[0], side.at(-1)];
  if (best === undefined || last === undefined || side.length < 2) return null;
  const [from, to] = [parseDecimal(best[0]), parseDecimal(last[0])];
  const steps: Rational = { n: BigInt(side.length - 1), d: 1n };
  const step = div(mul(div(apart(from, to), middleOf(ladder) ?? from), WHOLE), steps);
  return formatDecimal(step, placesFor(step, 3), 'ceil');
}

function apart(a: Rational, b: Rational): Rational {
  const { n, d } = sub(a, b);
  return { n: n < 0n ? -n : n, d };
}

function cannotBuild(sentence: string): DeskError {
  return new DeskError('cannot_build', sentence, { remedy: 'Take fewer levels, a smaller step or a larger size.' });
}
