import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { depthOf } from '../../../electron/practice/consumer/expected-amount.ts';
import { seededRandom } from '../../../electron/practice/seeded-random.ts';
import {
  decideArbitrageur,
  decideLooker,
  decideOversized,
  decideRetail,
  decideReverting,
  decideStray,
  decideTwoHop,
  HABITS,
  wishes,
} from '../../../electron/practice/takers/habits.ts';
import type { Decide, MarketView, Wish } from '../../../electron/practice/takers/market-view.ts';
import { CACHED, practiceView } from './practice-view.ts';

const VIEW = practiceView();

function many(decide: Decide<MarketView>, view = VIEW, times = 200): Wish[] {
  const random = seededRandom(11);
  return Array.from({ length: times }, () => decide(view, random)).filter((wish) => wish !== null);
}

/** What is given, as a share of what the side of the first pair takes. */
function shareOf({ hops: [hop] }: Wish, view = VIEW): number {
  const pair = view.pairs.find(({ pairId }) => pairId === hop.pairId);
  const side = hop.direction === 'sell' ? pair?.bids : pair?.asks;
  const depth = depthOf(side ?? [])[hop.direction === 'sell' ? 'base' : 'quote'];
  return new BigNumber(`${hop.given}`).shiftedBy(-hop.takerToken.decimals).dividedBy(depth).toNumber();
}

test('the same seed and the same grid make the same wishes, of every habit in every round of twenty', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.double({ min: 0.5, max: 2, noNaN: true }), (seed, off) => {
      const mids = { 'WETH/USDC': `${(3412 * off).toFixed(2)}` };
      const row = () => {
        const next = wishes(seededRandom(seed));
        return Array.from({ length: 40 }, () => next(practiceView({ mids })));
      };
      const first = row();
      expect(row()).toEqual(first);
      if (Math.abs(off - 1) < 0.01) return;
      for (const habit of HABITS) expect(first.some((wish) => wish?.habit === habit)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('another seed makes other wishes', () => {
  const row = (seed: number) => {
    const next = wishes(seededRandom(seed));
    return Array.from({ length: 10 }, () => next(VIEW));
  };
  expect(row(1)).not.toEqual(row(2));
});

test('a retail user goes both ways on every pair, names either amount, and never wants more than a twentieth of the depth', () => {
  const wanted = many(decideRetail);
  const kinds = new Set(wanted.map(({ exact, hops: [hop] }) => `${hop.direction} ${exact}`));
  expect([...kinds].sort()).toEqual(['buy in', 'buy out', 'sell in', 'sell out']);
  expect(new Set(wanted.map(({ hops: [hop] }) => hop.pairId)).size).toBe(5);
  for (const wish of wanted) expect(shareOf(wish)).toBeLessThan(0.0501);
  expect(wanted.every(({ ending }) => ending === 'fill')).toBe(true);
});

test('a looker asks the same and leaves; a clumsy user makes each of three mistakes', () => {
  expect(new Set(many(decideLooker).map(({ ending }) => ending))).toEqual(new Set(['leave']));
  const mistakes = new Set(many(decideReverting).map(({ ending }) => ending));
  expect(mistakes).toEqual(new Set(['for_another', 'no_allowance', 'wants_more']));
});

test('an arbitrageur does nothing while the reference lies within the spread, or nobody knows it', () => {
  expect(decideArbitrageur(VIEW)).toBeNull();
  expect(decideArbitrageur(practiceView({ mids: { 'WETH/USDC': '3412' } }))).toBeNull();
});

test('an arbitrageur takes the levels that are better than the reference, and only those', () => {
  // Two basis points over 3408.5 are 3409.18: the bids 3411.4, 3410.9, 3410.2 and 3409.4 are above it.
  const sale = decideArbitrageur(practiceView({ mids: { 'WETH/USDC': '3408.5', 'DAI/USDC': '0.9998' } }));
  expect(sale).toMatchObject({ exact: 'in', ending: 'fill', hops: [{ pairId: 'WETH/USDC', direction: 'sell' }] });
  expect(sale?.hops[0].given).toBe(266n * 10n ** 16n); // a tenth of 26.6, which is less than the 4.1 there are
  const purchase = decideArbitrageur(practiceView({ mids: { 'WETH/USDC': '3414.0' } }));
  expect(purchase).toMatchObject({ exact: 'out', hops: [{ direction: 'buy' }] });
  expect(purchase?.hops[0].got).toBeLessThanOrEqual(13n * 10n ** 17n);
  expect(purchase?.hops[0].got).toBeGreaterThan(129n * 10n ** 16n); // 3412.6 and 3413.1 are more than 2 bps below it
});

test('an over-sized user wants more than the depth of a thin pair, and keeps off while one pair is left alone', () => {
  for (const wish of many(decideOversized)) {
    expect(shareOf(wish)).toBeGreaterThan(1.49);
    expect(['LINK/USDC', 'LINK/WETH']).toContain(wish.hops[0].pairId);
  }
  expect(many(decideOversized).length).toBe(200);
  expect(many(decideOversized, practiceView({ restricted: ['DAI/USDC'] }))).toEqual([]);
});

test('a stray user asks for two tokens that are no pair, unless they were refused them a while ago', () => {
  const asked = new Set(many(decideStray).map(({ hops: [hop] }) => hop.pairId));
  expect([...asked].sort()).toEqual(['DAI/LINK', 'WBTC/DAI', 'WBTC/LINK', 'WETH/DAI', 'WETH/WBTC'].sort());
  const later = many(decideStray, practiceView({ restricted: ['WETH/WBTC'] })).map(({ hops: [hop] }) => hop.pairId);
  expect(later).not.toContain('WETH/WBTC');
});

test('a two-hop user goes from one token to another over a third, each leg as large as the output of the one before', () => {
  const wanted = many(decideTwoHop);
  expect(wanted.length).toBe(200);
  for (const { hops, exact } of wanted) {
    expect(exact).toBe('in');
    expect(hops.length).toBeGreaterThanOrEqual(2);
    expect(hops.length).toBeLessThanOrEqual(3);
    for (const [index, hop] of hops.slice(1).entries()) {
      expect(hop.takerToken).toBe(hops[index]?.makerToken);
      expect(hop.given).toBe(hops[index]?.got);
    }
  }
  const ways = new Set(
    wanted.map(({ hops }) =>
      [hops[0], ...hops].map((hop, at) => (at === 0 ? hop.takerToken.symbol : hop.makerToken.symbol)).join(' '),
    ),
  );
  expect(ways).toContain('LINK USDC DAI');
});

test('nobody is offered a pair with one side, without levels, of tokens they do not hold, or left alone', () => {
  const { bids = [], asks = [] } = CACHED.prices['WETH/USDC'] ?? {};
  const without = (entry: object) =>
    practiceView({ changes: { prices: { ...CACHED.prices, 'WETH/USDC': entry } } }).pairs.map(({ pairId }) => pairId);
  expect(VIEW.pairs.map(({ pairId }) => pairId)).toContain('WETH/USDC');
  for (const entry of [{ bids }, { asks }, { bids, asks: [] }, {}]) expect(without(entry)).not.toContain('WETH/USDC');
  const alone = practiceView({ restricted: ['WETH/USDC'] });
  expect(alone.pairs).toHaveLength(4);
  expect(alone.restricted).toBe(1);
  const { LINK: _, ...tokens } = CACHED.tokens;
  expect(practiceView({ changes: { tokens } }).pairs).toHaveLength(3);
});
