import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { Reference } from '../book/references.ts';
import type { OffReference } from '../contract/book.ts';
import { compare, floor, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import type { Side } from '../protocol/side.ts';

export type OffSides = Readonly<Record<Side, OffReference | null>>;

/** Beyond this a distance is only told as beyond: 10,000 %. Tenths of a basis point. */
const FARTHEST_TOLD = 10_000_000n;

const IN_PLACE: OffSides = { bids: null, asks: null };

const known = new WeakMap<BookPair, { config: ChainBook['config']; mid: string; sides: OffSides }>();

/**
 * How the best prices of a pair stand against a fresh reference. `through`: the bid is over it or the ask under it, so
 * that every fill there loses. `far`: further outwards than `offReferenceBps`, or than the ladder's own spread where that
 * is 0. Worked out once for each snapshot and mid.
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
    return { kind, tenthBps: tenthBps(outwards, mid), closed };
  };
  return {
    bids: bid === null ? null : judge(sub(mid, bid)),
    asks: ask === null ? null : judge(sub(ask, mid)),
  };
}

/** How far, whichever way, in tenths of a basis point of the mid. */
function tenthBps({ n, d }: Rational, mid: Rational): number {
  const tenths = floor(mul({ n: n < 0n ? -n : n, d }, { n: 100_000n * mid.d, d: mid.n }));
  return Number(tenths < FARTHEST_TOLD ? tenths : FARTHEST_TOLD);
}
