import type { Followed } from '../../contract/book.ts';
import type { Ladder } from '../../contract/desk-file.ts';
import {
  add,
  ceil,
  digitsBehind,
  floor,
  formatDecimal,
  fromRaw,
  mul,
  parseDecimal,
  type Rational,
  sub,
} from '../../protocol/decimal.ts';
import type { Level } from '../../protocol/wire.ts';
import type { LadderMove } from './events.ts';

/** A ladder that was put on a mid, or on the best prices of a formula. */
export interface MovedLadder {
  readonly ladder: Ladder;
  readonly followed: Followed;
}

const HALF: Rational = { n: 1n, d: 2n };

/**
 * Puts the middle of a ladder on `mid`, in quote per base. Every level keeps its distance from the middle of the ladder that
 * a person published, to the tick (the finest place that ladder is written with): bids are rounded down and asks up, so
 * the book never crosses and its spread is at most one tick wider. `followed` says how far `ladder` has been moved
 * already, so that rounding does not add up: over however many mids a ladder went, the last one alone says where it is.
 * Returns null where it has levels on one side only, or one would come to zero or below.
 *
 * The journal has of a move its mid alone. What is worked out here must never change, or ladders of the past would.
 */
export function moveLadder(ladder: Ladder, followed: Followed | undefined, mid: string): MovedLadder | null {
  const middle = middleOf(ladder);
  if (middle === null) return null;
  const places = placesOf(ladder);
  const [bidsBefore, asksBefore] = [ticksOf(followed?.bids ?? '0', places), ticksOf(followed?.asks ?? '0', places)];
  const origin = sub(middle, mul({ n: bidsBefore + asksBefore, d: 10n ** BigInt(places) }, HALF));
  const shift = mul(sub(parseDecimal(mid), origin), { n: 10n ** BigInt(places), d: 1n });
  const [bidsShift, asksShift] = [floor(shift), ceil(shift)];
  const bids = shifted(ladder.bids, bidsShift - bidsBefore, places);
  const asks = shifted(ladder.asks, asksShift - asksBefore, places);
  if (bids === null || asks === null) return null;
  return {
    ladder: { bids, asks },
    followed: { mid, bids: fromRaw(bidsShift, places), asks: fromRaw(asksShift, places) },
  };
}

/**
 * Puts the best bid of a ladder on `bid` and its best ask on `ask`, in quote per base; null for a side without levels. Every other level
 * keeps its distance from the best one. Returns null where a side has levels and no price or the other way round, where a price is
 * finer than the ladder's tick, or where one would come to zero or below.
 *
 * The journal has of such a move its two prices alone. What is worked out here must never change either.
 */
export function putBest(
  ladder: Ladder,
  followed: Followed | undefined,
  bid: string | null,
  ask: string | null,
): MovedLadder | null {
  const places = placesOf(ladder);
  const bids = putSide(ladder.bids, bid, places);
  const asks = putSide(ladder.asks, ask, places);
  const best = [bid, ask].flatMap((price) => (price === null ? [] : [parseDecimal(price)]));
  const [low, high = low] = best;
  if (bids === null || asks === null || low === undefined || high === undefined) return null;
  const shift = (before: string | undefined, by: bigint) => fromRaw(ticksOf(before ?? '0', places) + by, places);
  return {
    ladder: { bids: bids.levels, asks: asks.levels },
    followed: {
      mid: formatDecimal(mul(add(low, high), HALF), places + 1, 'floor'),
      bids: shift(followed?.bids, bids.by),
      asks: shift(followed?.asks, asks.by),
    },
  };
}

/** What a move makes of a ladder; null where it cannot be made. */
export function movedBy(move: LadderMove, ladder: Ladder, followed: Followed | undefined): MovedLadder | null {
  return move.length === 3 ? moveLadder(ladder, followed, move[2]) : putBest(ladder, followed, move[2], move[3]);
}

function putSide(levels: readonly Level[], price: string | null, places: number) {
  const [best] = levels;
  if (best === undefined || price === null) return best === undefined && price === null ? { levels: [], by: 0n } : null;
  if (digitsBehind(price) > places) return null;
  const by = ticksOf(price, places) - ticksOf(best[0], places);
  const moved = shifted(levels, by, places);
  return moved && { levels: moved, by };
}

/** Half-way between the best prices; null where there are levels on one side only. */
export function middleOf({ bids: [bid], asks: [ask] }: Ladder): Rational | null {
  return bid === undefined || ask === undefined ? null : mul(add(parseDecimal(bid[0]), parseDecimal(ask[0])), HALF);
}

/** How many digits behind the point the finest price has. */
export function placesOf({ bids, asks }: Ladder): number {
  return Math.max(...[...bids, ...asks].map(([price]) => digitsBehind(price)));
}

/** The levels `by` ticks higher, written with all their places so that the tick stays the same; null at zero or below. */
function shifted(levels: readonly Level[], by: bigint, places: number): Level[] | null {
  const prices = levels.map(([price, amount]) => ({ ticks: ticksOf(price, places) + by, amount }));
  if (prices.some(({ ticks }) => ticks <= 0n)) return null;
  return prices.map(({ ticks, amount }): Level => [withPlaces(ticks, places), amount]);
}

function ticksOf(text: string, places: number): bigint {
  const negative = text.startsWith('-');
  const { n, d } = parseDecimal(negative ? text.slice(1) : text);
  const ticks = (n * 10n ** BigInt(places)) / d;
  return negative ? -ticks : ticks;
}

/** So many ticks of `places` digits behind the point, written with all of them. */
export function withPlaces(ticks: bigint, places: number): string {
  if (places === 0) return `${ticks}`;
  const digits = `${ticks}`.padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
