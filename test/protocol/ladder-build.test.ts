import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, div, mul, parseDecimal, sub } from '../../electron/protocol/decimal.ts';
import {
  behindAsIn,
  evenlyBehind,
  finestIn,
  ladderPrices,
  levelsOf,
  middleOf,
  placesFor,
  proportionsIn,
  proportionsOf,
  type SizeShape,
  sizesFrom,
  spreadIn,
  stepIn,
} from '../../electron/protocol/ladder-build.ts';
import { ladderFaults } from '../../electron/protocol/ladder-faults.ts';
import type { Level } from '../../electron/protocol/wire.ts';

/** A ladder of evenly spaced levels; its sizes begin with 2.5, all alike, unless said otherwise. */
function built(
  changes: {
    mid?: string;
    spreadBps?: string;
    stepBps?: string;
    levels?: number;
    first?: string;
    shape?: SizeShape;
  } = {},
) {
  const { mid = '3412.18', spreadBps = '5', stepBps = '10', levels = 3, first = '2.5' } = changes;
  const behind = evenlyBehind(stepBps, levels);
  const around = parseDecimal(mid);
  const pricePlaces = changes.mid === undefined ? 2 : placesFor(around, 6);
  const prices = ladderPrices({ mid: around, spreadBps, behind: { bids: behind, asks: behind }, pricePlaces });
  const sizes = sizesFrom(parseDecimal(first), proportionsOf(changes.shape ?? { kind: 'flat' }, levels));
  return { bids: levelsOf(prices.bids, sizes, 2), asks: levelsOf(prices.asks, sizes, 2) };
}

/** Ladders with steps and sizes of any kind, each side its own. */
const ladders = fc
  .record({
    places: fc.integer({ min: 0, max: 9 }),
    best: fc.integer({ min: 1_000, max: 10 ** 9 }),
    apart: fc.integer({ min: 1, max: 500 }),
    bids: fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 10 ** 6 })), {
      minLength: 1,
      maxLength: 12,
    }),
    asks: fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 10 ** 6 })), {
      minLength: 1,
      maxLength: 12,
    }),
  })
  .map(({ places, best, apart, bids, asks }) => {
    const text = (ticks: number) =>
      places === 0 ? `${ticks}` : `${ticks}`.padStart(places + 1, '0').replace(new RegExp(`(\\d{${places}})$`), '.$1');
    const side = (levels: typeof bids, from: number, way: 1 | -1): Level[] => {
      let at = from;
      return levels.map(([gap, size], level) => {
        if (level > 0) at += way * gap;
        return [text(at), `${size}`];
      });
    };
    return { bids: side(bids, best, -1), asks: side(asks, best + apart, 1) };
  });

describe('a ladder that is built', () => {
  test('stands around its mid, cut against the taker', () => {
    expect(built()).toEqual({
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
    const price = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }))
      .map(([digits, places]) => (digits / 10 ** places).toFixed(places));
    fc.assert(
      fc.property(
        price,
        tenths(1_000),
        tenths(500),
        fc.integer({ min: 1, max: 20 }),
        (mid, spreadBps, stepBps, levels) => {
          const ladder = built({ mid, spreadBps, stepBps, levels, first: '1.5', shape: { kind: 'linear' } });
          expect(ladder.bids).toHaveLength(levels);
          expect(ladderFaults(ladder)).toEqual([]);
          const [bid, ask] = [ladder.bids[0]?.[0] ?? '', ladder.asks[0]?.[0] ?? ''];
          const around = parseDecimal(mid);
          const half = div(mul(around, parseDecimal(spreadBps)), { n: 20_000n, d: 1n });
          expect(compare(parseDecimal(bid), sub(around, half))).toBeLessThanOrEqual(0);
          expect(compare(sub(parseDecimal(ask), around), half)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('has sizes that are alike, rise, or grow by a factor', () => {
    const sizes = (shape: SizeShape) => built({ first: '2', shape }).bids.map(([, amount]) => amount);
    expect(sizes({ kind: 'flat' })).toEqual(['2', '2', '2']);
    expect(sizes({ kind: 'linear' })).toEqual(['2', '4', '6']);
    expect(sizes({ kind: 'factor', factor: '1.25' })).toEqual(['2', '2.5', '3.12']);
  });

  test('is refused where a price or a size would be nothing', () => {
    expect(() => built({ stepBps: '9999' })).toThrow('Bid 2 would not be above zero');
    expect(() => built({ first: '0.001' })).toThrow('size of level 1 would be zero');
  });

  test('keeps as many decimals as a number of that size needs', () => {
    expect(placesFor(parseDecimal('3412.18'), 6)).toBe(2);
    expect(placesFor(parseDecimal('97240'), 6)).toBe(1);
    expect(placesFor(parseDecimal('0.00018'), 6)).toBe(9);
    expect(placesFor(parseDecimal('1000000'), 6)).toBe(0);
  });
});

describe('the shape of a ladder', () => {
  test('built again around its own mid gives the same prices, whatever its steps are', () => {
    fc.assert(
      fc.property(ladders, ({ bids, asks }) => {
        const ladder = { bids, asks };
        const [mid, spreadBps] = [middleOf(ladder), spreadIn(ladder)];
        if (mid === null || spreadBps === null) throw new Error('both sides have a price');
        const behind = (side: readonly Level[]) => behindAsIn(side, mid, side.length) ?? evenlyBehind('0', 1);
        const prices = ladderPrices({
          mid,
          spreadBps,
          behind: { bids: behind(bids), asks: behind(asks) },
          pricePlaces: finestIn(ladder, 0) ?? 0,
        });
        const values = (texts: readonly string[]) =>
          texts.map((text) =>
            text.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') || text.includes('.') ? '' : zeros)),
          );
        expect(prices.bids).toEqual(values(bids.map(([price]) => price)));
        expect(prices.asks).toEqual(values(asks.map(([price]) => price)));
      }),
    );
  });

  test('goes on behind its last level as far apart as the last two, with the last size', () => {
    const side: Level[] = [
      ['100', '1'],
      ['99', '4'],
      ['97', '2'],
    ];
    const [one, , , fourth, fifth] = behindAsIn(side, parseDecimal('100'), 5) ?? [];
    expect([one, fourth, fifth].map((part) => part && Number(part.n) / Number(part.d))).toEqual([0, 0.05, 0.07]);
    expect(proportionsIn(side, 5)).toEqual([1n, 4n, 2n, 2n, 2n]);
    expect(behindAsIn(side.slice(0, 1), parseDecimal('100'), 2)).toBeNull();
    expect(proportionsIn([], 3)).toEqual([]);
  });

  test('is told in few digits: its spread with as many as it needs and two at least, its steps on average and rounded up', () => {
    const ladder = built({ spreadBps: '20', stepBps: '4' });
    expect([spreadIn(ladder), stepIn(ladder)]).toEqual(['20.04', '4.01']);
    expect([spreadIn({ ...ladder, asks: [] }), stepIn({ bids: [['1', '1']], asks: [] })]).toEqual([null, null]);
  });
});
