import type { Token } from '../../protocol/wire.ts';

/** One pair on the way from what a user gives to what they get. Amounts in raw units. */
export interface Hop {
  pairId: string;
  /** `sell`: the user gives base, the maker's bids serve them. `buy`: they take base from the asks. */
  direction: 'sell' | 'buy';
  takerToken: Token;
  makerToken: Token;
  /** What goes in, and what comes out of it by the cached grid; the one that the wish names is exact. */
  given: bigint;
  got: bigint;
}

/** What a user does once they have the firm quote; all but `fill` and `leave` end in a transaction that is reverted. */
export type Ending =
  | 'fill'
  /** They were only looking. */
  | 'leave'
  /** They asked in another user's name, and fill in their own. */
  | 'for_another'
  /** The execution contract may not take from them what they are to pay. */
  | 'no_allowance'
  /** They changed their mind and want more than the order gives. */
  | 'wants_more';

/** A swap that a user wants. */
export interface Wish {
  /** Whether they name what they give (`in`) or what they get (`out`, over one pair only). */
  exact: 'in' | 'out';
  hops: readonly [Hop, ...Hop[]];
  /** How much worse than the cached grid the firm quotes may be, in all. */
  slippageBps: number;
  ending: Ending;
}

/** How a user decides: pure, so that the same random numbers and the same view make the same wish. Null is "not now". */
export type Decide<View> = (view: View, random: () => number) => Wish | null;
