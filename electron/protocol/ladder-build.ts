import { div, floor, formatDecimal, mul, parseDecimal, type Rational, sub } from './decimal.ts';
import { DeskError } from './desk-error.ts';
import type { Level } from './wire.ts';

/** How sizes go from the best level outwards: all alike, 1 2 3 … times the first, or each `factor` times the one before. */
export type SizeShape = { kind: 'flat' } | { kind: 'linear' } | { kind: 'factor'; factor: string };

/** What a ladder is built from. All texts are plain decimals; prices in quote per base, sizes in base. */
export interface LadderPlan {
  mid: Rational;
  /** From best bid to best ask, bps of the mid. */
  spreadBps: string;
  /** From each level to the next, bps of the mid. */
  stepBps: string;
  /** The size of every level, best first; as many as there are levels. */
  sizes: readonly Rational[];
  pricePlaces: number;
  amountPlaces: number;
}

const ONE: Rational = { n: 1n, d: 1n };
const WHOLE: Rational = { n: 10_000n, d: 1n };
const MOST_PLACES = 18;

/** The sizes of `levels` levels of which the first is `first`. */
export function levelSizes(first: Rational, shape: SizeShape, levels: number): Rational[] {
  const factor = shape.kind === 'factor' ? parseDecimal(shape.factor) : ONE;
  const sizes: Rational[] = [];
  let size = first;
  for (let level = 0; level < levels; level++) {
    sizes.push(shape.kind === 'linear' ? mul(first, { n: BigInt(level + 1), d: 1n }) : size);
    size = mul(size, factor);
  }
  return sizes;
}

/**
 * Both sides around a mid. Cut to whole ticks against the taker: bids down, asks up, sizes down.
 * Throws DeskError `cannot_build` where a level would not be above zero.
 */
export function buildLadder(plan: LadderPlan): { bids: Level[]; asks: Level[] } {
  const half = div(parseDecimal(plan.spreadBps), { n: 2n, d: 1n });
  const step = parseDecimal(plan.stepBps);
  const bids: Level[] = [];
  const asks: Level[] = [];
  for (const [level, size] of plan.sizes.entries()) {
    const away = div(addTimes(half, step, level), WHOLE);
    const bid = formatDecimal(mul(plan.mid, sub(ONE, away)), plan.pricePlaces, 'floor');
    const ask = formatDecimal(mul(plan.mid, addTimes(ONE, away, 1)), plan.pricePlaces, 'ceil');
    const amount = formatDecimal(size, plan.amountPlaces, 'floor');
    if (bid.startsWith('-') || bid === '0') throw cannotBuild(`Bid ${level + 1} would not be above zero.`);
    if (amount === '0') throw cannotBuild(`The size of level ${level + 1} would be zero.`);
    bids.push([bid, amount]);
    asks.push([ask, amount]);
  }
  return { bids, asks };
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

function addTimes(a: Rational, b: Rational, times: number): Rational {
  const n = b.n * BigInt(times);
  return a.d === b.d ? { n: a.n + n, d: a.d } : { n: a.n * b.d + n * a.d, d: a.d * b.d };
}

function cannotBuild(sentence: string): DeskError {
  return new DeskError('cannot_build', sentence, { remedy: 'Take fewer levels, a smaller step or a larger size.' });
}
