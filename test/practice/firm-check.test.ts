import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../electron/practice/artifacts.ts';
import { type FirmContext, firmFault } from '../../electron/practice/firm-check.ts';
import type { PlannedSwap } from '../../electron/practice/planned-swap.ts';
import { ZERO_ADDRESS } from '../../electron/protocol/address.ts';
import { type SignedOrder, signedOrderSchema, type Token } from '../../electron/protocol/wire.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../chain-fixture.ts';
import { ONE, PRICE } from './settlement-calls.ts';

let chain: TestChain;
let context: FirmContext;
let good: ChainOrder;
let swap: PlannedSwap;

beforeAll(async () => {
  chain = await startTestChain();
  const { maker, user } = chain.accounts;
  const now = Date.now();
  context = { ...chain, user: user.address, now: () => now };
  good = {
    nonceAndMeta: (1n << 160n) + BigInt(user.address),
    expiry: BigInt(Math.floor(now / 1000) + 121),
    makerAsset: chain.weth,
    takerAsset: chain.usdc,
    maker: maker.address,
    taker: chain.executor,
    makerAmount: ONE,
    takerAmount: PRICE,
  };
  const token = { name: 'token', symbol: 'T', decimals: 18, type: 'ERC20' } satisfies Partial<Token>;
  swap = {
    pairId: 'WETH/USDC',
    direction: 'buy',
    exact: 'out',
    makerToken: { ...token, address: chain.weth },
    takerToken: { ...token, address: chain.usdc },
    wanted: ONE,
    expected: PRICE,
    asked: ONE,
  };
});
afterAll(() => chain?.close());

async function wire(order: ChainOrder, by = chain.accounts.maker): Promise<SignedOrder> {
  const texts = Object.fromEntries(Object.entries(order).map(([name, value]) => [name, `${value}`]));
  return signedOrderSchema.parse({ ...texts, expiry: Number(order.expiry), signature: await chain.sign(order, by) });
}

async function fault(changes: Partial<ChainOrder>, planned: Partial<PlannedSwap> = {}): Promise<string | null> {
  return firmFault(await wire({ ...good, ...changes }), { ...swap, ...planned }, context);
}

test('a good quote has no fault, whether a key or a contract is the maker', async () => {
  expect(await fault({})).toBeNull();
  expect(await fault({ maker: chain.contractMaker })).toBeNull();
});

test('wrong assets, taker, user, amount and life are named', async () => {
  expect(await fault({ makerAsset: chain.executor })).toMatch(/maker asset/);
  expect(await fault({ takerAsset: chain.executor })).toMatch(/taker asset/);
  expect(await fault({ taker: ZERO_ADDRESS })).toMatch(/not the execution contract/);
  expect(await fault({ nonceAndMeta: 1n << 160n })).toMatch(/embedded/);
  expect(await fault({ expiry: good.expiry - 3n })).toMatch(/less than two minutes/);
  expect(await fault({ makerAmount: ONE - 1n })).toMatch(/amount is not the one asked for/);
  expect(await fault({ takerAmount: 0n })).toMatch(/zero/);
});

test('a price worse than half a percent is refused, up to it is not', async () => {
  const limit = (PRICE * 10_050n) / 10_000n;
  expect(await fault({ takerAmount: limit })).toBeNull();
  expect(await fault({ takerAmount: limit + 1n })).toMatch(/worse than the grid/);
  const given = { exact: 'in', wanted: PRICE, asked: PRICE, expected: ONE } as const;
  expect(await fault({ makerAmount: (ONE * 9_950n) / 10_000n }, given)).toBeNull();
  expect(await fault({ makerAmount: (ONE * 9_950n) / 10_000n - 1n }, given)).toMatch(/worse than the grid/);
});

test('a signature of another key, or for a contract that does not own it, is refused', async () => {
  const { other } = chain.accounts;
  expect(await firmFault(await wire(good, other), swap, context)).toMatch(/signature/);
  expect(await firmFault(await wire({ ...good, maker: chain.contractMaker }, other), swap, context)).toMatch(
    /signature/,
  );
});

test('balance and allowance must be strictly above the amount', async () => {
  const balance = await chain.balanceOf(chain.weth, good.maker);
  const whole = { wanted: balance, asked: balance, expected: PRICE };
  expect(await fault({ makerAmount: balance }, whole)).toMatch(/balance is not above/);
  expect(await fault({ makerAmount: balance - 1n }, { ...whole, asked: balance - 1n })).toBeNull();
  const { maker } = chain.accounts;
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [chain.rfqContract, ONE]);
  expect(await fault({})).toMatch(/allowance is not above/);
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [chain.rfqContract, ONE + 1n]);
  expect(await fault({})).toBeNull();
});
