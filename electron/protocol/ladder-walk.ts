import { type Rational, WHOLE_BPS } from './decimal.ts';
import { DeskError } from './desk-error.ts';
import type { PreparedLevel } from './ladder.ts';
import type { GivenAmount, Side } from './side.ts';

const TOO_LARGE = 2n ** 256n;

type WalkRequest = {
  /** One side of the published ladder, best level first. */
  levels: readonly PreparedLevel[];
  side: Side;
  /** Which amount the request names. */
  given: GivenAmount;
  /** That amount in raw units of its token. */
  amount: bigint;
  /** By how much the amount may exceed the depth, in bps of the depth: see `overfill`. */
  overfillBps: number;
  /** Up to how much base, in raw units, the last level's price holds although the depth and its overfill end before. */
  reach?: bigint;
};

/** What was taken at one price, exactly: raw quote per raw base, and raw base. What is over the depth comes last. */
export type TakenLevel = { readonly price: Rational; readonly amount: Rational };

export type Walk =
  | {
      kind: 'priced';
      makerAmount: bigint;
      takerAmount: bigint;
      taken: TakenLevel[];
    }
  | { kind: 'insufficient_depth' }
  /** The amount, or what it is worth, is less than one raw unit. */
  | { kind: 'amount_too_small' }
  /** One of the amounts does not fit an order (2^256). */
  | { kind: 'amount_too_large' };

/** True when the request names an amount of base. The maker gives base on `asks` and receives it on `bids`. */
export function isBaseGiven(side: Side, given: GivenAmount): boolean {
  return (side === 'asks') === (given === 'makerAmount');
}

/**
 * Prices an amount along the ladder, exactly: levels in array order, base amounts along the ladder as it stands, quote
 * amounts along its inversion (PROTOCOL 4.3.3 and 4.3.5, 4.3.6). Rounds once, at the very end and for the maker: what it
 * gives is the floor, what it receives the ceiling. An amount over the depth by at most `overfillBps` takes the rest at
 * the last level's price, because the service asks for slightly more than it fills (PROTOCOL 4.3.12). `reach`
 * goes further at that price: up to so much base, and quote that would buy more buys that.
 */
export function walkLadder({ levels, side, given, amount, overfillBps, reach }: WalkRequest): Walk {
  const first = levels[0];
  if (amount <= 0n) return { kind: 'amount_too_small' };
  if (amount >= TOO_LARGE) return { kind: 'amount_too_large' };
  if (first === undefined) return { kind: 'insufficient_depth' };
  const ofBase = isBaseGiven(side, given);
  const amountD = first.amount.d;
  const priceD = first.price.d;
  // Numerators only from here: base over amountD, quote over amountD * priceD.
  const unit = ofBase ? amountD : amountD * priceD;
  const wanted = amount * unit;
  let left = wanted;
  let other = 0n;
  let price = first.price;
  let whole = 0;
  for (const level of levels) {
    if (level.amount.d !== amountD || level.price.d !== priceD) throw mixedDenominators();
    const value = level.amount.n * level.price.n;
    const room = ofBase ? level.amount.n : value;
    price = level.price;
    if (left <= room) break;
    left -= room;
    other += ofBase ? value : level.amount.n;
    whole += 1;
  }
  const room = whole < levels.length ? left : overfill(wanted - left, unit, overfillBps);
  if (left > room) {
    if (reach === undefined) return { kind: 'insufficient_depth' };
    const reached = ofBase ? reach * amountD - (wanted - left) : (reach * amountD - other) * price.n;
    const most = reached > room ? reached : room;
    // Quote beyond that buys no more base: how much the maker gives for it is for the maker to compute.
    if (left > most && (ofBase || given === 'makerAmount')) return { kind: 'insufficient_depth' };
    if (left > most) left = most;
  }

  // The rest, at the price of the level where the walk ended. Base: left * price. Quote: left / price.
  const n = ofBase ? other + left * price.n : other * price.n + left;
  const d = ofBase ? amountD * priceD : amountD * price.n;
  const computed = given === 'makerAmount' ? (n + d - 1n) / d : n / d;
  if (computed === 0n) return { kind: 'amount_too_small' };
  if (computed >= TOO_LARGE) return { kind: 'amount_too_large' };

  const rest: Rational = ofBase ? { n: left, d: amountD } : { n: left, d: amountD * price.n };
  const taken = [...levels.slice(0, whole), { price, amount: rest }];
  return given === 'makerAmount'
    ? { kind: 'priced', makerAmount: amount, takerAmount: computed, taken }
    : { kind: 'priced', makerAmount: computed, takerAmount: amount, taken };
}

/**
 * How far a request may go over a depth of `depth / unit` raw units, over the same `unit`: the whole raw units of the
 * bps, and one more for rounding. Where the bps are less than a raw unit there is none: with a depth of one unit, one more
 * would sell twice what is there.
 */
function overfill(depth: bigint, unit: bigint, overfillBps: number): bigint {
  const whole = (depth * BigInt(overfillBps)) / (WHOLE_BPS * unit);
  return whole === 0n ? 0n : (whole + 1n) * unit;
}

function mixedDenominators(): DeskError {
  return new DeskError('mixed_denominators', 'The levels of a ladder were not prepared together.');
}
