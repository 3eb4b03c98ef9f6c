import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAnvil } from '../../../electron/practice/chain/anvil.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE, PRICE, settle } from '../chain/settlement-calls.ts';
import { type OrdersOnChain, openOrdersOnChain, setFunds, wireFields } from './orders-on-chain.ts';

let chain: TestChain;
let orders: OrdersOnChain;
beforeEach(async () => {
  chain = await startTestChain({ rpcPort: 0 }); // its state is taken along to another node
  orders = openOrdersOnChain(chain);
});
afterEach(async () => {
  await orders?.close();
  await chain?.close();
});

/** An order for the chain's user. */
async function forUser(changes: Partial<ChainOrder> = {}): Promise<ChainOrder> {
  const order = await newOrder(chain, changes);
  return { ...order, nonceAndMeta: order.nonceAndMeta + BigInt(chain.accounts.user.address) };
}

async function fill(order: ChainOrder, takerAmount: bigint) {
  const args = [order, await chain.sign(order), takerAmount];
  return settle(chain, chain.accounts.user, 'partialFillOrder', args);
}

test('a posted order is given back by its hash, with every field of it', async () => {
  await setFunds(chain, chain.weth, { balance: 5n * ONE, allowance: 3n * ONE });
  const order = await forUser();
  const before = Math.floor(Date.now() / 1000);
  const posted = await orders.post(order);
  expect(posted).toEqual({
    orderHash: chain.orderHash(order),
    chainId: chain.chainId,
    nonceAndMeta: `${order.nonceAndMeta}`,
    expiry: Number(order.expiry),
    maker: order.maker,
    taker: order.taker,
    makerAsset: order.makerAsset,
    takerAsset: order.takerAsset,
    makerAmount: `${ONE}`,
    takerAmount: `${PRICE}`,
    signature: await chain.sign(order),
    permitMakerAsset: null,
    state: 'PENDING',
    type: 'P2P',
    takerFromMeta: chain.accounts.user.address,
    makerBalance: `${3n * ONE}`,
    fillableBalance: `${ONE}`,
    reservedBalance: `${ONE}`,
    swappableBalance: `${ONE}`,
    transactionHash: null,
    createdAt: expect.any(Number),
    updatedAt: posted.createdAt,
  });
  expect(posted.createdAt).toBeGreaterThanOrEqual(before);
  expect(posted.createdAt).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
  expect(await orders.record(posted.orderHash)).toEqual(posted);
});

test('an order goes through partly filled, suspended and back, and filled, across restarts of service and node', async () => {
  await setFunds(chain, chain.weth, { balance: 2n * ONE });
  const order = await forUser();
  const { orderHash } = await orders.post(order);

  const first = await fill(order, PRICE / 4n);
  const partly = { state: 'PENDING', fillableBalance: `${(3n * ONE) / 4n}`, transactionHash: first };
  expect(await orders.record(orderHash)).toMatchObject({ ...partly, swappableBalance: `${(3n * ONE) / 4n}` });

  await setFunds(chain, chain.weth, { balance: ONE / 2n });
  const short = { state: 'SUSPENDED', makerBalance: `${ONE / 2n}`, reservedBalance: '0', swappableBalance: '0' };
  expect(await orders.record(orderHash)).toMatchObject({ ...short, fillableBalance: `${(3n * ONE) / 4n}` });

  await orders.restart(() => setFunds(chain, chain.weth, { balance: 2n * ONE, allowance: ONE / 8n }));
  expect(await orders.record(orderHash)).toMatchObject({ state: 'SUSPENDED', makerBalance: `${ONE / 8n}` });

  await setFunds(chain, chain.weth, { balance: 2n * ONE });
  expect(await orders.record(orderHash)).toMatchObject(partly);

  const second = await orders.restart(() => fill(order, PRICE / 4n)).then(() => orders.record(orderHash));
  expect(second).toMatchObject({ state: 'PENDING', fillableBalance: `${ONE / 2n}` });
  expect(second.transactionHash).not.toBe(first);

  const port = Number(new URL(chain.rpcUrl).port);
  const memory = await chain.control.dumpState();
  await chain.close();
  expect((await orders.get(`/ft/order/${orderHash}`)).body).toEqual(second);
  // Somebody else may have the port for a moment.
  const again = await vi.waitFor(() => startAnvil({ port }), { interval: 100 });
  try {
    await chain.control.loadState({ state: memory });
    const last = await fill(order, PRICE / 2n);
    const done = { state: 'FULFILLED', fillableBalance: '0', reservedBalance: '0', swappableBalance: '0' };
    expect(await orders.record(orderHash)).toMatchObject({ ...done, transactionHash: last });
    await orders.restart();
    expect(await orders.record(orderHash)).toMatchObject({ ...done, transactionHash: last });
  } finally {
    await orders.service.close();
    await again.close();
  }
});

test('a cancelled order is CANCELLED with the transaction; somebody else’s cancel of its hash is nothing', async () => {
  const { maker, other } = chain.accounts;
  const order = await forUser();
  const { orderHash } = await orders.post(order);
  await settle(chain, other, 'cancelOrder', [orderHash]);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'PENDING', transactionHash: null });
  await fill(order, PRICE / 2n);
  const transactionHash = await settle(chain, maker, 'cancelOrders', [[orderHash]]);
  const cancelled = { state: 'CANCELLED', transactionHash, reservedBalance: '0', swappableBalance: '0' };
  expect(await orders.record(orderHash)).toMatchObject({ ...cancelled, fillableBalance: `${ONE / 2n}` });
});

test('an order has expired in the second after its expiry, and one with expiry 0 never', async () => {
  const expiry = (await chain.now()) + 1_000n;
  const { orderHash } = await orders.post(await forUser({ expiry }));
  const lasting = await orders.post(await forUser({ expiry: 0n }));
  await chain.control.setNextBlockTimestamp({ timestamp: expiry });
  await chain.control.mine({ blocks: 1 });
  expect(await orders.record(orderHash)).toMatchObject({ state: 'PENDING', swappableBalance: `${ONE}` });
  await chain.control.setNextBlockTimestamp({ timestamp: expiry + 1n });
  await chain.control.mine({ blocks: 1 });
  const expired = { state: 'EXPIRED', fillableBalance: `${ONE}`, reservedBalance: '0', swappableBalance: '0' };
  expect(await orders.record(orderHash)).toMatchObject({ ...expired, transactionHash: null });
  expect(await orders.record(lasting.orderHash)).toMatchObject({ state: 'PENDING' });
});

test('an order expires by the clock as well, when the chain stands still', async () => {
  const { orderHash, expiry } = await orders.post(await forUser());
  orders.stopClock(expiry * 1_000 + 999);
  expect((await orders.get(`/ft/order/${orderHash}`)).body).toMatchObject({ state: 'PENDING' });
  orders.stopClock((expiry + 1) * 1_000);
  expect((await orders.get(`/ft/order/${orderHash}`)).body).toMatchObject({ state: 'EXPIRED', updatedAt: expiry + 1 });
});

test('an order that exceeds balance or allowance is stored suspended, and opens when it is covered', async () => {
  await setFunds(chain, chain.weth, { balance: ONE - 1n });
  const { orderHash, state } = await orders.post(await forUser());
  expect(state).toBe('SUSPENDED');
  await setFunds(chain, chain.weth, { balance: ONE, allowance: ONE - 1n });
  expect(await orders.record(orderHash)).toMatchObject({ state: 'SUSPENDED', makerBalance: `${ONE - 1n}` });
  await setFunds(chain, chain.weth, { balance: ONE, allowance: ONE });
  expect(await orders.record(orderHash)).toMatchObject({ state: 'PENDING', makerBalance: `${ONE}` });
});

test('an order tells when it was suspended and when it opened again, and moves its time for nothing else', async () => {
  const { orderHash, createdAt } = await orders.post(await forUser({ expiry: 0n }));
  orders.shiftClock(100_000);
  await setFunds(chain, chain.weth, { balance: ONE - 1n });
  const suspended = await orders.record(orderHash);
  expect(suspended.state).toBe('SUSPENDED');
  expect(suspended.createdAt).toBe(createdAt);
  expect(suspended.updatedAt).toBeGreaterThanOrEqual(createdAt + 100);
  orders.shiftClock(100_000);
  await setFunds(chain, chain.weth, { balance: ONE - 2n });
  expect((await orders.record(orderHash)).updatedAt).toBe(suspended.updatedAt);
  await setFunds(chain, chain.weth, { balance: 2n * ONE });
  const opened = await orders.record(orderHash);
  expect(opened.state).toBe('PENDING');
  expect(opened.updatedAt).toBeGreaterThanOrEqual(createdAt + 200);
  await orders.restart();
  expect((await orders.record(orderHash)).updatedAt).toBe(opened.updatedAt);
});

test('an order is fulfilled when nothing more of it can be filled, though the contract keeps some units of dust', async () => {
  const order = await forUser({ makerAmount: 1_000n, takerAmount: 30n });
  const { orderHash } = await orders.post(order);
  for (const part of [10n, 10n]) await fill(order, part);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'PENDING', fillableBalance: '334' });
  await fill(order, 10n);
  const dust = { state: 'FULFILLED', fillableBalance: '1', swappableBalance: '0' };
  expect(await orders.record(orderHash)).toMatchObject(dust);
  await expect(fill(order, 1n)).rejects.toThrow('Order already filled or expired');
});

test('an order that was filled and cancelled before it was stored is stored as it stands', async () => {
  const [partly, cancelled] = [await forUser(), await forUser()];
  const transactionHash = await fill(partly, PRICE / 2n);
  await settle(chain, chain.accounts.maker, 'cancelOrder', [chain.orderHash(cancelled)]);
  await orders.service.caughtUp();
  expect(await orders.post(partly)).toMatchObject({ fillableBalance: `${ONE / 2n}`, transactionHash });
  expect(await orders.post(cancelled)).toMatchObject({ state: 'CANCELLED', fillableBalance: `${ONE}` });
});

test('a firm order that the service received is kept like a posted one, a contract maker’s as well', async () => {
  const order = await forUser({ maker: chain.contractMaker });
  const wire = { ...wireFields(order), signature: await chain.sign(order) };
  const stored = await orders.service.store(chain.chainId, wire);
  expect(stored).toMatchObject({ orderHash: chain.orderHash(order), state: 'PENDING', type: 'P2P' });
  expect(await orders.service.store(chain.chainId, wire)).toEqual(stored);
  await expect(orders.service.store(chain.chainId, { ...wire, makerAmount: '1' })).rejects.toMatchObject({
    code: 'InvalidSignature',
  });
  await expect(orders.service.store(1, wire)).rejects.toMatchObject({ code: 'UnsupportedChain' });
});
