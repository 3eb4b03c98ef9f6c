import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { restock } from '../../../electron/practice/chain/inventory.ts';
import type { CachedMaker } from '../../../electron/practice/consumer/maker-consumer.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { collectLog } from '../collected-log.ts';
import { ONE } from './settlement-calls.ts';

const PLAN = {
  name: 'Practice',
  tokens: {
    WETH: { symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, type: 'ERC20' as const },
    USDC: { symbol: 'USDC', name: 'USD Coin', decimals: 6, type: 'ERC20' as const },
  },
  pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } },
  prices: {
    'WETH/USDC': { bids: [['3400', '20'] as [string, string]], asks: [['3420', '26.6'] as [string, string]] },
  },
};
const DEPTH = 266n * 10n ** 17n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

async function look(cached: CachedMaker | null = null, plan: typeof PLAN = PLAN): Promise<string[]> {
  const log = collectLog();
  const { maker, user, other } = chain.accounts;
  const tokens = { WETH: chain.weth, USDC: chain.usdc };
  const holders = [
    { name: 'maker', role: 'maker' as const, address: maker.address },
    { name: 'retail', role: 'taker' as const, address: user.address },
  ];
  await restock({ bank: other, plan, tokens, holders, cached, log });
  return log.lines;
}

async function dispose(of: 'weth' | 'usdc', left: bigint, owner: 'maker' | 'user' = 'maker'): Promise<void> {
  const { [owner]: giver, other } = chain.accounts;
  const balance = await chain.balanceOf(chain[of], giver.address);
  await giver.call(TEST_TOKEN, chain[of], 'transfer', [other.address, balance - left]);
}

test('accounts with enough are left alone', async () => {
  expect(await look()).toEqual([]);
});

test('a maker at a hundred times the depth is brought back to two hundred, which is logged', async () => {
  await dispose('weth', 100n * DEPTH);
  expect(await look()).toEqual(['Practice: maker restocked with 2,660.00 WETH']);
  expect(await chain.balanceOf(chain.weth, chain.accounts.maker.address)).toBe(200n * DEPTH);
  expect(await look()).toEqual([]);
});

test('who lacks several tokens gets all of them, in one line', async () => {
  await dispose('weth', 0n, 'user');
  await dispose('usdc', 0n, 'user');
  expect(await look()).toEqual(['Practice: retail restocked with 2,660.00 WETH, 9,097,200.00 USDC']);
});

test('depth is counted over all pairs of a token', async () => {
  const twice = {
    ...PLAN,
    pairs: { ...PLAN.pairs, 'USDC/WETH': { base: 'USDC', quote: 'WETH', liquidityUSD: 1 } },
    prices: { ...PLAN.prices, 'USDC/WETH': { bids: [['1', '26.6'] as [string, string]], asks: [] } },
  };
  expect(await look(null, twice)).toContainEqual(expect.stringMatching(/^Practice: maker restocked with [\d,.]+ WETH/));
  expect(await chain.balanceOf(chain.weth, chain.accounts.maker.address)).toBe(400n * DEPTH);
});

test('the grid that is served counts when it is deeper than the practice grid', async () => {
  const token = (address: TestChain['weth'], symbol: string, decimals: number) =>
    ({ symbol, name: symbol, address, decimals, type: 'ERC20' }) as const;
  const cached: CachedMaker = {
    tokens: { A: token(chain.weth, 'WETH', 18), B: token(chain.usdc, 'USDC', 6) },
    pairs: { 'A/B': { base: 'A', quote: 'B', liquidityUSD: 1 } },
    prices: { 'A/B': { bids: [], asks: [['3413', '120']] } },
    blacklist: new Set(),
  };
  expect(await look(cached)).toContainEqual(expect.stringMatching(/^Practice: maker restocked with [\d,.]+ WETH/));
  expect(await chain.balanceOf(chain.weth, chain.accounts.maker.address)).toBe(200n * 120n * ONE);
});
