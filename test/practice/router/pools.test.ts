import { BigNumber } from 'bignumber.js';
import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEE_VAULT, SWAP_POOL, TEST_TOKEN, WRAPPED_NATIVE } from '../../../electron/practice/chain/artifacts.ts';
import { readAmount } from '../../../electron/practice/chain/read-amount.ts';
import { usdPrices } from '../../../electron/practice/market-services.ts';
import { PLANNED_CHAINS } from '../../../electron/practice/practice-desk.ts';
import { followPrice } from '../../../electron/practice/router/arbitrage.ts';
import { deployRouter, practicePools } from '../../../electron/practice/router/prepare-router.ts';
import type { RouterAddresses } from '../../../electron/practice/router/router-chain.ts';
import { poolGives } from '../../../electron/practice/router/sources.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';

const ETHER = 10n ** 18n;
let chain: TestChain;
let made: RouterAddresses;
beforeAll(async () => {
  chain = await startTestChain();
  const [plan] = PLANNED_CHAINS;
  if (plan === undefined) throw new Error('no chain is planned');
  const pools = practicePools(plan, { WETH: chain.weth, USDC: chain.usdc }, 'WETH');
  made = await deployRouter(chain.accounts.maker, {
    rfqContract: chain.rfqContract,
    native: { name: 'Wrapped native', symbol: 'WNAT' },
    pools,
    giveEther: (address, value) => chain.control.setBalance({ address, value }),
  });
});
afterAll(() => chain?.close());

const poolAt = (index: number) => made.pools[index]?.address ?? '0x';
const read = (name: string, index = 0, args: readonly unknown[] = []) =>
  readAmount(chain.client, SWAP_POOL, poolAt(index), name, args);

test('the practice pools are as deep as a hundred grids, at the middle of the grid, and one holds wrapped native', async () => {
  expect(made.pools.map(({ tokens }) => tokens)).toEqual([
    [chain.weth, chain.usdc],
    [made.wrappedNative, chain.weth],
  ]);
  // The grid's bids and asks add up to 26.6 WETH a side, around 3412.
  expect(await Promise.all([read('reserve0'), read('reserve1')])).toEqual([
    2_660n * ETHER,
    2_660n * 3_412n * 10n ** 6n,
  ]);
  expect(await Promise.all([read('reserve0', 1), read('reserve1', 1)])).toEqual([2_660n * ETHER, 2_660n * ETHER]);
  expect(await chain.client.getBalance({ address: made.wrappedNative })).toBe(2_660n * ETHER);
});

test('what a pool says it gives is what it gives, and what the service thinks', async () => {
  const { user } = chain.accounts;
  const [reserveIn, reserveOut] = [await read('reserve0'), await read('reserve1')];
  const said = await read('getAmountOut', 0, [chain.weth, ETHER]);
  expect(poolGives({ reserveIn, reserveOut, feeBps: 30 }, ETHER)).toBe(said);
  const before = await chain.balanceOf(chain.usdc, user.address);
  await user.call(TEST_TOKEN, chain.weth, 'transfer', [poolAt(0), ETHER]);
  await user.call(SWAP_POOL, poolAt(0), 'swap', [chain.weth, user.address]);
  expect((await chain.balanceOf(chain.usdc, user.address)) - before).toBe(said);
  expect(await read('reserve0')).toBe(reserveIn + ETHER);
  await expect(user.call(SWAP_POOL, poolAt(0), 'swap', [chain.weth, user.address])).rejects.toThrow('Nothing to swap');
  await expect(user.call(SWAP_POOL, poolAt(0), 'swap', [user.address, user.address])).rejects.toThrow('Unknown token');
});

test('what is sold in one go must be approved, and gives the same', async () => {
  const { user } = chain.accounts;
  const said = await read('getAmountOut', 0, [chain.weth, ETHER]);
  const [usdc, weth] = [
    await chain.balanceOf(chain.usdc, user.address),
    await chain.balanceOf(chain.weth, user.address),
  ];
  const sell = () => user.call(SWAP_POOL, poolAt(0), 'sell', [chain.weth, ETHER, user.address]);
  await user.call(TEST_TOKEN, chain.weth, 'approve', [poolAt(0), 0n]);
  await expect(sell()).rejects.toThrow('Insufficient allowance');
  await user.call(TEST_TOKEN, chain.weth, 'approve', [poolAt(0), ETHER]);
  await sell();
  expect((await chain.balanceOf(chain.usdc, user.address)) - usdc).toBe(said);
  expect(weth - (await chain.balanceOf(chain.weth, user.address))).toBe(ETHER);
});

test.each([3_600, 3_300])('a pool is traded to %s when the price goes there, once', async (dollars) => {
  const { other } = chain.accounts;
  const price = new BigNumber(dollars).shiftedBy(6 - 18);
  expect(await followPrice(other, poolAt(0), price)).toBe(true);
  const now = new BigNumber(`${await read('reserve1')}`).dividedBy(`${await read('reserve0')}`);
  expect(now.dividedBy(price).minus(1).abs().toNumber()).toBeLessThan(0.001);
  expect(await followPrice(other, poolAt(0), price)).toBe(false);
  // Nothing lies in the pool that the next swap would be paid for.
  expect(await chain.balanceOf(chain.weth, poolAt(0))).toBe(await read('reserve0'));
  expect(await chain.balanceOf(chain.usdc, poolAt(0))).toBe(await read('reserve1'));
});

describe('wrapped native', () => {
  test('is one unit for one wei, both ways', async () => {
    const { user } = chain.accounts;
    await chain.control.impersonateAccount({ address: user.address });
    const deposit = { from: user.address, to: made.wrappedNative, value: `0x${ETHER.toString(16)}` };
    const sent = await chain.control.request({ method: 'eth_sendTransaction', params: [deposit] } as never);
    await user.mined(sent);
    expect(await chain.balanceOf(made.wrappedNative, user.address)).toBe(ETHER);
    await user.call(WRAPPED_NATIVE, made.wrappedNative, 'withdraw', [ETHER / 4n]);
    expect(await chain.balanceOf(made.wrappedNative, user.address)).toBe((ETHER * 3n) / 4n);
    expect(await chain.client.getBalance({ address: made.wrappedNative })).toBe(2_660n * ETHER + (ETHER * 3n) / 4n);
    await expect(user.call(WRAPPED_NATIVE, made.wrappedNative, 'withdraw', [ETHER])).rejects.toThrow(
      'Insufficient balance',
    );
  });

  test('is all the ether that a router takes', async () => {
    const { user } = chain.accounts;
    const data = encodeFunctionData({ abi: FEE_VAULT.abi, functionName: 'claim', args: [chain.weth] });
    await expect(chain.client.call({ account: user.address, to: made.router, value: 1n })).rejects.toThrow(
      'Not wrapped',
    );
    await expect(chain.client.call({ account: user.address, to: made.router, data })).rejects.toThrow();
  });
});

test('nobody claims from the vault what is another’s', async () => {
  const { user, other } = chain.accounts;
  await user.call(TEST_TOKEN, chain.weth, 'transfer', [made.feeVault, 5n]);
  await user.call(FEE_VAULT, made.feeVault, 'accrue', [chain.weth, user.address]);
  await user.call(FEE_VAULT, made.feeVault, 'accrue', [chain.weth, other.address]);
  await other.call(FEE_VAULT, made.feeVault, 'claim', [chain.weth]);
  expect(await chain.balanceOf(chain.weth, made.feeVault)).toBe(5n);
  await user.call(FEE_VAULT, made.feeVault, 'claim', [chain.weth]);
  expect(await chain.balanceOf(chain.weth, made.feeVault)).toBe(0n);
});

test('dollars follow from the pairs, both ways round, and not from a pair without a price', () => {
  const prices = usdPrices(
    [
      { base: 'LINK', quote: 'WETH', mid: '0.005' },
      { base: 'WETH', quote: 'USDC', mid: '3400' },
      { base: 'USDC', quote: 'EUR', mid: '0.8' },
      { base: 'WBTC', quote: 'USDC', mid: null },
    ],
    'USDC',
  );
  expect(Object.fromEntries(prices)).toEqual({ USDC: '1', WETH: '3400', LINK: '17', EUR: '1.25' });
});
