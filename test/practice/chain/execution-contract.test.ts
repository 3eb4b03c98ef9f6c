import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXECUTOR, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import {
  type ChainOrder,
  readRemaining,
  startTestChain,
  type TestAccount,
  type TestChain,
} from '../../chain-fixture.ts';

const PRICE = 3_412n * 10n ** 6n;
const ONE = 10n ** 18n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

let serial = 0n;
async function orderFor(embedded: Address | 0n, changes: Partial<ChainOrder> = {}): Promise<ChainOrder> {
  serial += 1n;
  return {
    nonceAndMeta: (serial << 160n) + BigInt(embedded),
    expiry: (await chain.now()) + 150n,
    makerAsset: chain.weth,
    takerAsset: chain.usdc,
    maker: chain.accounts.maker.address,
    taker: chain.executor,
    makerAmount: ONE,
    takerAmount: PRICE,
    ...changes,
  };
}

async function fill(by: TestAccount, order: ChainOrder, takerAmount: bigint, minMakerAmount = 0n): Promise<void> {
  const args = [order, await chain.sign(order), takerAmount, minMakerAmount];
  await by.call(EXECUTOR, chain.executor, 'fill', args);
}

async function holdings(...owners: Address[]): Promise<bigint[]> {
  return Promise.all(
    owners.flatMap((owner) => [chain.balanceOf(chain.weth, owner), chain.balanceOf(chain.usdc, owner)]),
  );
}

test('the embedded user fills, pays the maker and receives the maker asset himself', async () => {
  const { maker, user } = chain.accounts;
  const order = await orderFor(user.address);
  const before = await holdings(maker.address, user.address, chain.executor);
  await fill(user, order, PRICE);
  const after = await holdings(maker.address, user.address, chain.executor);
  expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([-ONE, PRICE, ONE, -PRICE, 0n, 0n]);
  expect(await readRemaining(chain, maker.address, chain.orderHash(order))).toBe(1n);
});

test('anybody else is refused with UnauthorizedUser(), and for an order that names them instead with Invalid Signature', async () => {
  const { user, other } = chain.accounts;
  const order = await orderFor(user.address);
  await expect(fill(other, order, PRICE)).rejects.toThrow('UnauthorizedUser()');
  const forOther = { ...order, nonceAndMeta: order.nonceAndMeta - BigInt(user.address) + BigInt(other.address) };
  const args = [forOther, await chain.sign(order), PRICE, 0n];
  await expect(other.call(EXECUTOR, chain.executor, 'fill', args)).rejects.toThrow('Invalid Signature');
});

test('an order with no embedded user is filled for anybody', async () => {
  const { maker, other } = chain.accounts;
  const order = await orderFor(0n);
  await fill(other, order, PRICE / 4n);
  expect(await readRemaining(chain, maker.address, chain.orderHash(order))).toBe((ONE * 3n) / 4n + 1n);
});

test('an order whose taker is another contract is refused by the settlement', async () => {
  const { user } = chain.accounts;
  const order = await orderFor(user.address, { taker: chain.contractMaker });
  await expect(fill(user, order, PRICE)).rejects.toThrow('Access denied');
});

test('less than the caller wants at least undoes the fill', async () => {
  const { maker, user } = chain.accounts;
  const order = await orderFor(user.address);
  await expect(fill(user, order, PRICE, ONE + 1n)).rejects.toThrow('TooLittleReceived');
  expect(await readRemaining(chain, maker.address, chain.orderHash(order))).toBe(0n);
});

test('a quote of the contract maker, signed by its owner, fills as well', async () => {
  const { user } = chain.accounts;
  const order = await orderFor(user.address, { maker: chain.contractMaker });
  const before = await holdings(chain.contractMaker);
  await fill(user, order, PRICE);
  const after = await holdings(chain.contractMaker);
  expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([-ONE, PRICE]);
});

/** A WETH order paid in USDC, and one that pays USDC for WETH back: a path from WETH over USDC to WETH. */
async function twoLegs(embedded: Address | 0n) {
  const sell = await orderFor(embedded, {
    makerAsset: chain.usdc,
    takerAsset: chain.weth,
    makerAmount: PRICE,
    takerAmount: ONE,
  });
  const buy = await orderFor(embedded, { makerAmount: ONE / 2n, takerAmount: PRICE / 2n });
  return [sell, buy] as const;
}

async function fillPath(by: TestAccount, orders: readonly ChainOrder[], amount: bigint, least = 0n): Promise<void> {
  const signatures = await Promise.all(orders.map((order) => chain.sign(order)));
  await by.call(EXECUTOR, chain.executor, 'fillPath', [orders, signatures, amount, least]);
}

test('over two orders what the first gives pays the second, each only as far as needed', async () => {
  const { maker, user } = chain.accounts;
  const [sell, buy] = await twoLegs(user.address);
  const before = await holdings(maker.address, user.address, chain.executor);
  await fillPath(user, [sell, buy], ONE / 4n);
  const after = await holdings(maker.address, user.address, chain.executor);
  expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
  expect(await readRemaining(chain, maker.address, chain.orderHash(sell))).toBe((PRICE * 3n) / 4n + 1n);
  expect(await readRemaining(chain, maker.address, chain.orderHash(buy))).toBe(ONE / 4n + 1n);
});

test('what the second cannot take goes to the caller', async () => {
  const { user } = chain.accounts;
  const before = await holdings(user.address, chain.executor);
  await fillPath(user, await twoLegs(user.address), ONE);
  const after = await holdings(user.address, chain.executor);
  expect(after.map((amount, index) => amount - (before[index] ?? 0n))).toEqual([-ONE / 2n, PRICE / 2n, 0n, 0n]);
});

test('a path is all or nothing: with an order of another user, too little, or legs that do not meet', async () => {
  const { maker, user, other } = chain.accounts;
  const [sell, buy] = await twoLegs(user.address);
  const stranger = await orderFor(other.address);
  await expect(fillPath(user, [sell, stranger], ONE / 4n)).rejects.toThrow('UnauthorizedUser()');
  await expect(fillPath(user, [sell, buy], ONE / 4n, ONE / 4n + 1n)).rejects.toThrow('TooLittleReceived');
  await expect(fillPath(user, [sell, sell], ONE / 4n)).rejects.toThrow('WrongPath()');
  await expect(fillPath(user, [], 1n)).rejects.toThrow('WrongPath()');
  expect(await readRemaining(chain, maker.address, chain.orderHash(sell))).toBe(0n);
});

test('a token that takes a fee is seen by the caller, who gets too little and nothing happens', async () => {
  const { maker, user } = chain.accounts;
  await maker.call(TEST_TOKEN, chain.weth, 'setTransferFee', [100n]);
  const order = await orderFor(user.address);
  await expect(fill(user, order, PRICE, (ONE * 995n) / 1_000n)).rejects.toThrow('TooLittleReceived');
  const before = await holdings(user.address);
  await fill(user, order, PRICE, (ONE * 99n) / 100n);
  const after = await holdings(user.address);
  expect((after[0] ?? 0n) - (before[0] ?? 0n)).toBe((ONE * 99n) / 100n);
  await maker.call(TEST_TOKEN, chain.weth, 'setTransferFee', [0n]);
});
