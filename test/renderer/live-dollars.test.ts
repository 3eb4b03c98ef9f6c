import { expect, test } from 'vitest';
import type { ExposureRow } from '../../electron/contract/desk-view.ts';
import {
  dearestFirst,
  dollarsUp,
  dollarText,
  gasText,
  liveDollars,
  liveWorth,
  wholeDollarText,
} from '../../renderer/components/live-dollars.ts';
import { liveText } from '../../renderer/components/still-live.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const row = (tokenId: string, decimals: number, dollars: string | null, digit: string): ExposureRow => ({
  chainId: 1,
  tokenId,
  address: address(digit),
  decimals,
  live: '0',
  quotes: 0,
  zeroAt: null,
  balance: null,
  allowance: null,
  dollars,
});
const EXPOSURE = [row('WETH', 18, '3412.96', 'a'), row('USDC', 6, '1', 'b'), row('ODD', 18, null, 'c')];
const amount = (digit: string, symbol: string, decimals: number, raw: string, chainId = 1) => ({
  chainId,
  address: address(digit),
  symbol,
  decimals,
  raw,
});

test('what may be taken is told in dollars cut up to the cent, whatever the decimals of its token', () => {
  expect(dollarText(dollarsUp('1', 18, '3412.96') ?? { digits: 0n, places: 0 })).toBe('$0.01');
  expect(dollarText(dollarsUp('2000000000000000000', 18, '3412.96') ?? { digits: 0n, places: 0 })).toBe('$6,825.92');
  expect(dollarsUp('5', 18, null)).toBeNull();
  expect(dollarsUp('0', 18, null)).toEqual({ digits: 0n, places: 2 });
});

test('a sum names the tokens that no price is known of, and takes no price from another chain', () => {
  const amounts = [
    amount('a', 'WETH', 18, '2000000000000000000'),
    amount('b', 'USDC', 6, '1000001'),
    amount('c', 'ODD', 18, '1'),
    amount('a', 'WETH', 18, '1', 10),
  ];
  const { dollars, without } = liveDollars(amounts, EXPOSURE);
  expect(dollarText(dollars)).toBe('$6,826.93');
  expect(without).toEqual(['ODD', 'WETH']);
});

test('everything live is one sum in whole dollars cut up, and a token without a price stands beside it with its amount', () => {
  const live = (index: number, raw: string, chainId = 1): ExposureRow => {
    const token = EXPOSURE[index];
    if (token === undefined) throw new Error('no such token');
    return Object.assign({}, token, { live: raw, chainId });
  };
  const [weth, usdc, odd] = [live(0, '2000000000000000000'), live(1, '1000001'), live(2, '7')];
  const { dollars, unpriced } = liveWorth([weth, usdc, odd, live(2, '5', 10), live(2, '0', 20)]);
  expect(dollarText(dollars)).toBe('$6,826.93');
  expect(wholeDollarText(dollars)).toBe('$6,827');
  expect(unpriced).toEqual([{ symbol: 'ODD', decimals: 18, live: 12n }]);
  expect(liveWorth([weth, live(2, '0')]).unpriced).toEqual([]);
});

test('of a token that is not listed now raw units are told, by its shortened address: nobody knows its decimals', () => {
  const gone: ExposureRow = Object.assign(row(address('d'), 0, null, 'd'), {
    live: '1500000',
    unlisted: true as const,
  });
  const [token] = liveWorth([gone]).unpriced;
  expect(token && liveText(token)).toBe('1,500,000 raw units of 0xdddd…dddd');
  const [listed] = liveWorth([Object.assign(row('ODD', 6, null, 'c'), { live: '1500001' })]).unpriced;
  expect(listed && liveText(listed)).toBe('1.51 ODD');
});

test('gas is told in the coin of its chain and in dollars, where its wrapped token has a price', () => {
  expect(gasText(1, '1204000000000001', EXPOSURE)).toBe('0.001205\u00a0ETH, $4.11');
  expect(gasText(10, '1204000000000000', EXPOSURE)).toBe('0.001204\u00a0ETH');
  expect(gasText(777, '1', EXPOSURE)).toBe('0.000001 of the chain’s coin');
});

test('what is worth most stands first, and before it whatever has no price, since nobody knows what that is worth', () => {
  const live = (index: number, raw: string, zeroAt: number): ExposureRow => {
    const token = EXPOSURE[index];
    if (token === undefined) throw new Error('no such token');
    return Object.assign({}, token, { live: raw, zeroAt });
  };
  const [little, much, unpriced] = [live(0, '1000', 9), live(1, '9000000', 1), live(2, '1', 1)];
  const later = live(1, '9000000', 2);
  expect(dearestFirst([little, much, later, unpriced])).toEqual([unpriced, later, much, little]);
});
