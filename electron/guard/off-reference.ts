import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { pastFence, tenthBpsOf } from '../book/price-fence.ts';
import type { Reference } from '../book/references.ts';
import type { OffReference } from '../contract/book.ts';
import { compare, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import type { Side } from '../protocol/side.ts';

export type OffSides = Readonly<Record<Side, OffReference | null>>;

const IN_PLACE: OffSides = { bids: null, asks: null };

const known = new WeakMap<BookPair, { config: ChainBook['config']; mid: string; sides: OffSides }>();

/**
 * How the best prices of a pair stand against a fresh reference. `through`: the bid is over it or the ask under it, so
 * that every fill there loses. `far`: further outwards than `offReferenceBps`, or than the ladder's own spread where that
 * is 0. `fence`: a level of the side is past a fence. Worked out once for each snapshot and mid.
 */
export function offReference({ config }: Pick<ChainBook, 'config'>, pair: BookPair, { mid }: Reference): OffSides {
  const before = known.get(pair);
  if (before?.config === config && before.mid === mid) return before.sides;
  const sides = standing(pair, parseDecimal(mid), config);
  known.set(pair, { config, mid, sides });
  return sides;
}

function standing(pair: BookPair, mid: Rational, config: ChainBook['config']): OffSides {
  const { bids, asks } = pair.ladder.ladder;
  const bid = bids[0] === undefined ? null : parseDecimal(bids[0][0]);
  const ask = asks[0] === undefined ? null : parseDecimal(asks[0][0]);
  if (mid.n === 0n) return IN_PLACE;
  const ownSpread = bid === null || ask === null ? null : sub(ask, bid);
  const limit = config.offReferenceBps > 0 ? mul(mid, { n: BigInt(config.offReferenceBps), d: 10_000n }) : ownSpread;
  const judge = (outwards: Rational): OffReference | null => {
    const kind = outwards.n < 0n ? 'through' : limit !== null && compare(outwards, limit) > 0 ? 'far' : null;
    if (kind === null) return null;
    const closed =
      config.offReferenceCloses === 'far' || (config.offReferenceCloses === 'through' && kind === 'through');
    return { kind, tenthBps: tenthBpsOf(outwards, mid), closed };
  };
  const fenced = (side: Side): OffReference | null => {
    const past = pastFence(pair.ladder.ladder[side], mid, config);
    return past === null ? null : { kind: 'fence', tenthBps: past.tenthBps, closed: past.band === 'hard' };
  };
  return {
    bids: worse(bid === null ? null : judge(sub(mid, bid)), fenced('bids')),
    asks: worse(ask === null ? null : judge(sub(ask, mid)), fenced('asks')),
  };
}

/** What closes a side says it; else what the best price says. */
function worse(best: OffReference | null, fence: OffReference | null): OffReference | null {
  return best === null || (fence?.closed === true && !best.closed) ? fence : best;
}
