import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, parseDecimal } from '../../electron/protocol/decimal.ts';
import { buildLadder, levelSizes, placesFor } from '../../electron/protocol/ladder-build.ts';
import { ladderFaults } from '../../electron/protocol/ladder-faults.ts';

const plan = (changes: Partial<Parameters<typeof buildLadder>[0]> = {}) => ({
  mid: parseDecimal('3412.18'),
  spreadBps: '5',
  stepBps: '10',
  sizes: levelSizes(parseDecimal('2.5'), { kind: 'flat' }, 3),
  pricePlaces: 2,
  amountPlaces: 2,
  ...changes,
});

describe('a ladder that is built', () => {
  test('stands around its mid, cut against the taker', () => {
    expect(buildLadder(plan())).toEqual({
      bids: [
        ['3411.32', '2.5'],
        ['3407.91', '2.5'],
        ['3404.5', '2.5'],
      ],
      asks: [
        ['3413.04', '2.5'],
        ['3416.45', '2.5'],
        ['3419.86', '2.5'],
      ],
    });
  });

  test('can always be published, and is never better for the taker than was asked for', () => {
    const tenths = (most: number) => fc.integer({ min: 1, max: most }).map((n) => `${Math.floor(n / 10)}.${n % 10}`);
    const price = fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(
        price,
        tenths(1_000),
        tenths(500),
        fc.integer({ min: 1, max: 20 }),
        (scaled, spreadBps, stepBps, levels) => {
          const mid = { n: BigInt(scaled[0]), d: 10n ** BigInt(scaled[1]) };
          const pricePlaces = placesFor(mid, 6);
          const sizes = levelSizes(parseDecimal('1.5'), { kind: 'linear' }, levels);
          const ladder = buildLadder(plan({ mid, spreadBps, stepBps, sizes, pricePlaces }));
          expect(ladder.bids).toHaveLength(levels);
          expect(ladderFaults(ladder)).toEqual([]);
          const [bid, ask] = [ladder.bids[0]?.[0] ?? '', ladder.asks[0]?.[0] ?? ''];
          const half = parseDecimal(spreadBps);
          const away = { n: mid.n * half.n, d: mid.d * half.d * 20_000n };
          expect(
            compare(parseDecimal(bid), { n: mid.n * away.d - away.n * mid.d, d: mid.d * away.d }),
          ).toBeLessThanOrEqual(0);
          expect(
            compare(parseDecimal(ask), { n: mid.n * away.d + away.n * mid.d, d: mid.d * away.d }),
          ).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('has sizes that are alike, rise, or grow by a factor', () => {
    const sizes = (shape: Parameters<typeof levelSizes>[1]) =>
      buildLadder(plan({ sizes: levelSizes(parseDecimal('2'), shape, 3) })).bids.map(([, amount]) => amount);
    expect(sizes({ kind: 'flat' })).toEqual(['2', '2', '2']);
    expect(sizes({ kind: 'linear' })).toEqual(['2', '4', '6']);
    expect(sizes({ kind: 'factor', factor: '1.25' })).toEqual(['2', '2.5', '3.12']);
  });

  test('is refused where a price or a size would be nothing', () => {
    expect(() => buildLadder(plan({ stepBps: '9999' }))).toThrow('Bid 2 would not be above zero');
    expect(() => buildLadder(plan({ sizes: [parseDecimal('0.001')] }))).toThrow('size of level 1 would be zero');
  });

  test('keeps as many decimals as a number of that size needs', () => {
    expect(placesFor(parseDecimal('3412.18'), 6)).toBe(2);
    expect(placesFor(parseDecimal('97240'), 6)).toBe(1);
    expect(placesFor(parseDecimal('0.00018'), 6)).toBe(9);
    expect(placesFor(parseDecimal('1000000'), 6)).toBe(0);
  });
});
