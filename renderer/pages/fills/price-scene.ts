import { readDecimal, toPixels } from '../../components/figures/decimal-text.ts';

/** A fill as the desk places it. */
export interface PlacedFill {
  seq: number;
  quoteSeq: number | null;
  time: number;
  side: 'bids' | 'asks';
  price: string;
  base: string;
  edge: number | 'not_yet' | null;
}
type Line = readonly (readonly [number, string | null])[];
export interface ChartData {
  reference: Line;
  bid: Line;
  ask: Line;
  fills: readonly PlacedFill[];
  count: number;
}

/** A mark of one fill or of several that would lie on one another; pixels from the left and from the top. */
export interface PriceMark {
  /** The largest of them. */
  fill: PlacedFill;
  /** How many lie here. */
  count: number;
  x: number;
  y: number;
  /** Half of the triangle's side. */
  half: number;
}

const SMALLEST = 3;
const LARGEST = 8;
/** A mark wants so much of the width for itself; where there is less, all of them are smaller. Pixels. */
const ROOM = 20;

/** For pixels only: never for money. */
export function pixelsOf(text: string): number {
  const read = readDecimal(text);
  return read === null ? Number.NaN : toPixels(read);
}

/** The prices of a line at `steps` moments of equal distance: each holds until the next one. Unix milliseconds. */
export function evenPrices(line: Line, since: number, until: number, steps: number): readonly (string | null)[] {
  let at = 0;
  let price: string | null = null;
  return Array.from({ length: steps }, (_, step) => {
    const time = since + ((until - since) * step) / (steps - 1);
    for (let next = line[at]; next !== undefined && next[0] <= time; next = line[at]) {
      price = next[1];
      at += 1;
    }
    return price;
  });
}

/** Where a moment between two steps lies: the chart knows the place of whole steps only. Null while it shows none. */
export function betweenSteps(step: number, xOf: (whole: number) => number | null): number | null {
  const before = Math.floor(step);
  const [left, right] = [xOf(before), xOf(before + 1)];
  return left === null || right === null ? null : left + (right - left) * (step - before);
}

/**
 * The marks of fills on a chart of this size. Where many stand close they are smaller, and of those that would lie on one
 * another the largest stands for all; with more room for each there are more of them again.
 */
export function priceMarks(
  fills: readonly PlacedFill[],
  place: (fill: PlacedFill) => { x: number; y: number } | null,
  size: { width: number; height: number },
): readonly PriceMark[] {
  const inside = fills.flatMap((fill) => {
    const at = place(fill);
    if (at === null || at.x < -LARGEST || at.x > size.width + LARGEST) return [];
    return [{ fill, ...at, amount: pixelsOf(fill.base) }];
  });
  let most = 0;
  for (const { amount } of inside) if (amount > most) most = amount;
  const crowd = (inside.length * ROOM) / Math.max(1, size.width);
  const largest = Math.max(SMALLEST + 1, LARGEST / Math.sqrt(Math.max(1, crowd)));
  const marks = new Map<string, PriceMark & { amount: number }>();
  for (const { fill, x, y, amount } of inside) {
    const half = SMALLEST + (largest - SMALLEST) * Math.sqrt(most === 0 ? 0 : amount / most);
    const cell = `${fill.side} ${Math.floor(x / largest)} ${Math.floor(y / largest)}`;
    const there = marks.get(cell);
    if (there === undefined) marks.set(cell, { fill, count: 1, x, y, half, amount });
    else if (amount > there.amount) marks.set(cell, { fill, count: there.count + 1, x, y, half, amount });
    else there.count += 1;
  }
  return [...marks.values()];
}

/** The mark under a point, if any. */
export function markAt(marks: readonly PriceMark[], x: number, y: number): PriceMark | null {
  return marks.find((mark) => Math.abs(mark.x - x) <= mark.half + 3 && Math.abs(mark.y - y) <= mark.half + 3) ?? null;
}

/** Shorter than this nothing is looked at. Milliseconds. */
const SHORTEST = 10_000;

/**
 * What a hand made of the span: no shorter than can be looked at, and within what there is. Null is all there is; one that
 * reaches its end goes on with the clock. Unix milliseconds.
 */
export function zoomedSpan(
  wanted: { since: number; until: number },
  all: { since: number; until: number },
): { since: number; until: number | null } | null {
  const whole = all.until - all.since;
  const length = Math.min(whole, Math.max(SHORTEST, wanted.until - wanted.since));
  const since = Math.round(Math.max(all.since, Math.min(all.until - length, wanted.since)));
  const until = Math.round(since + length);
  if (until >= all.until) return since <= all.since ? null : { since, until: null };
  return { since, until };
}

/** What a key makes of the span: arrows move it by a tenth, + and − zoom about its middle; null for any other key. */
export function keyedSpan(
  { since, until }: { since: number; until: number },
  key: string,
): { since: number; until: number } | null {
  const tenth = (until - since) / 10;
  if (key === 'ArrowLeft') return { since: since - tenth, until: until - tenth };
  if (key === 'ArrowRight') return { since: since + tenth, until: until + tenth };
  if (key === '+' || key === '=') return { since: since + tenth, until: until - tenth };
  // As much as + took: eight tenths are ten again.
  if (key === '-') return { since: since - tenth * 1.25, until: until + tenth * 1.25 };
  return null;
}

/** Round figures between two others, about so many. */
export function evenSteps(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((candidate) => candidate >= rough) ?? rough;
  const steps: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) steps.push(at * step);
  return steps;
}
