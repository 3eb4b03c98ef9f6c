import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reprice, repriced } from '../../electron/contract/repriced-ladder.ts';
import { compareDecimals, type Decimal, product, readDecimal } from '../../renderer/components/figures/decimal-text.ts';
import type { LadderValues } from '../../renderer/pages/prices/ladder-values.ts';
import { repricedPairs, toReprice } from '../../renderer/pages/prices/repriced-pairs.ts';
import { isInverse, type RepriceOrder, readReprice, repriceText } from '../../renderer/state/reprice.ts';
import { CHAIN, configuredBook } from '../book/fixture.ts';

const listed = [
  { chainId: 1, pair: 'WETH/USDC', base: 'WETH', quote: 'USDC' },
  { chainId: 1, pair: 'LINK/WETH', base: 'LINK', quote: 'WETH' },
  { chainId: 1, pair: 'DAI/USDC', base: 'DAI', quote: 'USDC' },
  { chainId: 2, pair: 'WETH/USDC', base: 'WETH', quote: 'USDC' },
];
const read = (text: string) => {
  const order = readReprice(text, listed);
  return order === null || 'fault' in order
    ? order
    : [repriceText(order), ...order.pairs.map(({ chainId, pair }) => `${chainId} ${pair}`)];
};

describe('a change of many pairs is written as', () => {
  test('a token, a pair or all, and what is done to it', () => {
    expect(read('weth +5bp')).toEqual(['WETH 5 bps up', '1 WETH/USDC', '1 LINK/WETH', '2 WETH/USDC']);
    expect(read('DAI −2.5 bps')).toEqual(['DAI 2.5 bps down', '1 DAI/USDC']);
    expect(read('WETH/USDC wider 5bp')).toEqual(['All pairs 5 bps wider', '1 WETH/USDC', '2 WETH/USDC']);
    expect(read('LINK/WETH tighter by 1')).toEqual(['LINK/WETH 1 bps tighter', '1 LINK/WETH']);
    expect(read('all sizes x0.5')).toEqual([
      'Sizes of all pairs ×0.5',
      ...listed.map((one) => `${one.chainId} ${one.pair}`),
    ]);
    expect(read('WETH size ×2')).toMatchObject({ 0: 'Sizes of all WETH pairs ×2' });
  });

  test('a token in any spelling, which moves the same way wherever it is so called', () => {
    const spelled = [
      { chainId: 1, pair: 'USDT/DAI', base: 'USDT', quote: 'DAI' },
      { chainId: 2, pair: 'USDt/DAI', base: 'USDt', quote: 'DAI' },
      { chainId: 2, pair: 'WETH/USDt', base: 'WETH', quote: 'USDt' },
      { chainId: 3, pair: 'USDT/USDt', base: 'USDT', quote: 'USDt' },
    ];
    const moves = (text: string) => {
      const order = readReprice(text, spelled);
      if (order === null || 'fault' in order) throw new Error(text);
      return [order.token, ...order.pairs.map((pair) => (isInverse(pair, order) ? 'the other way' : 'up'))];
    };
    for (const text of ['USDT +5bp', 'usdt +5bp']) {
      expect(moves(text)).toEqual(['USDT', 'up', 'up', 'the other way', 'up']);
    }
    expect(moves('USDt +5bp')).toEqual(['USDt', 'up', 'up', 'the other way', 'the other way']);
    expect(moves('usdt/dai +5bp')).toEqual([null, 'up', 'up']);
  });

  test('nothing else, and what cannot be done says why', () => {
    for (const text of [
      '',
      'WETH',
      'WETH 5',
      'WETH +5',
      'WETH +1e3bp',
      'WETH +12,5bp',
      'halt everything',
      'WETH sizes',
    ]) {
      expect(read(text)).toBeNull();
    }
    for (const text of ['FOO +5bp', 'WETH +0bp', 'WETH -1001bp', 'WETH sizes x0', 'WETH sizes x101', 'all +5bp']) {
      expect(read(text)).toEqual({ fault: expect.any(String) });
    }
  });
});

const decimal = (text: string): Decimal => {
  const value = readDecimal(text);
  if (value === null) throw new Error(text);
  return value;
};
const LADDER: LadderValues = {
  bids: [
    ['3411.40', '2.5'],
    ['3411.05', '4'],
  ],
  asks: [['3412.96', '2.5']],
};

describe('a ladder', () => {
  test('shifted goes up or down on both sides, and the other way where the token is its quote', () => {
    const up: Reprice = { kind: 'shift', bps: '5' };
    expect(repriced(LADDER, up, false)).toEqual({
      bids: [
        ['3413.10', '2.5'],
        ['3412.75', '4'],
      ],
      asks: [['3414.67', '2.5']],
    });
    // 3411.40 / 1.0005 = 3409.695…, 3412.96 / 1.0005 = 3411.254…
    expect(repriced(LADDER, up, true)).toMatchObject({
      bids: { 0: ['3409.69', '2.5'] },
      asks: [['3411.26', '2.5']],
    });
  });

  test('wider and tighter moves each side by that much, and sizes leave prices alone', () => {
    expect(repriced(LADDER, { kind: 'wider', bps: '-1' }, true)).toMatchObject({
      bids: { 0: ['3411.74', '2.5'] },
      asks: [['3412.62', '2.5']],
    });
    expect(repriced(LADDER, { kind: 'sizes', factor: '0.5' }, false)).toEqual({
      bids: [
        ['3411.40', '1.25'],
        ['3411.05', '2.0'],
      ],
      asks: [['3412.96', '1.25']],
    });
  });

  test('in a coarse column keeps six digits, so that a few basis points stay a few', () => {
    const coarse: LadderValues = { bids: [['2', '1']], asks: [['0.0003', '1']] };
    expect(repriced(coarse, { kind: 'wider', bps: '5' }, false)).toEqual({
      bids: [['1.9990', '1']],
      asks: [['0.00030015', '1']],
    });
  });

  test('with a cell that is no number, or whose size would be nothing, is left alone', () => {
    const wider: Reprice = { kind: 'wider', bps: '5' };
    expect(repriced({ bids: [['', '1']], asks: [] }, wider, false)).toBeNull();
    expect(repriced({ bids: [['1e3', '1']], asks: [] }, wider, false)).toBeNull();
    expect(repriced({ bids: [['0', '1']], asks: [] }, wider, false)).toBeNull();
    const dust: LadderValues = { bids: [[`1`, `0.${'0'.repeat(50)}1`]], asks: [] };
    expect(repriced(dust, { kind: 'sizes', factor: '0.001' }, false)).toBeNull();
  });

  test('never becomes better for a taker by rounding, nor worse than by one unit of its last place', () => {
    const number = fc.stringMatching(/^[1-9][0-9]{0,5}(\.[0-9]{1,6})?$/);
    const change = fc.oneof(
      fc.record({
        kind: fc.constantFrom('shift' as const, 'wider' as const),
        bps: fc.integer({ min: 1, max: 9_999 }).chain((tenths) => fc.constantFrom(`${tenths / 10}`, `-${tenths / 10}`)),
      }),
      fc.record({
        kind: fc.constant('sizes' as const),
        factor: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => `${hundredths / 100}`),
      }),
    );
    fc.assert(
      fc.property(number, number, change, fc.boolean(), (price, amount, by, inverse) => {
        const made = repriced({ bids: [[price, amount]], asks: [[price, amount]] }, by, inverse);
        if (made === null) return;
        // Everything is compared as whole numbers over one denominator.
        const scaled = ({ digits, places }: Decimal) => digits * 10n ** BigInt(60 - places);
        const exact = (side: 'bids' | 'asks'): [bigint, bigint] => {
          if (by.kind === 'sizes') return [scaled(product(decimal(amount), decimal(by.factor))), 1n];
          const sign = by.kind === 'wider' && side === 'bids' ? -1n : 1n;
          const bps = decimal(by.bps);
          const tenth = 100_000n + sign * bps.digits * 10n ** BigInt(1 - bps.places);
          return by.kind === 'shift' && inverse
            ? [scaled(decimal(price)) * 100_000n, tenth]
            : [scaled(decimal(price)) * tenth, 100_000n];
        };
        for (const side of ['bids', 'asks'] as const) {
          const text = made[side][0]?.[by.kind === 'sizes' ? 1 : 0] ?? '';
          const [n, d] = exact(side);
          const off =
            by.kind === 'sizes' || side === 'bids' ? n - scaled(decimal(text)) * d : scaled(decimal(text)) * d - n;
          expect(off >= 0n).toBe(true);
          const before = by.kind === 'sizes' ? amount : price;
          const places = Math.max((text.split('.')[1] ?? '').length, (before.split('.')[1] ?? '').length);
          expect(off < scaled({ digits: 1n, places }) * d || places < 6).toBe(true);
          expect(compareDecimals(decimal(text), { digits: 0n, places: 0 })).toBe(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('every pair of a change stands in the list, and while one of those that are ticked is not known nothing is to be written', async () => {
  const { book } = await configuredBook();
  const pairs = [
    { chainId: CHAIN, pair: 'WETH/USDC', base: 'WETH', quote: 'USDC' },
    { chainId: CHAIN, pair: 'DAI/USDC', base: 'DAI', quote: 'USDC' },
  ];
  const order: RepriceOrder = { change: { kind: 'wider', bps: '5' }, token: null, pairs };
  const known = { data: book.draft(CHAIN, 'WETH/USDC'), error: null };
  const failed = { data: undefined, error: new Error('The journal cannot be read.') };
  const rows = repricedPairs(order, [known, failed]);
  expect(rows).toMatchObject([
    { pair: pairs[0], draft: known.data, after: { bids: { 0: ['3410.79', '1'] } } },
    { pair: pairs[1], draft: null, error: failed.error },
  ]);
  const names = (found: ReturnType<typeof toReprice>) => ({
    chosen: found.chosen.map(({ pair }) => pair.pair),
    unread: found.unread.map(({ pair }) => pair.pair),
  });
  expect(names(toReprice(rows, new Set()))).toEqual({ chosen: ['WETH/USDC'], unread: ['DAI/USDC'] });
  expect(names(toReprice(rows, new Set([`${CHAIN}:DAI/USDC`])))).toEqual({ chosen: ['WETH/USDC'], unread: [] });
  expect(names(toReprice(repricedPairs(order, []), new Set()))).toEqual({
    chosen: [],
    unread: ['WETH/USDC', 'DAI/USDC'],
  });
});
