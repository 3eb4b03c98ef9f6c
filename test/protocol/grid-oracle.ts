/**
 * Prices an amount the long way round, for comparison: reduced fractions, and the inversion of the book written out as
 * PROTOCOL 4.3.5 words it. Shares nothing with the desk.
 */
type Fraction = { top: bigint; bottom: bigint };

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

function fraction(top: bigint, bottom: bigint): Fraction {
  const common = gcd(top < 0n ? -top : top, bottom);
  return common === 0n ? { top: 0n, bottom: 1n } : { top: top / common, bottom: bottom / common };
}

export const plus = (a: Fraction, b: Fraction) => fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const times = (a: Fraction, b: Fraction) => fraction(a.top * b.top, a.bottom * b.bottom);
export const inverse = (a: Fraction) => fraction(a.bottom, a.top);
export const isLess = (a: Fraction, b: Fraction) => a.top * b.bottom < b.top * a.bottom;
export const down = (a: Fraction) => a.top / a.bottom;
export const up = (a: Fraction) => (a.top % a.bottom === 0n ? a.top / a.bottom : a.top / a.bottom + 1n);

/** Reads a decimal digit by digit. */
export function read(text: string): Fraction {
  let value = fraction(0n, 1n);
  let weight = fraction(1n, 1n);
  let behind = false;
  for (const character of text) {
    if (character === '.') behind = true;
    else if (behind) {
      weight = times(weight, fraction(1n, 10n));
      value = plus(value, times(weight, fraction(BigInt(character), 1n)));
    } else value = plus(times(value, fraction(10n, 1n)), fraction(BigInt(character), 1n));
  }
  return value;
}

type OracleLevel = { price: Fraction; amount: Fraction };

/** What the other amount must be, in raw units, or null when the amount is over the depth. */
export function oraclePrice(question: {
  levels: readonly (readonly [string, string])[];
  side: 'bids' | 'asks';
  given: 'makerAmount' | 'takerAmount';
  amount: bigint;
  baseDecimals: number;
  quoteDecimals: number;
}): bigint | null {
  const makerToken = question.side === 'asks' ? 'base' : 'quote';
  const takerToken = question.side === 'asks' ? 'quote' : 'base';
  const givenToken = question.given === 'makerAmount' ? makerToken : takerToken;
  const otherToken = givenToken === 'base' ? 'quote' : 'base';
  const units = (token: string) =>
    fraction(10n ** BigInt(token === 'base' ? question.baseDecimals : question.quoteDecimals), 1n);
  let book: OracleLevel[] = question.levels.map(([price, amount]) => ({ price: read(price), amount: read(amount) }));
  if (givenToken === 'quote') {
    book = book.map(({ price, amount }) => ({ price: inverse(price), amount: times(price, amount) }));
  }
  let open = times(fraction(question.amount, 1n), inverse(units(givenToken)));
  let sum = fraction(0n, 1n);
  for (const { price, amount } of book) {
    const filled = isLess(open, amount) ? open : amount;
    sum = plus(sum, times(price, filled));
    open = plus(open, times(filled, fraction(-1n, 1n)));
  }
  if (open.top > 0n) return null;
  const raw = times(sum, units(otherToken));
  return question.given === 'makerAmount' ? up(raw) : down(raw);
}

/** Depth of a side in raw units of one token, rounded down. */
export function oracleDepth(
  levels: readonly (readonly [string, string])[],
  token: 'base' | 'quote',
  decimals: number,
): bigint {
  let sum = fraction(0n, 1n);
  for (const [price, amount] of levels) {
    sum = plus(sum, token === 'base' ? read(amount) : times(read(price), read(amount)));
  }
  return down(times(sum, fraction(10n ** BigInt(decimals), 1n)));
}
