import type { Token } from '../../../protocol/wire.ts';
import { findRoute } from '../find-route.ts';
import type { MarketPair, MarketView } from '../market-view.ts';
import { shareOfDepth } from '../price-hop.ts';
import type { Wish } from '../wish.ts';

const SMALLEST = 0.0005;
const LARGEST = 0.02;
const SLIPPAGE_BPS = 100;

/** Somebody who has one token and needs another that the maker does not quote against it: they go over a third. */
export function decideTwoHop({ pairs }: MarketView, random: () => number): Wish | null {
  const ends = separateTokens(pairs);
  const chosen = ends[Math.floor(random() * ends.length)];
  const share = SMALLEST + (LARGEST - SMALLEST) * random() ** 2;
  if (chosen === undefined) return null;
  const [from, to] = chosen;
  const start = pairs.find(({ base, quote }) => base === from || quote === from);
  if (start === undefined) return null;
  const direction = start.base === from ? 'sell' : 'buy';
  const amount = shareOfDepth({ pair: start, direction, exact: 'in' }, share);
  const hops = findRoute(pairs, from.address, to.address, amount);
  return hops && { exact: 'in', hops, slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

/** Every two tokens, either way round, that no pair has both of. */
function separateTokens(pairs: readonly MarketPair[]): [Token, Token][] {
  const tokens = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))];
  const together = (a: Token, b: Token) =>
    pairs.some(({ base, quote }) => (base === a && quote === b) || (base === b && quote === a));
  return tokens.flatMap((from) =>
    tokens.filter((to) => to !== from && !together(from, to)).map((to): [Token, Token] => [from, to]),
  );
}
