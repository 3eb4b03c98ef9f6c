import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRoute } from '../../../electron/practice/takers/habits.ts';
import { priceHop, shareOfDepth } from '../../../electron/practice/takers/market-view.ts';
import { prepareLevels } from '../../../electron/protocol/ladder.ts';
import { walkLadder } from '../../../electron/protocol/ladder-walk.ts';
import { CACHED, practiceView } from './practice-view.ts';

const { pairs } = practiceView();
const address = (id: string) => CACHED.tokens[id]?.address ?? '0x';
const route = (from: string, to: string, amount: bigint, over = pairs) =>
  findRoute(over, address(from), address(to), amount)?.map(({ pairId, direction }) => `${direction} ${pairId}`);

test('LINK goes to DAI over USDC', () => {
  expect(route('LINK', 'DAI', 10n * 10n ** 18n)).toEqual(['sell LINK/USDC', 'buy DAI/USDC']);
});

test('of several ways the one that gives most is taken, and a way that is not deep enough is none', () => {
  const one = 10n ** 18n;
  const direct = findRoute(
    pairs.filter(({ pairId }) => pairId === 'LINK/WETH'),
    address('LINK'),
    address('WETH'),
    one,
  );
  const around = findRoute(
    pairs.filter(({ pairId }) => pairId !== 'LINK/WETH'),
    address('LINK'),
    address('WETH'),
    one,
  );
  const best = findRoute(pairs, address('LINK'), address('WETH'), one);
  const out = (way: typeof best) => way?.at(-1)?.got ?? 0n;
  expect(out(best)).toBe(out(direct) > out(around) ? out(direct) : out(around));
  expect(route('LINK', 'WETH', 4_000n * one)).toEqual(['sell LINK/USDC', 'buy WETH/USDC']);
  expect(route('LINK', 'WETH', 5_000n * one)).toBeUndefined();
});

test('a route has at most four tokens', () => {
  const chain = ['LINK/WETH', 'WETH/USDC', 'WBTC/USDC'].flatMap((id) => pairs.filter(({ pairId }) => pairId === id));
  expect(route('LINK', 'WBTC', 10n ** 18n, chain)).toHaveLength(3);
  const longer = practiceView({
    changes: {
      pairs: { ...CACHED.pairs, 'DAI/WBTC': { base: 'DAI', quote: 'WBTC', liquidityUSD: 1 } },
      prices: { ...CACHED.prices, 'DAI/WBTC': { bids: [['0.00001', '50000']], asks: [['0.000011', '50000']] } },
    },
  }).pairs.filter(({ pairId }) => ['LINK/WETH', 'WETH/USDC', 'WBTC/USDC', 'DAI/WBTC'].includes(pairId));
  expect(route('LINK', 'DAI', 10n ** 18n, longer)).toBeUndefined();
});

test('a hop is priced as the exact walk has it, to the rounding of the public adapter, both ways and for either amount', () => {
  const cases = fc.record({
    pair: fc.constantFrom(...pairs),
    direction: fc.constantFrom('sell' as const, 'buy' as const),
    exact: fc.constantFrom('in' as const, 'out' as const),
    share: fc.double({ min: 0.0001, max: 0.99, noNaN: true }),
  });
  fc.assert(
    fc.property(cases, ({ pair, direction, exact, share }) => {
      const amount = shareOfDepth({ pair, direction, exact }, share);
      const hop = priceHop({ pair, direction, exact, amount });
      const side = direction === 'sell' ? 'bids' : 'asks';
      const levels = prepareLevels(pair[side], pair.base.decimals, pair.quote.decimals);
      const given = exact === 'in' ? 'takerAmount' : 'makerAmount';
      const walk = walkLadder({ levels, side, given, amount, overfillBps: 0 });
      if (walk.kind !== 'priced' || hop === null) throw new Error(`${walk.kind}, ${hop}`);
      expect(exact === 'in' ? hop.given : hop.got).toBe(amount);
      const [exactly, about] = exact === 'in' ? [walk.makerAmount, hop.got] : [walk.takerAmount, hop.given];
      const difference = exactly > about ? exactly - about : about - exactly;
      // Half a unit by rounding, a unit because the maker rounds for himself, and 20 places of an inverse price.
      expect(difference * 10n ** 12n).toBeLessThanOrEqual(2n * 10n ** 12n + exactly);
    }),
    { numRuns: 300 },
  );
});
