import type { Address } from '../../protocol/address.ts';
import type { Rational } from '../../protocol/decimal.ts';
import type { HedgeRecord } from './fold.ts';

/** A fill that a hedge is for: what base of it is open before this hedge, + for long. Raw units. */
export interface OpenFill {
  seq: number;
  open: bigint;
}

/** What a hedge moved altogether. `quote` is null where it ended in another token than the pair's quote. Raw units with sign. */
export interface HedgeFlow {
  base: bigint;
  quote: bigint | null;
}

/** What a hedge moved of a pair's base and quote on its chain: its other end may be another token, or on another chain. */
export function flowOfHedge(
  { opened: { src, dest }, spent, received }: Pick<HedgeRecord, 'opened' | 'spent' | 'received'>,
  { chainId, asset, quoteAsset }: { chainId: number; asset: Address; quoteAsset: Address },
): HedgeFlow {
  const is = (end: typeof src, token: Address) => end.chainId === chainId && end.address === token;
  const flowOf = (token: Address) => (is(src, token) ? -BigInt(spent) : is(dest, token) ? BigInt(received) : null);
  return { base: flowOf(asset) ?? 0n, quote: src.chainId === dest.chainId ? flowOf(quoteAsset) : null };
}

/** A fill's share of a hedge: base and quote moved for it, with sign. */
export interface FillShare {
  seq: number;
  base: bigint;
  quote: bigint | null;
}

/**
 * Shares a hedge out among its fills, oldest first. Fills of opposite sides close each other at the hedge's own price, so that
 * the shares of base and of quote add up to what the hedge moved, as far as the fills have room for it. A hedge that moved
 * nothing closes nothing.
 */
export function shareHedge(fills: readonly OpenFill[], { base, quote }: HedgeFlow): FillShare[] {
  if (base === 0n) return fills.map(({ seq }) => ({ seq, base: 0n, quote: quote === null ? null : 0n }));
  const long = sum(fills.filter(({ open }) => open > 0n));
  const short = -sum(fills.filter(({ open }) => open < 0n));
  const sold = short + (base < 0n ? -base : 0n);
  const bought = long + (base > 0n ? base : 0n);
  const closed = sold < bought ? sold : bought;
  let [longLeft, shortLeft] = [least(long, closed), least(short, closed)];
  let [soFar, paid] = [0n, 0n];
  return fills.map(({ seq, open }) => {
    const part = open > 0n ? -least(open, longLeft) : least(-open, shortLeft);
    if (open > 0n) longLeft += part;
    else shortLeft -= part;
    soFar += part;
    if (quote === null) return { seq, base: part, quote: null };
    const due = cut(soFar * quote, base);
    const share = due - paid;
    paid = due;
    return { seq, base: part, quote: share };
  });
}

/**
 * Shares out what a hedge cost among its fills, by the base that each share moved, and equally where it moved none: a swap that
 * failed cost its gas all the same. The shares add up to the cost exactly.
 */
export function shareCost({ n, d }: Rational, bases: readonly bigint[]): Rational[] {
  const sizes = bases.map((base) => (base < 0n ? -base : base));
  const moved = sizes.reduce((total, size) => total + size, 0n);
  const whole = moved === 0n ? BigInt(sizes.length) : moved;
  let [soFar, paid] = [0n, 0n];
  return sizes.map((size) => {
    soFar += moved === 0n ? 1n : size;
    const due = (n * soFar) / whole;
    const share = due - paid;
    paid = due;
    return { n: share, d };
  });
}

function sum(fills: readonly OpenFill[]): bigint {
  return fills.reduce((total, { open }) => total + open, 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** `a / b` cut down: never better for the desk than it was. */
function cut(a: bigint, b: bigint): bigint {
  const [n, d] = b < 0n ? [-a, -b] : [a, b];
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}
