import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { ladderDepth } from '../../electron/protocol/ladder-depth.ts';
import { isBaseGiven, type Walk, walkLadder } from '../../electron/protocol/ladder-walk.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { howOften } from '../how-often.ts';
import { oracleDepth, oraclePrice } from './grid-oracle.ts';
import { aGivenAmount, aSide, ladderSide, someDecimals } from './ladder-arbitrary.ts';

const bids: Level[] = [
  ['3412.5', '2'],
  ['3410', '5'],
];
const asks: Level[] = [
  ['3413', '1'],
  ['3415.25', '4'],
];
const WETH = 10n ** 18n;
const USDC = 10n ** 6n;
const walk = (levels: Level[], rest: Omit<Parameters<typeof walkLadder>[0], 'levels'>) =>
  walkLadder({ levels: prepareLevels(levels, 18, 6), ...rest });
const amounts = (result: Walk) =>
  result.kind === 'priced' ? [result.makerAmount, result.takerAmount] : [result.kind, result.kind];
const computedOf = (result: Walk, given: 'makerAmount' | 'takerAmount') =>
  result.kind === 'priced' ? (given === 'makerAmount' ? result.takerAmount : result.makerAmount) : null;

describe('the ladder walk', () => {
  it('fills a sold base amount from the bids in order', () => {
    const result = walk(bids, { side: 'bids', given: 'takerAmount', amount: 3n * WETH, overfillBps: 0 });
    expect(amounts(result)).toEqual([(2n * 34125n * USDC) / 10n + 3410n * USDC, 3n * WETH]);
  });

  it('fills a bought base amount from the asks in order', () => {
    const result = walk(asks, { side: 'asks', given: 'makerAmount', amount: 2n * WETH, overfillBps: 0 });
    expect(amounts(result)).toEqual([2n * WETH, 3413n * USDC + (341525n * USDC) / 100n]);
  });

  it('inverts the book when the amount is in quote: the maker gives quote on the bids and receives base', () => {
    const amount = 6825n * USDC + 3410n * USDC;
    const result = walk(bids, { side: 'bids', given: 'makerAmount', amount, overfillBps: 0 });
    expect(amounts(result)).toEqual([amount, 3n * WETH]);
  });

  it('inverts the book when the amount is in quote: the maker receives quote on the asks and gives base', () => {
    const amount = 3413n * USDC + 341525n * 10n ** 4n;
    const result = walk(asks, { side: 'asks', given: 'takerAmount', amount, overfillBps: 0 });
    expect(amounts(result)).toEqual([2n * WETH, amount]);
  });

  it('tells what was taken at which price', () => {
    const result = walk(asks, { side: 'asks', given: 'makerAmount', amount: 2n * WETH, overfillBps: 0 });
    const taken = result.kind === 'priced' ? result.taken.map(({ amount }) => amount.n / amount.d) : [];
    expect(taken).toEqual([WETH, WETH]);
    const whole = walk(asks, { side: 'asks', given: 'makerAmount', amount: WETH, overfillBps: 0 });
    expect(whole.kind === 'priced' && whole.taken).toHaveLength(1);
  });

  it('rounds for the maker: what it gives down, what it receives up', () => {
    const third: Level[] = [['3', '1000']];
    const gives = walk(third, { side: 'asks', given: 'takerAmount', amount: 1n, overfillBps: 0 });
    expect(amounts(gives)).toEqual([333_333_333_333n, 1n]);
    const receives = walk(third, { side: 'asks', given: 'makerAmount', amount: 1n, overfillBps: 0 });
    expect(amounts(receives)).toEqual([1n, 1n]);
  });

  it('prices an amount over the depth by at most the overfill at the last level', () => {
    const over = (7n * WETH * 101n) / 100n;
    const result = walk(bids, { side: 'bids', given: 'takerAmount', amount: over, overfillBps: 100 });
    expect(amounts(result)).toEqual([6825n * USDC + 3410n * 507n * 10n ** 4n, over]);
  });

  it('rounds the overfill up to the raw unit above it, and goes no further', () => {
    const deepest = (7n * WETH * 101n) / 100n + 1n;
    const kind = (amount: bigint) => walk(bids, { side: 'bids', given: 'takerAmount', amount, overfillBps: 100 }).kind;
    expect([kind(deepest), kind(deepest + 1n)]).toEqual(['priced', 'insufficient_depth']);
  });

  it('gives nothing over a depth of which the bps are less than a raw unit: one item is not sold twice', () => {
    const item = prepareLevels([['5', '1']], 0, 6);
    const kind = (amount: bigint, overfillBps: number) =>
      walkLadder({ levels: item, side: 'asks', given: 'makerAmount', amount, overfillBps }).kind;
    expect([kind(1n, 200), kind(2n, 200), kind(2n, 9_999)]).toEqual([
      'priced',
      'insufficient_depth',
      'insufficient_depth',
    ]);
    const fifty = prepareLevels([['5', '50']], 0, 6);
    const most = (amount: bigint) =>
      walkLadder({ levels: fifty, side: 'asks', given: 'makerAmount', amount, overfillBps: 200 }).kind;
    expect([most(52n), most(53n)]).toEqual(['priced', 'insufficient_depth']);
  });

  it.each([
    [100, (7n * WETH * 101n) / 100n + 2n],
    [0, 7n * WETH + 1n],
  ])('refuses what is over the depth by more than %d bps', (overfillBps, amount) => {
    expect(walk(bids, { side: 'bids', given: 'takerAmount', amount, overfillBps }).kind).toBe('insufficient_depth');
  });

  it('refuses an amount that is worth less than one raw unit, and zero', () => {
    const dust = walk(bids, { side: 'bids', given: 'takerAmount', amount: 1n, overfillBps: 0 });
    expect(dust.kind).toBe('amount_too_small');
    expect(walk(asks, { side: 'asks', given: 'makerAmount', amount: 0n, overfillBps: 0 }).kind).toBe(
      'amount_too_small',
    );
  });

  it('refuses amounts that do not fit an order', () => {
    const steep: Level[] = [[`1${'0'.repeat(70)}`, `1${'0'.repeat(70)}`]];
    const computed = walk(steep, { side: 'asks', given: 'makerAmount', amount: 10n ** 30n, overfillBps: 0 });
    expect(computed.kind).toBe('amount_too_large');
    const given = walk(steep, { side: 'asks', given: 'makerAmount', amount: 2n ** 256n, overfillBps: 0 });
    expect(given.kind).toBe('amount_too_large');
  });

  it('has no depth on an empty side', () => {
    expect(walk([], { side: 'asks', given: 'makerAmount', amount: 1n, overfillBps: 100 }).kind).toBe(
      'insufficient_depth',
    );
  });

  it('agrees to the raw unit with an oracle that shares nothing with it, both ways and for both amounts', () => {
    const question = fc.tuple(aSide, aGivenAmount, someDecimals, someDecimals, fc.bigInt({ min: 1n, max: 10n ** 9n }));
    const property = fc.property(
      question.chain(([side, ...rest]) => fc.tuple(fc.constant(side), ladderSide(side), fc.constant(rest))),
      ([side, levels, [given, baseDecimals, quoteDecimals, part]]) => {
        const ofBase = isBaseGiven(side, given);
        const depth = oracleDepth(levels, ofBase ? 'base' : 'quote', ofBase ? baseDecimals : quoteDecimals);
        const prepared = prepareLevels(levels, baseDecimals, quoteDecimals);
        expect(ladderDepth(prepared, ofBase ? 'base' : 'quote')).toBe(depth);
        for (const amount of [1n, (depth * part) / 10n ** 9n, depth, depth + 1n]) {
          if (amount <= 0n) continue;
          const exact = oraclePrice({ levels, side, given, amount, baseDecimals, quoteDecimals });
          const result = walkLadder({ levels: prepared, side, given, amount, overfillBps: 0 });
          if (exact === null) expect(result.kind).toBe('insufficient_depth');
          else if (exact === 0n) expect(result.kind).toBe('amount_too_small');
          else if (exact < 2n ** 256n && amount < 2n ** 256n) expect(computedOf(result, given)).toBe(exact);
          else expect(result.kind).toBe('amount_too_large');
        }
      },
    );
    fc.assert(property, { numRuns: howOften(250, 5_000) });
  });

  it('prices the overfill as if the last level went on', () => {
    const property = fc.property(
      fc
        .tuple(aSide, aGivenAmount)
        .chain(([side, given]) => fc.tuple(fc.constant(side), fc.constant(given), ladderSide(side))),
      fc.integer({ min: 1, max: 100 }),
      ([side, given, levels], bps) => {
        const ofBase = isBaseGiven(side, given);
        const depth = oracleDepth(levels, ofBase ? 'base' : 'quote', ofBase ? 18 : 6);
        const amount = (depth * BigInt(10_000 + bps)) / 10_000n;
        const last = levels.at(-1);
        if (amount === 0n || last === undefined) return;
        const longer: Level[] = [...levels, [last[0], `${10n ** 60n}`]];
        const exact = oraclePrice({ levels: longer, side, given, amount, baseDecimals: 18, quoteDecimals: 6 });
        const result = walk(levels, { side, given, amount, overfillBps: 100 });
        if (exact === 0n) expect(result.kind).toBe('amount_too_small');
        else if (exact !== null && exact < 2n ** 256n && amount < 2n ** 256n)
          expect(computedOf(result, given)).toBe(exact);
        else expect(result.kind).toBe('amount_too_large');
      },
    );
    fc.assert(property, { numRuns: howOften(150, 2_000) });
  });
});
