import { MOST_TENTH_BPS } from '../../contract/marks.ts';
import { floor, mul, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import type { Side } from '../../protocol/side.ts';

/** A trade as the maker gave and received it, in raw units. */
export type Trade = {
  side: Side;
  makerAmount: bigint;
  takerAmount: bigint;
  baseDecimals: number;
  quoteDecimals: number;
};

/** What a trade was worth to the desk at one reference price, in quote tokens: the gain, and the base at that price. */
export type Worth = { gain: Rational; notional: Rational };

/** Base and quote of a trade in token units: on the bids the maker buys base and gives quote, on the asks it gives base. */
export function sidesOf({ side, makerAmount, takerAmount, baseDecimals, quoteDecimals }: Trade): {
  base: Rational;
  quote: Rational;
} {
  const [base, quote] = side === 'bids' ? [takerAmount, makerAmount] : [makerAmount, takerAmount];
  return { base: { n: base, d: 10n ** BigInt(baseDecimals) }, quote: { n: quote, d: 10n ** BigInt(quoteDecimals) } };
}

/** Exactly what the trade gained against a mid price in quote per base: + is good for us. */
export function worthAt(trade: Trade, mid: string): Worth {
  const { base, quote } = sidesOf(trade);
  const price = parseDecimal(mid);
  const notional = { n: base.n * price.n, d: base.d * price.d };
  const gain = trade.side === 'bids' ? plus(notional, minus(quote)) : plus(quote, minus(notional));
  return { gain, notional };
}

/**
 * Gain over notional in tenths of a basis point, cut down: never better than it was. null without a notional. A trade of a few
 * raw units can be any number of times off: what is beyond the bound is told as the bound.
 */
export function tenthBps({ gain, notional }: Worth): number | null {
  if (notional.n <= 0n) return null;
  const exact = floor({ n: gain.n * notional.d * 100_000n, d: gain.d * notional.n });
  const most = BigInt(MOST_TENTH_BPS);
  return Number(exact > most ? most : exact < -most ? -most : exact);
}

export function addWorth(a: Worth, b: Worth): Worth {
  return { gain: plus(a.gain, b.gain), notional: plus(a.notional, b.notional) };
}

/** A worth in another unit, such as dollars at `rate` a quote token. */
export function worthIn({ gain, notional }: Worth, rate: Rational): Worth {
  return { gain: mul(gain, rate), notional: mul(notional, rate) };
}

/** Adds numbers whose denominators are powers of ten, so that a long sum keeps a short denominator. */
export function plus(a: Rational, b: Rational): Rational {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  return a.d > b.d ? { n: a.n + b.n * (a.d / b.d), d: a.d } : { n: a.n * (b.d / a.d) + b.n, d: b.d };
}

/** The same with the other sign. */
export function minus({ n, d }: Rational): Rational {
  return { n: -n, d };
}
