import type { Token } from '../../protocol/wire.ts';

/** One pair on the way from what a user gives to what he gets. Amounts in raw units. */
export interface Hop {
  pairId: string;
  /** `sell`: the user gives base, the maker's bids serve him. `buy`: he takes base from the asks. */
  direction: 'sell' | 'buy';
  takerToken: Token;
  makerToken: Token;
  /** What goes in, and what comes out of it by the cached grid; the one that the wish names is exact. */
  given: bigint;
  got: bigint;
}

/** What a user does once he has the firm quote; all but `fill` and `leave` end in a transaction that is reverted. */
export type Ending =
  | 'fill'
  /** He was only looking. */
  | 'leave'
  /** He asked in another user's name, and fills in his own. */
  | 'for_another'
  /** The execution contract may not take from him what he is to pay. */
  | 'no_allowance'
  /** He changed his mind and wants more than the order gives. */
  | 'wants_more';

/** A swap that a user wants. */
export interface Wish {
  /** Whether he names what he gives (`in`) or what he gets (`out`, over one pair only). */
  exact: 'in' | 'out';
  hops: readonly [Hop, ...Hop[]];
  /** How much worse than the cached grid the firm quotes may be, in all. */
  slippageBps: number;
  ending: Ending;
}

/** How a user decides: pure, so that the same random numbers and the same view make the same wish. Null is "not now". */
export type Decide<View> = (view: View, random: () => number) => Wish | null;
