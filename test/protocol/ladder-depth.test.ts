import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { cutLevels, ladderDepth } from '../../electron/protocol/ladder-depth.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { howOften } from '../how-often.ts';
import { oracleDepth } from './grid-oracle.ts';
import { aSide, ladderSide, someDecimals } from './ladder-arbitrary.ts';

const asks: Level[] = [
  ['3413', '1'],
  ['3415.25', '4.50'],
];
const cut = (levels: Level[], side: 'bids' | 'asks', maxMakerAmount: bigint) =>
  cutLevels({ levels, prepared: prepareLevels(levels, 18, 6), side, maxMakerAmount, baseDecimals: 18 });

describe('cutting a side to what can still be signed', () => {
  it('leaves a side that fits as it was published, to the letter', () => {
    expect(cut(asks, 'asks', 55n * 10n ** 17n)).toEqual(asks);
  });

  it('shortens the level where the limit lies and leaves out those behind it', () => {
    expect(cut(asks, 'asks', 10n ** 18n + 5n * 10n ** 17n)).toEqual([
      ['3413', '1'],
      ['3415.25', '0.5'],
    ]);
    expect(cut(asks, 'asks', 25n * 10n ** 16n)).toEqual([['3413', '0.25']]);
  });

  it('counts quote on the bids, because quote is what the maker gives there', () => {
    expect(cut([['2000', '3']], 'bids', 1_000n * 10n ** 6n)).toEqual([['2000', '0.5']]);
  });

  it('leaves nothing when nothing can be signed', () => {
    expect(cut(asks, 'asks', 0n)).toEqual([]);
    expect(cut(asks, 'asks', -5n)).toEqual([]);
    expect(cut([], 'bids', 5n)).toEqual([]);
    const whole: Level[] = [['2000', '3']];
    const prepared = prepareLevels(whole, 0, 6);
    const served = cutLevels({
      levels: whole,
      prepared,
      side: 'bids',
      maxMakerAmount: 1_999_999_999n,
      baseDecimals: 0,
    });
    expect(served).toEqual([]);
  });

  it('never promises more than the limit, and all of it but the last raw unit of base, or what is worth less than one of quote', () => {
    const property = fc.property(
      aSide.chain((side) => fc.tuple(fc.constant(side), ladderSide(side))),
      someDecimals,
      someDecimals,
      fc.bigInt({ min: 0n, max: 1_500_000n }),
      ([side, levels], baseDecimals, quoteDecimals, part) => {
        const unit = side === 'asks' ? 'base' : 'quote';
        const decimals = side === 'asks' ? baseDecimals : quoteDecimals;
        const depth = oracleDepth(levels, unit, decimals);
        const maxMakerAmount = (depth * part) / 1_000_000n;
        const prepared = prepareLevels(levels, baseDecimals, quoteDecimals);
        const served = cutLevels({ levels, prepared, side, maxMakerAmount, baseDecimals });
        const servedDepth = oracleDepth(served, unit, decimals);
        expect(servedDepth <= maxMakerAmount).toBe(true);
        expect(served.every(([, amount]) => /[1-9]/.test(amount))).toBe(true);
        if (maxMakerAmount > depth) expect(served).toEqual(levels);
        if (side === 'asks' && maxMakerAmount <= depth) {
          const missing = maxMakerAmount - servedDepth;
          // What is left of a level and worth less than one raw unit of quote is left out.
          const next = prepared[served.length]?.price;
          expect(missing <= 1n || (next !== undefined && (missing - 1n) * next.n < next.d)).toBe(true);
        }
        expect(ladderDepth(prepareLevels(served, baseDecimals, quoteDecimals), unit)).toBe(servedDepth);
      },
    );
    fc.assert(property, { numRuns: howOften(1_000, 20_000) });
  });
});
