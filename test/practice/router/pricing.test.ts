import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPaths } from '../../../electron/practice/router/best-price.ts';
import { checkSeal, sealRoute } from '../../../electron/practice/router/integrity.ts';
import {
  otherEnd,
  type PriceAsk,
  pricePath,
  splitHop,
  wholeLeg,
} from '../../../electron/practice/router/price-path.ts';
import { poolGives, poolWants, type Source } from '../../../electron/practice/router/sources.ts';
import { afterTax, beforeTax } from '../../../electron/practice/router/swap-taxes.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import type { PriceRoute } from '../../../electron/protocol/market-wire.ts';

const address = (byte: string): Address => `0x${byte.repeat(20)}`;
const [A, B, C, D, E] = ['aa', 'bb', 'cc', 'dd', 'ee'].map(address) as [Address, Address, Address, Address, Address];
const NO_TAXES = { src: 0, srcDex: 0, dest: 0, destDex: 0 };

function poolOf(reserveIn: bigint, reserveOut: bigint, feeBps: number, tokenIn = A, tokenOut = B): Source {
  const side = { reserveIn, reserveOut, feeBps };
  return {
    exchange: 'Pool',
    tokenIn,
    tokenOut,
    data: { kind: 'pool', pool: address('99') },
    gives: (amount) => poolGives(side, amount) || null,
    wants: (amount) => poolWants(side, amount),
  };
}

const reserve = fc.bigInt({ min: 10n ** 6n, max: 10n ** 30n });
const fee = fc.integer({ min: 0, max: 1_000 });

describe('a pool', () => {
  test('never lets the product of its reserves fall, and gives no less than it was asked for what it wants', () => {
    fc.assert(
      fc.property(
        reserve,
        reserve,
        fee,
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        (reserveIn, reserveOut, feeBps, amount) => {
          const side = { reserveIn, reserveOut, feeBps };
          const given = poolGives(side, amount);
          expect((reserveIn + amount) * (reserveOut - given)).toBeGreaterThanOrEqual(reserveIn * reserveOut);
          const out = (amount % (reserveOut - 1n)) + 1n;
          const wanted = poolWants(side, out);
          if (wanted === null) expect(out).toBeGreaterThanOrEqual(reserveOut);
          else expect(poolGives(side, wanted)).toBeGreaterThanOrEqual(out);
        },
      ),
    );
  });

  test('wants nothing for more than it has, because it cannot', () => {
    expect(poolWants({ reserveIn: 10n, reserveOut: 10n, feeBps: 0 }, 10n)).toBeNull();
    expect(poolGives({ reserveIn: 0n, reserveOut: 0n, feeBps: 0 }, 0n)).toBe(0n);
  });
});

test('what is sent for a tax is the least that arrives as wanted', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 9_999 }), (amount, bps) => {
      const sent = beforeTax(amount, bps);
      expect(afterTax(sent, bps)).toBeGreaterThanOrEqual(amount);
      expect(afterTax(sent - 1n, bps)).toBeLessThan(amount);
    }),
  );
  expect(beforeTax(0n, 100)).toBe(0n);
});

describe('a hop that is divided', () => {
  test('spends all of it, a twentieth at a time, and does no worse than the best source alone', () => {
    const amount = fc.bigInt({ min: 10n ** 3n, max: 10n ** 24n });
    fc.assert(
      fc.property(fc.array(fc.tuple(reserve, reserve, fee), { minLength: 1, maxLength: 3 }), amount, (pools, given) => {
        const sources = pools.map(([reserveIn, reserveOut, bps]) => poolOf(reserveIn, reserveOut, bps));
        const legs = splitHop(sources, 'in', given);
        if (legs === null) return;
        expect(legs.reduce((sum, { amountIn }) => sum + amountIn, 0n)).toBe(given);
        expect(legs.reduce((sum, { percent }) => sum + percent, 0)).toBe(100);
        const got = legs.reduce((sum, { amountOut }) => sum + amountOut, 0n);
        const alone = sources.map((source) => wholeLeg(source, 'in', given)?.amountOut ?? 0n);
        // Each part is rounded down by itself.
        for (const one of alone) expect(got + 20n).toBeGreaterThanOrEqual(one);
      }),
      { numRuns: 200 },
    );
  });

  test('goes to both when both are alike, and to the other when one is too shallow', () => {
    const deep = poolOf(10n ** 24n, 10n ** 24n, 30);
    const shares = (legs: ReturnType<typeof splitHop>) => legs?.map(({ percent }) => percent);
    expect(shares(splitHop([deep, deep], 'in', 10n ** 22n))).toEqual([50, 50]);
    expect(shares(splitHop([deep, deep], 'out', 10n ** 22n))).toEqual([50, 50]);
    const shallow = poolOf(10n ** 24n, 10n ** 20n, 0);
    expect(splitHop([shallow], 'out', 10n ** 22n)).toBeNull();
    expect(splitHop([], 'in', 1n)).toBeNull();
  });
});

describe('paths', () => {
  const edges = (pairs: [Address, Address][]) => pairs.map(([tokenIn, tokenOut]) => ({ tokenIn, tokenOut }));

  test('have at most four tokens, and none twice', () => {
    const line = edges([
      [A, B],
      [B, C],
      [C, D],
      [D, E],
      [B, A],
      [C, B],
    ]);
    expect(findPaths(line, A, D)).toEqual([[A, B, C, D]]);
    expect(findPaths(line, A, E)).toEqual([]);
    expect(findPaths([...line, ...edges([[B, D]])], A, D)).toHaveLength(2);
  });

  test('are priced from the end that is fixed; both ends agree but for rounding', () => {
    const sources = [poolOf(10n ** 24n, 10n ** 24n, 30), poolOf(10n ** 24n, 10n ** 24n, 30, B, C)];
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 6n, max: 10n ** 22n }), fc.integer({ min: 0, max: 300 }), (amount, bps) => {
        const taxes = { ...NO_TAXES, src: bps, destDex: bps };
        const ask: PriceAsk = { side: 'SELL', amount, from: A, to: C, taxes, feeBps: bps };
        const sell = pricePath(ask, [A, B, C], sources, 'split');
        if (sell === null) throw new Error('no price');
        const back = pricePath(
          { ...ask, side: 'BUY', feeBps: 0, amount: sell.destAmount },
          [A, B, C],
          sources,
          'split',
        );
        if (back === null) throw new Error('no price');
        // Without the fee the same output costs no more.
        expect(back.srcAmount).toBeLessThanOrEqual(amount + 10n);
        expect([sell.hops.length, sell.hops[0]?.[0]?.source.tokenIn, back.hops[1]?.[0]?.source.tokenOut]).toEqual([
          2,
          A,
          C,
        ]);
      }),
    );
  });

  test('fees are taken of what leaves the last hop of a SELL and added to what enters the first of a BUY', () => {
    const of = { taxes: { ...NO_TAXES, src: 100, dest: 100 }, feeBps: 200 };
    expect(otherEnd({ side: 'SELL', ...of }, 10_000n)).toBe(9_702n);
    expect(otherEnd({ side: 'BUY', ...of }, 9_900n)).toBe(beforeTax(10_098n, 100));
  });
});

test('the seal of a route is of its key, its time and every field', () => {
  const route = { network: 1, srcAmount: '5' } as unknown as PriceRoute;
  const sealed = sealRoute('key', route, 1_000_000);
  checkSeal('key', sealed, 1_030_000);
  expect(() => checkSeal('key', sealed, 1_030_001)).toThrow('Stale priceRoute');
  // Set back since.
  expect(() => checkSeal('key', sealed, 969_999)).toThrow('Stale priceRoute');
  checkSeal('key', sealed, 999_000);
  expect(() => checkSeal('another', sealed, 1_000_000)).toThrow('Invalid priceRoute');
  const younger = `e${sealed.hmac.slice(1)}`;
  expect(() => checkSeal('key', { ...sealed, hmac: younger }, 1_000_000)).toThrow('Invalid priceRoute');
});
