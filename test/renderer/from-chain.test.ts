import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChainConfig, Ladder } from '../../electron/contract/desk-file.ts';
import { limitsSchema } from '../../electron/contract/limits.ts';
import { readDecimal } from '../../renderer/components/figures/decimal-text.ts';
import {
  ladderAround,
  limitName,
  newLimits,
  newPairs,
  sameTokens,
  withLimits,
} from '../../renderer/pages/first-start/from-chain.ts';

const token = (symbol: string, digit: string, decimals = 18): ChainConfig['tokens'][string] => ({
  symbol,
  name: symbol,
  address: `0x${digit.repeat(40)}`,
  decimals,
  type: 'ERC20',
});
const pair = (base: string, quote: string) => ({ base, quote, liquidityUSD: 100_000 });

const THERE = {
  tokens: { WETH: token('WETH', 'a'), USDC: token('USDC', 'b', 6), DAI: token('DAI', 'c') },
  pairs: { 'WETH/USDC': pair('WETH', 'USDC'), 'DAI/USDC': pair('DAI', 'USDC') },
};
/** USDC goes by another ID here, has other decimals, and DAI is not listed. */
const HERE = { tokens: { WETH: token('WETH', 'd'), 'USDC-af88': token('USDC', 'e', 18) }, pairs: {} };

test('a pair of another chain is offered under the names its tokens have here, by symbol, and only where both are listed', () => {
  expect(newPairs(THERE, HERE)).toEqual([
    { there: 'WETH/USDC', pair: 'WETH/USDC-af88', definition: pair('WETH', 'USDC-af88') },
  ]);
  expect(newPairs(THERE, { tokens: HERE.tokens, pairs: { 'USDC/WETH': pair('USDC-af88', 'WETH') } })).toEqual([]);
});

test('a symbol that two tokens of a chain have says nothing of either', () => {
  const twice = { ...HERE.tokens, 'USDC.e': token('USDC', 'f', 6) };
  expect([...sameTokens(THERE.tokens, twice)]).toEqual([['WETH', 'WETH']]);
  expect([...sameTokens(twice, THERE.tokens)]).toEqual([['WETH', 'WETH']]);
});

test('limits of another chain are offered token by token where none is set here, and what is set here stays', () => {
  const there = limitsSchema.parse({
    maxQuote: { WETH: '5', USDC: '20000', DAI: '9' },
    maxOutstanding: { WETH: '20' },
    driftPerDay: { USDC: '0.5' },
    quotesPerUserPerMinute: 30,
  });
  const here = limitsSchema.parse({ maxQuote: { WETH: '1' }, ladderMaxAgeSeconds: 60 });
  const copied = newLimits(there, here, sameTokens(THERE.tokens, HERE.tokens));
  expect(copied.map((limit) => `${limitName(limit)}: ${limit.value}`)).toEqual([
    'USDC-af88, at most in one quote: 20000',
    'WETH, at most signed and live: 20',
    'USDC-af88, alarm when a day’s drift is over: 0.5',
    'Quotes per user per minute: 30',
  ]);
  expect(withLimits(here, copied)).toEqual({
    maxQuote: { WETH: '1', 'USDC-af88': '20000' },
    maxOutstanding: { WETH: '20' },
    driftPerDay: { 'USDC-af88': '0.5' },
    quotesPerUserPerMinute: 30,
    ladderMaxAgeSeconds: 60,
  });
});

const LADDER: Ladder = {
  bids: [
    ['3399.00', '1.5'],
    ['3390.00', '4'],
  ],
  asks: [
    ['3401.00', '1.5'],
    ['3410.00', '4'],
  ],
};

test('a ladder is taken as it is around its own middle, and every price keeps its distance from another one', () => {
  expect(ladderAround(LADDER, '3400')).toEqual(LADDER);
  expect(ladderAround(LADDER, '1700')).toEqual({
    bids: [
      ['1699.50', '1.5'],
      ['1695.00', '4'],
    ],
    asks: [
      ['1700.50', '1.5'],
      ['1705.00', '4'],
    ],
  });
  for (const mid of ['0', '-1', '', 'x']) expect(ladderAround(LADDER, mid)).toBeNull();
  expect(ladderAround({ bids: LADDER.bids, asks: [] }, '3400')).toBeNull();
});

test('around whatever middle, rounding is for the maker: a bid is never above its distance, an ask never below', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), (cents) => {
      const mid = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      const moved = ladderAround(LADDER, mid);
      const raw = (price: string | undefined) => readDecimal(price ?? '')?.digits ?? 0n;
      LADDER.bids.forEach(([price], level) => {
        // Both sides of price / 3400 = moved / mid, in cents.
        const left = raw(moved?.bids[level]?.[0]) * 340_000n;
        expect(left <= raw(price) * cents && left > raw(price) * cents - 340_000n).toBe(true);
      });
      LADDER.asks.forEach(([price], level) => {
        const left = raw(moved?.asks[level]?.[0]) * 340_000n;
        expect(left >= raw(price) * cents && left < raw(price) * cents + 340_000n).toBe(true);
      });
    }),
  );
});
