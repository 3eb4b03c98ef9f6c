import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../electron/practice/artifacts.ts';
import { depthOf } from '../../electron/practice/expected-amount.ts';
import type { CachedMaker } from '../../electron/practice/grid-poll.ts';
import { restock } from '../../electron/practice/inventory.ts';
import { PRACTICE_GRID } from '../../electron/practice/practice-desk.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { collectLog } from './collected-log.ts';
import { ONE } from './settlement-calls.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

async function look(cached: CachedMaker | null = null): Promise<string[]> {
  const log = collectLog();
  const { maker, user, other } = chain.accounts;
  await restock({ sender: other, contracts: chain, maker: maker.address, taker: user.address, cached, log });
  return log.lines;
}

async function dispose(of: 'weth' | 'usdc', left: bigint): Promise<void> {
  const { maker, other } = chain.accounts;
  const balance = await chain.balanceOf(chain[of], maker.address);
  await maker.call(TEST_TOKEN, chain[of], 'transfer', [other.address, balance - left]);
}

test('accounts with enough are left alone', async () => {
  expect(await look()).toEqual([]);
});

test('a maker at a hundred times the depth is brought back to two hundred, which is logged', async () => {
  const depth = BigInt(depthOf(PRACTICE_GRID.asks).base.shiftedBy(18).toFixed(0));
  await dispose('weth', 100n * depth);
  expect(await look()).toEqual(['maker restocked with 2,660.00 WETH']);
  expect(await chain.balanceOf(chain.weth, chain.accounts.maker.address)).toBe(200n * depth);
  expect(await look()).toEqual([]);
});

test('the grid that is served counts when it is deeper than the practice grid', async () => {
  const asks: Level[] = [['3413', '100']];
  const token = (address: TestChain['weth'], symbol: string, decimals: number) =>
    ({ symbol, name: symbol, address, decimals, type: 'ERC20' }) as const;
  const cached: CachedMaker = {
    tokens: { A: token(chain.weth, 'WETH', 18), B: token(chain.usdc, 'USDC', 6) },
    pairs: { 'A/B': { base: 'A', quote: 'B', liquidityUSD: 1 } },
    prices: { 'A/B': { bids: [], asks } },
    blacklist: new Set(),
  };
  expect(await look(cached)).toContainEqual(expect.stringMatching(/^maker restocked with [\d,.]+ WETH$/));
  expect(await chain.balanceOf(chain.weth, chain.accounts.maker.address)).toBe(200n * 100n * ONE);
});
