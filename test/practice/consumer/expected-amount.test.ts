import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { depthOf, expectedAmount } from '../../../electron/practice/consumer/expected-amount.ts';
import { seededRandom } from '../../../electron/practice/seeded-random.ts';
import { prepareLevels } from '../../../electron/protocol/ladder.ts';
import { walkLadder } from '../../../electron/protocol/ladder-walk.ts';
import type { Level, PriceEntry } from '../../../electron/protocol/wire.ts';

const GRID: PriceEntry = {
  bids: [
    ['3400', '1'],
    ['3300', '2'],
  ],
  asks: [
    ['3500', '1'],
    ['3600', '2'],
  ],
};
const expected = (direction: 'sell' | 'buy', token: 'base' | 'quote', amount: string, decimals: number) =>
  expectedAmount(GRID, { direction, token, amount: new BigNumber(amount) }, decimals)?.toFixed();

test('selling base fills the bids in order, buying it the asks', () => {
  expect(expected('sell', 'base', '2', 6)).toBe('6700');
  expect(expected('buy', 'base', '2', 6)).toBe('7100');
});

test('an amount of quote goes through the inverted book', () => {
  expect(expected('buy', 'quote', '7100', 12)).toBe('2');
  expect(expected('sell', 'quote', '6700', 12)).toBe('2');
});

test('an inverse price has 20 decimal places, as at the public adapter, and no more', () => {
  expect(expected('buy', 'quote', '7100', 18)).toBe('1.999999999999999993');
});

test('an amount over the depth is not priced', () => {
  expect(expected('sell', 'base', '3', 6)).toBe('10000');
  expect(expected('sell', 'base', '3.000000000000000001', 6)).toBeUndefined();
});

test('results are rounded half up at the token’s decimals', () => {
  expect(expected('buy', 'quote', '1000', 6)).toBe('0.285714');
  expect(expected('buy', 'quote', '2000', 6)).toBe('0.571429');
});

test('it agrees with the exact walk to a few raw units, both ways, for any ladder', () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 1, max: 9_999_999 }));
  const cases = fc.record({
    levels: fc.array(level, { minLength: 1, maxLength: 10 }),
    direction: fc.constantFrom('sell' as const, 'buy' as const),
    token: fc.constantFrom('base' as const, 'quote' as const),
    share: fc.integer({ min: 1, max: 1_000 }),
  });
  fc.assert(
    fc.property(cases, ({ levels, direction, token, share }) => {
      const side = levels.map(([price, amount]): Level => [`${price / 1e4}`, `${amount / 1e4}`]);
      const plain = side.every((one) => one.every((text) => !text.includes('e')));
      fc.pre(plain);
      const entry = direction === 'sell' ? { bids: side } : { asks: side };
      const [named, other] = token === 'base' ? [18, 6] : [6, 18];
      const amount = depthOf(side)[token].times(share).dividedBy(1_000).decimalPlaces(named, BigNumber.ROUND_DOWN);
      fc.pre(amount.isPositive() && !amount.isZero());
      const served = direction === 'sell' ? 'bids' : 'asks';
      const given = (direction === 'sell') === (token === 'base') ? 'takerAmount' : 'makerAmount';
      const raw = BigInt(amount.shiftedBy(named).toFixed(0));
      const walk = walkLadder({ levels: prepareLevels(side, 18, 6), side: served, given, amount: raw, overfillBps: 0 });
      const approximate = expectedAmount(entry, { direction, token, amount }, other);
      if (walk.kind !== 'priced' || approximate === null) return;
      const exact = given === 'takerAmount' ? walk.makerAmount : walk.takerAmount;
      const difference = approximate.shiftedBy(other).minus(`${exact}`).abs();
      // 20 decimal places of 1/price, times the amount of quote, in raw units of base: the adapter's own error.
      const slack = token === 'base' ? new BigNumber(1) : amount.times('0.01').plus(2);
      expect(difference.lte(slack)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('seeded numbers repeat for a seed, differ between seeds and lie in [0, 1)', () => {
  const row = (seed: number) => Array.from({ length: 1_000 }, seededRandom(seed));
  expect(row(5)).toEqual(row(5));
  expect(row(5)).not.toEqual(row(6));
  expect(row(5).every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = row(5).reduce((sum, value) => sum + value, 0) / 1_000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});
