import type { Followed } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { add, ceil, compare, floor, fromRaw, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import type { Level } from '../protocol/wire.ts';

/** What a ladder does about the reference: stand still, move, or neither, because it cannot or must not. */
export type FollowStep =
  | { readonly kind: 'still' }
  | { readonly kind: 'move'; readonly ladder: Ladder; readonly followed: Followed }
  | { readonly kind: 'held'; readonly sentence: string };

/**
 * A ladder moves once the reference is this far from its middle: one basis point, and a tenth of its spread. One that is
 * tighter than that moves as soon as the reference is past its bid or its ask.
 */
const LEAST_MOVE: Rational = { n: 1n, d: 10_000n };
const LEAST_OF_SPREAD: Rational = { n: 1n, d: 10n };
/** A reference further away than this is not believed: somebody has to look. */
const FARTHEST: Rational = { n: 1n, d: 10n };
const HALF: Rational = { n: 1n, d: 2n };

/**
 * Puts the middle of a ladder on the reference's mid. Every level keeps its distance from the middle of the ladder that
 * a person published, to the tick (the finest place that ladder is written with): bids are rounded down and asks up, so
 * the book never crosses and its spread is at most one tick wider. `followed` says how far `ladder` has been moved
 * already, so that rounding does not add up over many moves.
 */
export function followLadder(ladder: Ladder, followed: Followed | undefined, mid: string): FollowStep {
  const [bid, ask] = [ladder.bids[0], ladder.asks[0]];
  if (bid === undefined || ask === undefined) {
    return held('it has levels on one side only, so it has no middle to put on the reference');
  }
  const places = Math.max(...[...ladder.bids, ...ladder.asks].map(([price]) => placesOf(price)));
  const [low, high, target] = [parseDecimal(bid[0]), parseDecimal(ask[0]), parseDecimal(mid)];
  const middle = mul(add(low, high), HALF);
  const away = distance(target, middle);
  if (compare(away, mul(middle, FARTHEST)) > 0) {
    return held(`the reference says ${mid}, more than 10 % from the middle of the ladder`);
  }
  const tick: Rational = { n: 1n, d: 10n ** BigInt(places) };
  const leasts = [mul(middle, LEAST_MOVE), mul(sub(high, low), LEAST_OF_SPREAD), tick];
  const isBetween = compare(low, target) <= 0 && compare(target, high) <= 0;
  if (isBetween && leasts.some((least) => compare(away, least) < 0)) return { kind: 'still' };

  const [bidsBefore, asksBefore] = [ticksOf(followed?.bids ?? '0', places), ticksOf(followed?.asks ?? '0', places)];
  const origin = sub(middle, mul(inTokens(bidsBefore + asksBefore, places), HALF));
  const shift = mul(sub(target, origin), { n: 10n ** BigInt(places), d: 1n });
  const [bidsShift, asksShift] = [floor(shift), ceil(shift)];
  const bids = moved(ladder.bids, bidsShift - bidsBefore, places);
  const asks = moved(ladder.asks, asksShift - asksBefore, places);
  if (bids === null || asks === null) {
    return held(`the reference says ${mid}, which would take a level of the ladder to zero or below`);
  }
  return {
    kind: 'move',
    ladder: { bids, asks },
    followed: { mid, bids: fromRaw(bidsShift, places), asks: fromRaw(asksShift, places) },
  };
}

/**
 * A ladder with its middle put on `mid`, as far as that may be: each level keeps its distance, bids are rounded down and
 * asks up. Null where it has levels on one side only, or one would come to zero or below.
 */
export function ladderAround({ bids, asks }: Ladder, mid: string): Ladder | null {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return null;
  const places = Math.max(...[...bids, ...asks].map(([price]) => placesOf(price)));
  const middle = mul(add(parseDecimal(bid[0]), parseDecimal(ask[0])), HALF);
  const shift = mul(sub(parseDecimal(mid), middle), { n: 10n ** BigInt(places), d: 1n });
  const [movedBids, movedAsks] = [moved(bids, floor(shift), places), moved(asks, ceil(shift), places)];
  return movedBids === null || movedAsks === null ? null : { bids: movedBids, asks: movedAsks };
}

function held(sentence: string): FollowStep {
  return { kind: 'held', sentence };
}

/** The levels `by` ticks higher, written with all their places so that the tick stays the same; null at zero or below. */
function moved(levels: readonly Level[], by: bigint, places: number): Level[] | null {
  const shifted = levels.map(([price, amount]) => ({ ticks: ticksOf(price, places) + by, amount }));
  if (shifted.some(({ ticks }) => ticks <= 0n)) return null;
  return shifted.map(({ ticks, amount }): Level => [withPlaces(ticks, places), amount]);
}

function placesOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function ticksOf(text: string, places: number): bigint {
  const negative = text.startsWith('-');
  const { n, d } = parseDecimal(negative ? text.slice(1) : text);
  const ticks = (n * 10n ** BigInt(places)) / d;
  return negative ? -ticks : ticks;
}

function inTokens(ticks: bigint, places: number): Rational {
  return { n: ticks, d: 10n ** BigInt(places) };
}

function withPlaces(ticks: bigint, places: number): string {
  if (places === 0) return `${ticks}`;
  const digits = `${ticks}`.padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function distance(a: Rational, b: Rational): Rational {
  const difference = sub(a, b);
  return difference.n < 0n ? { n: -difference.n, d: difference.d } : difference;
}
