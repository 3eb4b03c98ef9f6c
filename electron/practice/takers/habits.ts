import { BigNumber } from 'bignumber.js';
import type { Address } from '../../protocol/address.ts';
import type { Level, Token } from '../../protocol/wire.ts';
import {
  type Decide,
  type Ending,
  type Hop,
  type MarketPair,
  type MarketView,
  priceHop,
  shareOfDepth,
  type Wish,
} from './market-view.ts';

/** The users of the practice market, by what they do with a firm quote. Each has an account of its own. */
export const HABITS = ['retail', 'two_hop', 'arbitrageur', 'looker', 'reverting', 'oversized', 'stray'] as const;

export type Habit = (typeof HABITS)[number];

/** How many of twenty wishes are whose. An arbitrageur who sees nothing stale passes their turn on. */
const MIX: Readonly<Record<Habit, number>> = {
  retail: 10,
  two_hop: 3,
  arbitrageur: 1,
  looker: 2,
  reverting: 2,
  oversized: 1,
  stray: 1,
};

/** How much worse than the grid a quote may be for most users. */
const SLIPPAGE_BPS = 50;

/** Half the swaps are below a quarter of a percent of the depth, and now and then one is of five percent. */
const RETAIL_SHARE = { smallest: 0.0005, largest: 0.05 };

/** Somebody who needs tokens: any pair, either way, names either amount, small, and fills what they asked for. */
export function decideRetail({ pairs }: Pick<MarketView, 'pairs'>, random: () => number): Wish | null {
  const pair = choose(pairs, random);
  const direction = random() < 0.5 ? 'sell' : 'buy';
  const exact = random() < 0.5 ? 'in' : 'out';
  const share = RETAIL_SHARE.smallest + (RETAIL_SHARE.largest - RETAIL_SHARE.smallest) * random() ** 4;
  if (pair === null) return null;
  const wanted = { pair, direction, exact } as const;
  const hop = priceHop({ ...wanted, amount: shareOfDepth(wanted, share) });
  return hop && { exact, hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

/** The deeper pairs more often. */
function choose(pairs: readonly MarketPair[], random: () => number): MarketPair | null {
  return pairs[Math.floor(random() ** 1.5 * pairs.length)] ?? null;
}

const TWO_HOP_SHARE = { smallest: 0.0005, largest: 0.02 };
const TWO_HOP_SLIPPAGE_BPS = 100;

/** Somebody who has one token and needs another that the maker does not quote against it: they go over a third. */
export function decideTwoHop({ pairs }: MarketView, random: () => number): Wish | null {
  const ends = separateTokens(pairs);
  const chosen = ends[Math.floor(random() * ends.length)];
  const share = TWO_HOP_SHARE.smallest + (TWO_HOP_SHARE.largest - TWO_HOP_SHARE.smallest) * random() ** 2;
  if (chosen === undefined) return null;
  const [from, to] = chosen;
  const start = pairs.find(({ base, quote }) => base === from || quote === from);
  if (start === undefined) return null;
  const direction = start.base === from ? 'sell' : 'buy';
  const amount = shareOfDepth({ pair: start, direction, exact: 'in' }, share);
  const hops = findRoute(pairs, from.address, to.address, amount);
  return hops && { exact: 'in', hops, slippageBps: TWO_HOP_SLIPPAGE_BPS, ending: 'fill' };
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

/** So much better than the reference a level must be to be taken, and of a side they take at most that share at once. */
const EDGE_BPS = 2;
const LARGEST_SHARE = 0.1;
/** With more slippage than that nothing would be left of their edge. */
const ARBITRAGE_SLIPPAGE_BPS = 1;

/** Trades when the maker's price is stale: takes the levels that are better than the reference, and nothing else. */
export function decideArbitrageur({ pairs }: MarketView): Wish | null {
  const [best] = pairs.flatMap(stalest).sort((a, b) => b.edge - a.edge);
  if (best === undefined) return null;
  const { pair, direction, share } = best;
  const exact = direction === 'sell' ? 'in' : 'out'; // so that they name base, of which they counted the levels
  const wanted = { pair, direction, exact } as const;
  const hop = priceHop({ ...wanted, amount: shareOfDepth(wanted, share) });
  return hop && { exact, hops: [hop], slippageBps: ARBITRAGE_SLIPPAGE_BPS, ending: 'fill' };
}

/** Both ways: they sell to bids above the reference, and buy from asks below it. */
function stalest(pair: MarketPair) {
  const { mid } = pair;
  if (mid === null) return [];
  const bps = (price: string) => new BigNumber(price).dividedBy(mid).minus(1).times(10_000).toNumber();
  const ways = [
    { pair, direction: 'sell' as const, levels: pair.bids, edgeOf: bps },
    { pair, direction: 'buy' as const, levels: pair.asks, edgeOf: (price: string) => -bps(price) },
  ];
  return ways.flatMap(({ levels, edgeOf, ...way }) => {
    const edge = edgeOf(levels[0]?.[0] ?? '0');
    const share = shareOf(levels, (price) => edgeOf(price) > EDGE_BPS);
    return share > 0 ? [{ ...way, edge, share: Math.min(LARGEST_SHARE, share) }] : [];
  });
}

function shareOf(levels: readonly Level[], isStale: (price: string) => boolean): number {
  const sum = (some: readonly Level[]) =>
    some.reduce((total, [, amount]) => total.plus(amount), new BigNumber(0)).toNumber();
  return sum(levels.filter(([price]) => isStale(price))) / sum(levels);
}

/** Somebody who compares prices: asks like anybody, and never fills. */
export function decideLooker(view: MarketView, random: () => number): Wish | null {
  const wish = decideRetail(view, random);
  return wish && { ...wish, ending: 'leave' };
}

const MISTAKES: readonly Ending[] = ['for_another', 'no_allowance', 'wants_more'];

/** Somebody whose transactions are reverted, for one of three reasons. */
export function decideReverting(view: MarketView, random: () => number): Wish | null {
  const mistake = MISTAKES[Math.floor(random() * MISTAKES.length)];
  const wish = decideRetail(view, random);
  return wish && { ...wish, ending: mistake ?? 'wants_more' };
}

const LEAST_TIMES = 1.5;
const MOST_TIMES = 4;

/** A refusal costs the maker the pair for a while: enough others must stay. */
const LEAST_PAIRS = 3;

/** Somebody who wants more than there is of a thin pair: they are refused. Never while the service leaves a pair alone already. */
export function decideOversized({ pairs, restricted }: MarketView, random: () => number): Wish | null {
  const thin = pairs.slice(Math.ceil(pairs.length / 2));
  const pair = thin[Math.floor(random() * thin.length)];
  const direction = random() < 0.5 ? 'sell' : 'buy';
  const times = LEAST_TIMES + (MOST_TIMES - LEAST_TIMES) * random();
  if (pair === undefined || restricted > 0 || pairs.length < LEAST_PAIRS) return null;
  const exact = direction === 'sell' ? 'in' : 'out';
  const [takerToken, makerToken] = direction === 'sell' ? [pair.base, pair.quote] : [pair.quote, pair.base];
  const of = (named: 'in' | 'out') => shareOfDepth({ pair, direction, exact: named }, times);
  const hop = { pairId: pair.pairId, direction, takerToken, makerToken, given: of('in'), got: of('out') } as const;
  return { exact, hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

/** Somebody who was sent to the wrong maker: their two tokens are known there, but are no pair. They are refused. */
export function decideStray({ unlisted }: MarketView, random: () => number): Wish | null {
  const pair = unlisted[Math.floor(random() * unlisted.length)];
  if (pair === undefined) return null;
  const { pairId, base: takerToken, quote: makerToken } = pair;
  const given = 10n ** BigInt(takerToken.decimals);
  const got = 10n ** BigInt(makerToken.decimals);
  const hop = { pairId, direction: 'sell', takerToken, makerToken, given, got } as const;
  return { exact: 'in', hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}

const DECIDE: Readonly<Record<Habit, Decide<MarketView>>> = {
  retail: decideRetail,
  two_hop: decideTwoHop,
  arbitrageur: decideArbitrageur,
  looker: decideLooker,
  reverting: decideReverting,
  oversized: decideOversized,
  stray: decideStray,
};

const ROUND = HABITS.flatMap((habit) => Array.from({ length: MIX[habit] }, () => habit));

export interface HabitWish extends Wish {
  habit: Habit;
}

/**
 * Who wishes for what next. In every round each habit has as many turns as the mix gives it, in an order of chance; a
 * turn that is not taken goes to the next. The same random numbers and the same views make the same wishes.
 */
export function wishes(random: () => number): (view: MarketView) => HabitWish | null {
  let turns: Habit[] = [];
  const take = (): Habit => {
    if (turns.length === 0) turns = [...ROUND];
    return turns.splice(Math.floor(random() * turns.length), 1)[0] ?? 'retail';
  };
  return (view) => {
    for (let tried = 0; tried < ROUND.length; tried += 1) {
      const habit = take();
      const wish = DECIDE[habit](view, random);
      if (wish !== null) return { habit, ...wish };
    }
    return null;
  };
}

/** A route names at most four tokens (PROTOCOL 14.1.5), which is three pairs. */
const MOST_HOPS = 3;

type Route = [Hop, ...Hop[]];

/**
 * The way over the cached grid that gives the most `to` for `amount` raw units of `from`; null when there is none, or
 * none deep enough. No token is passed twice.
 */
export function findRoute(pairs: readonly MarketPair[], from: Address, to: Address, amount: bigint): Route | null {
  let best: Route | null = null;
  const search = (token: Address, held: bigint, way: Hop[], passed: ReadonlySet<Address>): void => {
    for (const pair of pairs) {
      const direction = pair.base.address === token ? 'sell' : 'buy';
      if (direction === 'buy' && pair.quote.address !== token) continue;
      const next = direction === 'sell' ? pair.quote.address : pair.base.address;
      if (passed.has(next)) continue;
      const hop = priceHop({ pair, direction, exact: 'in', amount: held });
      if (hop === null) continue;
      const [first = hop, ...rest] = way;
      const route: Route = way.length === 0 ? [hop] : [first, ...rest, hop];
      if (next === to && hop.got > outputOf(best)) best = route;
      if (next !== to && route.length < MOST_HOPS) search(next, hop.got, route, new Set(passed).add(next));
    }
  };
  search(from, amount, [], new Set([from]));
  return best;
}

function outputOf(route: Route | null): bigint {
  return route?.at(-1)?.got ?? 0n;
}
