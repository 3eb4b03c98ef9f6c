/** How far back the page looks, and the width of a bar of its overview. Milliseconds. */
export interface FillRange {
  name: string;
  ms: number;
  bucketMs: number;
  /** Where it begins and stays, Unix milliseconds; a range without moves on with the clock. */
  from?: number;
}

const MINUTE = 60_000;

export const FILL_RANGES: readonly [FillRange, ...FillRange[]] = [
  { name: '15 min', ms: 15 * MINUTE, bucketMs: 15_000 },
  { name: '1 h', ms: 60 * MINUTE, bucketMs: MINUTE },
  { name: '6 h', ms: 360 * MINUTE, bucketMs: 6 * MINUTE },
  { name: '24 h', ms: 1_440 * MINUTE, bucketMs: 24 * MINUTE },
  { name: '7 d', ms: 10_080 * MINUTE, bucketMs: 168 * MINUTE },
  { name: '30 d', ms: 43_200 * MINUTE, bucketMs: 720 * MINUTE },
];

/** The shortest range that reaches back to a moment; the longest where none does. Unix milliseconds. */
export function rangeBackTo(since: number, now: number): FillRange {
  return FILL_RANGES.find(({ ms }) => now - since <= ms) ?? FILL_RANGES.at(-1) ?? FILL_RANGES[0];
}

const BARS = 60;
const LENGTHS = [1, 2, 3, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 4_320, 10_080, 20_160];

/**
 * The part of a range that holds everything since the first fill in it: the range itself where fills go back far enough
 * or where there is none. It begins where they begin, and its bars widen in steps, so that an axis moves seldom.
 */
export function fittedRange(range: FillRange, found: { since: number; now: number } | null): FillRange {
  if (found === null) return range;
  const minutes = LENGTHS.find((length) => found.now - found.since <= length * MINUTE);
  if (minutes === undefined || minutes * MINUTE >= range.ms) return range;
  const ms = minutes * MINUTE;
  const bucketMs = ms / BARS;
  return { name: range.name, ms, bucketMs, from: Math.floor(found.since / bucketMs) * bucketMs };
}

/** A part of time, Unix milliseconds; open at its end while it goes on with the clock. */
export interface Span {
  since: number;
  until: number | null;
}

/** Further than any clock: the end of what goes on. */
export const NO_END = 8_000_000_000_000_000;

/** The bars of a range at a moment: `first` is the beginning of the oldest, `count` how many there are. */
export function barsOf(range: FillRange, now: number): { first: number; count: number } {
  if (range.from !== undefined) {
    const last = Math.max(1, Math.ceil((now - range.from) / range.bucketMs));
    return { first: range.from, count: last };
  }
  const count = Math.ceil(range.ms / range.bucketMs);
  const newest = Math.floor(now / range.bucketMs) * range.bucketMs;
  return { first: newest - (count - 1) * range.bucketMs, count };
}

/** Bars `from` to `to` as a span; one that ends with the newest bar goes on with the clock. */
export function brushedSpan(range: FillRange, bars: { first: number; count: number }, from: number, to: number): Span {
  const until = to >= bars.count - 1 ? null : bars.first + (to + 1) * range.bucketMs;
  return { since: bars.first + from * range.bucketMs, until };
}

/** Which bars a span covers; those outside of the range are cut off. */
export function coveredBars(range: FillRange, bars: { first: number; count: number }, span: Span): [number, number] {
  const at = (time: number) => Math.floor((time - bars.first) / range.bucketMs);
  const clamp = (bar: number) => Math.max(0, Math.min(bars.count - 1, bar));
  return [clamp(at(span.since)), span.until === null ? bars.count - 1 : clamp(at(span.until - 1))];
}
