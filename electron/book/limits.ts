import { CHAIN_LIMITS, LIMITS, type Limits, limitsSchema, TOKEN_LIMITS } from '../contract/limits.ts';
import { compare, parseDecimal } from '../protocol/decimal.ts';

/**
 * The stricter of two sets of limits, one by one. Zero or missing means no limit, so it is the weakest of all. A change
 * of limits is a stop as far as it makes them stricter, and a start as far as it loosens them. What is no stop, such as what
 * may drift, is not in it.
 */
export function strictestLimits(a: Limits, b: Limits): Limits {
  const strictest = limitsSchema.parse({});
  for (const name of TOKEN_LIMITS) {
    if (LIMITS[name].isStop) strictest[name] = lowestAmounts(a[name] ?? {}, b[name] ?? {});
  }
  for (const name of CHAIN_LIMITS) if (LIMITS[name].isStop) strictest[name] = lowest(a[name], b[name]);
  return strictest;
}

/** A journal of before a limit does not say it. */
function lowest(a = 0, b = 0): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

function lowestAmounts(a: Limits['maxQuote'], b: Limits['maxQuote']): Limits['maxQuote'] {
  const amounts = new Map(Object.entries(a));
  for (const [id, amount] of Object.entries(b)) {
    const other = amounts.get(id);
    amounts.set(id, other === undefined ? amount : lowestAmount(other, amount));
  }
  return Object.fromEntries(amounts);
}

function lowestAmount(a: string, b: string): string {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left.n === 0n || right.n === 0n) return left.n === 0n ? b : a;
  return compare(left, right) <= 0 ? a : b;
}
