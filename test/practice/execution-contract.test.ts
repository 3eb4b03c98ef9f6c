import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXECUTOR } from '../../electron/practice/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { type ChainOrder, readRemaining, startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';

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

test('anybody else is refused with UnauthorizedUser()', async () => {
  const { user, other } = chain.accounts;
  await expect(fill(other, await orderFor(user.address), PRICE)).rejects.toThrow('UnauthorizedUser()');
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
