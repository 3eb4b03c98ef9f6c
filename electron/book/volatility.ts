import { compare, div, formatDecimal, mul, type Rational, sub, WHOLE_BPS } from '../protocol/decimal.ts';

/** The longest window of a formula, and how long before its begin what holds there may have been said. Milliseconds. */
export const LONGEST_MS = 900_000;
export const BEFORE_MS = 3_600_000;
/** A volatility has so many digits behind its point. */
const BPS_PLACES = 2;

/** A mid that was believed, quote per base, and when it was so, Unix milliseconds. */
export interface KnownMid {
  readonly time: number;
  readonly mid: Rational;
}

/**
 * How far the lowest and the highest mid of the window that ends at `now` are apart, bps of the lowest, rounded up to a hundredth; the one
 * that held as it began is one of them. `mids` oldest first. Where none held then, why it is not known, the end of a sentence.
 */
export function volatilityOf(
  mids: readonly KnownMid[],
  windowSeconds: number,
  now: number,
): { bps: string } | { sentence: string } {
  const from = now - windowSeconds * 1_000;
  const first = mids.findLastIndex(({ time }) => time <= from);
  const begin = mids[first];
  if (begin === undefined) {
    const missing = Math.ceil(((mids[0]?.time ?? now) - from) / 1_000);
    return { sentence: `its reference is known for ${missing} s less than the ${windowSeconds} s of its volatility` };
  }
  let [low, high] = [begin.mid, begin.mid];
  for (let index = first + 1; index < mids.length; index += 1) {
    const { time, mid } = mids[index] as KnownMid;
    if (time > now) break;
    if (compare(mid, low) < 0) low = mid;
    if (compare(mid, high) > 0) high = mid;
  }
  const bps = div(mul(sub(high, low), { n: WHOLE_BPS, d: 1n }), low);
  return { bps: formatDecimal(bps, BPS_PLACES, 'ceil') };
}
