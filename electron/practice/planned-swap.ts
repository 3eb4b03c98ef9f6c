import { BigNumber } from 'bignumber.js';
import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import { depthOf, expectedAmount, type Wish } from './expected-amount.ts';
import type { CachedMaker } from './grid-poll.ts';

/** The service asks for a little more than it will fill: the hop before may deliver more (spec 4.3, response rule 4). */
const OVER_ASK = { in: '1.01', out: '1.0001' } as const;

/** Of the side's depth, at most so much is wanted at once. */
const LARGEST_SHARE = 0.3;
const SMALLEST_SHARE = 0.005;

/** One swap a user wants, as the cached grid would serve it. Amounts in raw units. */
export interface PlannedSwap {
  pairId: string;
  direction: Wish['direction'];
  /** The amount the user names is what he gives (`in`) or what he gets (`out`). */
  exact: 'in' | 'out';
  makerToken: Token;
  takerToken: Token;
  wanted: bigint;
  /** The other amount by the cached grid. */
  expected: bigint;
  /** What is asked of the maker: `wanted` and a little more. */
  asked: bigint;
}

/** Chooses a size and which amount is named; null when no pair of `known` tokens has both sides (or depth enough). */
export function planSwap(options: {
  cached: CachedMaker;
  known: ReadonlySet<Address>;
  direction: Wish['direction'];
  random: () => number;
}): PlannedSwap | null {
  const { cached, known, direction, random } = options;
  const exact = random() < 0.5 ? 'in' : 'out';
  const share = SMALLEST_SHARE + (LARGEST_SHARE - SMALLEST_SHARE) * random() ** 2;
  for (const [pairId, pair] of Object.entries(cached.pairs)) {
    const entry = cached.prices[pairId];
    const base = cached.tokens[pair.base];
    const quote = cached.tokens[pair.quote];
    // Like the public adapter: a pair is traded only while both sides are there.
    if (!base || !quote || !entry?.bids?.length || !entry.asks?.length) continue;
    if (!known.has(base.address) || !known.has(quote.address)) continue;
    const token = (direction === 'sell') === (exact === 'in') ? 'base' : 'quote';
    const [named, other] = token === 'base' ? [base, quote] : [quote, base];
    const depth = depthOf(direction === 'sell' ? entry.bids : entry.asks)[token];
    const amount = depth.times(share).decimalPlaces(named.decimals, BigNumber.ROUND_DOWN);
    const expected = expectedAmount(entry, { direction, token, amount }, other.decimals);
    if (expected === null || amount.isZero() || expected.isZero()) continue;
    const wanted = amount.shiftedBy(named.decimals);
    return {
      pairId,
      direction,
      exact,
      makerToken: direction === 'sell' ? quote : base,
      takerToken: direction === 'sell' ? base : quote,
      wanted: BigInt(wanted.toFixed(0)),
      expected: BigInt(expected.shiftedBy(other.decimals).toFixed(0)),
      asked: BigInt(wanted.times(OVER_ASK[exact]).toFixed(0, BigNumber.ROUND_DOWN)),
    };
  }
  return null;
}
