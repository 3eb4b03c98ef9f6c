import type { Address } from '../../protocol/address.ts';
import type { Level, Token } from '../../protocol/wire.ts';
import type { CachedMaker } from '../consumer/maker-consumer.ts';

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
