import type { PairRow, PublishedLadder } from '../contract/book.ts';
import { add, digitsBehind, formatDecimal, mul, parseDecimal } from '../protocol/decimal.ts';
import type { Level } from '../protocol/wire.ts';

type Ladder = PublishedLadder['ladder'];

const known = new WeakMap<Ladder, NonNullable<PairRow['worth']>>();

/** No token has more decimals than this: what is smaller is cut. */
const MOST_PLACES = 77;

/** What each side of a ladder comes to in quote tokens. A ladder never changes, so it is worked out once. */
export function ladderWorth(ladder: Ladder): NonNullable<PairRow['worth']> {
  const before = known.get(ladder);
  if (before !== undefined) return before;
  const worth = { bids: sideWorth(ladder.bids), asks: sideWorth(ladder.asks) };
  known.set(ladder, worth);
  return worth;
}

function sideWorth(levels: readonly Level[]): string {
  let sum = { n: 0n, d: 1n };
  let places = 0;
  for (const [price, amount] of levels) {
    sum = add(sum, mul(parseDecimal(price), parseDecimal(amount)));
    places = Math.max(places, digitsBehind(price) + digitsBehind(amount));
  }
  return formatDecimal(sum, Math.min(places, MOST_PLACES), 'floor');
}
