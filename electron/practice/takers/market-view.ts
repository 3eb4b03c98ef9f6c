import { BigNumber } from 'bignumber.js';
import type { Address } from '../../protocol/address.ts';
import type { Level, Token } from '../../protocol/wire.ts';
import { depthOf, expectedAmount } from '../consumer/expected-amount.ts';
import type { CachedMaker } from '../consumer/maker-consumer.ts';

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

/** A pair that can be traded now. */
export interface MarketPair {
  pairId: string;
  base: Token;
  quote: Token;
  bids: readonly Level[];
  asks: readonly Level[];
  liquidityUSD: number;
  /** What it is worth elsewhere, quote per base, as a decimal string; null while nobody knows. */
  mid: string | null;
}

/** What a user looks at before they wish for something. */
export interface MarketView {
  /** Fresh, with both sides, of tokens that the users hold, and not left alone by the service; the deepest first. */
  pairs: readonly MarketPair[];
  /** How many more would be there if the service did not leave them alone. */
  restricted: number;
  /** Pairs of tokens of this maker that it does not list. */
  unlisted: readonly { pairId: string; base: Token; quote: Token }[];
}

/** The cached grid as users see it. Like the public adapter: a pair is traded only while both sides are there. */
export function marketView(options: {
  cached: CachedMaker;
  /** Addresses of the tokens that the users hold. */
  held: ReadonlySet<Address>;
  isRestricted: (pairId: string) => boolean;
  referenceMid: (pairId: string) => string | null;
}): MarketView {
  const { cached, held, isRestricted, referenceMid } = options;
  const quoted: MarketPair[] = [];
  const listed = new Set<string>();
  const holds = (token: Token | undefined) => token !== undefined && held.has(token.address);
  for (const [pairId, { base: baseId, quote: quoteId, liquidityUSD }] of Object.entries(cached.pairs)) {
    listed.add(`${baseId}/${quoteId}`).add(`${quoteId}/${baseId}`);
    const base = cached.tokens[baseId];
    const quote = cached.tokens[quoteId];
    const { bids = [], asks = [] } = cached.prices[pairId] ?? {};
    if (!base || !quote || !holds(base) || !holds(quote) || bids.length === 0 || asks.length === 0) continue;
    quoted.push({ pairId, base, quote, bids, asks, liquidityUSD, mid: referenceMid(pairId) });
  }
  const pairs = quoted.filter(({ pairId }) => !isRestricted(pairId));
  pairs.sort((a, b) => b.liquidityUSD - a.liquidityUSD);
  const tokens = Object.entries(cached.tokens).filter(([, token]) => holds(token));
  const unlisted = tokens.flatMap(([baseId, base], index) =>
    tokens.slice(index + 1).flatMap(([quoteId, quote]) => {
      const pairId = `${baseId}/${quoteId}`;
      return listed.has(pairId) || isRestricted(pairId) ? [] : [{ pairId, base, quote }];
    }),
  );
  return { pairs, restricted: quoted.length - pairs.length, unlisted };
}

interface HopRequest {
  pair: MarketPair;
  direction: Hop['direction'];
  exact: 'in' | 'out';
  /** Raw units of the token that `exact` names. */
  amount: bigint;
}

/** The hop as the cached grid prices it; null when the grid is not deep enough, or an amount would be nothing. */
export function priceHop({ pair, direction, exact, amount }: HopRequest): Hop | null {
  const { takerToken, makerToken, token } = tokensOf(pair, direction, exact);
  const [named, other] = exact === 'in' ? [takerToken, makerToken] : [makerToken, takerToken];
  const units = new BigNumber(`${amount}`).shiftedBy(-named.decimals);
  const expected = expectedAmount(
    { bids: [...pair.bids], asks: [...pair.asks] },
    { direction, token, amount: units },
    other.decimals,
  );
  if (expected === null || amount <= 0n || expected.isZero()) return null;
  const computed = BigInt(expected.shiftedBy(other.decimals).toFixed(0));
  const [given, got] = exact === 'in' ? [amount, computed] : [computed, amount];
  return { pairId: pair.pairId, direction, takerToken, makerToken, given, got };
}

/** A share (1 is all) of what the side holds, in raw units of the token that `exact` names, rounded down. */
export function shareOfDepth({ pair, direction, exact }: Omit<HopRequest, 'amount'>, share: number): bigint {
  const { takerToken, makerToken, token } = tokensOf(pair, direction, exact);
  const { decimals } = exact === 'in' ? takerToken : makerToken;
  const depth = depthOf(direction === 'sell' ? pair.bids : pair.asks)[token];
  return BigInt(depth.times(share.toFixed(9)).shiftedBy(decimals).toFixed(0, BigNumber.ROUND_DOWN));
}

/** Who gives what, and which token of the pair is the one named. */
function tokensOf({ base, quote }: MarketPair, direction: Hop['direction'], exact: 'in' | 'out') {
  const [takerToken, makerToken]: [Token, Token] = direction === 'sell' ? [base, quote] : [quote, base];
  const token = (direction === 'sell') === (exact === 'in') ? 'base' : 'quote';
  return { takerToken, makerToken, token } as const;
}
