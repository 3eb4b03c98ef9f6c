import type { Followed } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { type MovedLadder, middleOf, moveLadder, placesOf } from '../journal/book/ladder-move.ts';
import { compare, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';

/** What a ladder does about the reference: stand still, move, or neither, because it cannot or must not. */
export type FollowStep =
  | { readonly kind: 'still' }
  | ({ readonly kind: 'move' } & MovedLadder)
  | { readonly kind: 'held'; readonly sentence: string };

/**
 * A ladder moves once the reference is this far from its middle: one basis point, and a tenth of its spread. One that is
 * tighter than that moves as soon as the reference is past its bid or its ask.
 */
const LEAST_MOVE: Rational = { n: 1n, d: 10_000n };
const LEAST_OF_SPREAD: Rational = { n: 1n, d: 10n };
/** A reference further away than this is not believed: somebody has to look. */
const FARTHEST: Rational = { n: 1n, d: 10n };

/** What a ladder does where the reference says `mid`. `followed` says how far it has been moved already. */
export function followLadder(
  ladder: Ladder,
  followed: Followed | undefined,
  mid: string,
  evenLittle = false,
): FollowStep {
  const [bid, ask] = [ladder.bids[0], ladder.asks[0]];
  const middle = middleOf(ladder);
  if (bid === undefined || ask === undefined || middle === null) {
    return held('it has levels on one side only, so it has no middle to put on the reference');
  }
  const [low, high, target] = [parseDecimal(bid[0]), parseDecimal(ask[0]), parseDecimal(mid)];
  const away = distance(target, middle);
  if (compare(away, mul(middle, FARTHEST)) > 0) {
    return held(`the reference says ${mid}, more than 10 % from the middle of the ladder`);
  }
  const tick: Rational = { n: 1n, d: 10n ** BigInt(placesOf(ladder)) };
  const leasts = [mul(middle, LEAST_MOVE), mul(sub(high, low), LEAST_OF_SPREAD), tick];
  const isBetween = compare(low, target) <= 0 && compare(target, high) <= 0;
  if (!evenLittle && isBetween && leasts.some((least) => compare(away, least) < 0)) return { kind: 'still' };

  const moved = moveLadder(ladder, followed, mid);
  if (moved === null) return held(`the reference says ${mid}, which would take a level of the ladder to zero or below`);
  return { kind: 'move', ...moved };
}

function held(sentence: string): FollowStep {
  return { kind: 'held', sentence };
}

function distance(a: Rational, b: Rational): Rational {
  const difference = sub(a, b);
  return difference.n < 0n ? { n: -difference.n, d: difference.d } : difference;
}
