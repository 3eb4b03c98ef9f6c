import { afterEach, expect, test, vi } from 'vitest';
import { startAnvil } from '../../../electron/practice/chain/anvil.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE, PRICE, settle } from '../chain/settlement-calls.ts';
import { type OrdersOnChain, openOrdersOnChain, setFunds, signedBody } from './orders-on-chain.ts';

let chain: TestChain;
let orders: OrdersOnChain;
/** A chain, and the service that keeps orders on it. */
async function begin(options: Parameters<typeof startTestChain>[0] = {}): Promise<void> {
  chain = await startTestChain(options);
  orders = openOrdersOnChain(chain);
}
afterEach(async () => {
  await orders?.close();
  await chain?.close();
});

/** Puts other, empty blocks in the place of the newest `depth`. */
async function reorganise(depth: number): Promise<void> {
  await chain.control.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
}

test('a fill that a reorganisation takes back is open again, and fillable once more', async () => {
  await begin();
  const order = await newOrder(chain);
  const { orderHash } = await orders.post(order, 'orders');
  const signature = await chain.sign(order);
  const { user } = chain.accounts;
  await settle(chain, user, 'partialFillOrder', [order, signature, PRICE / 2n]);
  const half = await orders.record(orderHash);
  expect(half).toMatchObject({ state: 'PENDING', fillableBalance: `${ONE / 2n}` });
  await settle(chain, user, 'partialFillOrder', [order, signature, PRICE / 2n]);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'FULFILLED' });
  await reorganise(1);
  expect(await orders.record(orderHash)).toEqual({ ...half, updatedAt: expect.any(Number) });
  const last = await settle(chain, user, 'partialFillOrder', [order, signature, PRICE / 2n]);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'FULFILLED', transactionHash: last });
});

test.each([
  ['while the service runs', false],
  ['while the service is away', true],
])('a fill and a cancel 64 blocks deep are taken back %s', async (_when, away) => {
  await begin();
  const [filled, cancelled] = [await newOrder(chain, { expiry: 0n }), await newOrder(chain, { expiry: 0n })];
  for (const order of [filled, cancelled]) await orders.post(order, 'orders');
  await chain.control.mine({ blocks: 30 });
  await orders.service.caughtUp();
  await settle(chain, chain.accounts.user, 'fillOrder', [filled, await chain.sign(filled)]);
  await settle(chain, chain.accounts.maker, 'cancelOrder', [chain.orderHash(cancelled)]);
  await chain.control.mine({ blocks: 62 });
  expect(await orders.record(chain.orderHash(filled))).toMatchObject({ state: 'FULFILLED' });
  expect(await orders.record(chain.orderHash(cancelled))).toMatchObject({ state: 'CANCELLED' });
  if (away) await orders.restart(() => reorganise(64));
  else await reorganise(64);
  const open = { state: 'PENDING', fillableBalance: `${ONE}`, reservedBalance: `${ONE}`, transactionHash: null };
  expect(await orders.record(chain.orderHash(filled))).toMatchObject(open);
  expect(await orders.record(chain.orderHash(cancelled))).toMatchObject(open);
});

test('what happened in blocks that the service missed is caught up with, hundreds of them', async () => {
  await begin();
  const order = await newOrder(chain, { expiry: 0n });
  const { orderHash } = await orders.post(order, 'orders');
  const signature = await chain.sign(order);
  await orders.restart(async () => {
    await chain.control.mine({ blocks: 300 });
    await settle(chain, chain.accounts.user, 'partialFillOrder', [order, signature, PRICE / 4n]);
    await chain.control.mine({ blocks: 300 });
    await settle(chain, chain.accounts.user, 'partialFillOrder', [order, signature, PRICE / 4n]);
  });
  expect(await orders.record(orderHash)).toMatchObject({ state: 'PENDING', fillableBalance: `${ONE / 2n}` });
});

test('a node that is away is said once and waited for; meanwhile what is known is answered', async () => {
  await begin({ rpcPort: 0 }); // its state is taken along to another node
  const order = await newOrder(chain);
  const known = await orders.post(order, 'orders');
  const port = Number(new URL(chain.rpcUrl).port);
  const memory = await chain.control.dumpState();
  await chain.close();
  const caughtUp = orders.service.caughtUp();
  expect(await Promise.race([caughtUp, new Promise((resolve) => setTimeout(resolve, 500, 'waiting'))])).toBe('waiting');
  const path = `/ft/order/${known.orderHash}`;
  expect((await orders.get(path)).body).toEqual(known);
  await orders.restart();
  expect((await orders.get(path)).body).toEqual(known);
  const later = { ...order, nonceAndMeta: order.nonceAndMeta + (1n << 200n) };
  expect(await orders.post(later, 'orders')).toMatchObject({ state: 'PENDING' });
  const body = { ...(await signedBody(chain, later)), maker: chain.contractMaker };
  const fromContract = await orders.postBody(`/ft/orders/${chain.chainId}`, body);
  expect(fromContract).toMatchObject({ status: 503, body: { errorType: 'ServiceUnavailable' } });
  // Somebody else may have the port for a moment.
  const again = await vi.waitFor(() => startAnvil({ port }), { interval: 100 });
  try {
    await chain.control.loadState({ state: memory });
    expect(await orders.record(known.orderHash)).toEqual(known);
    expect(orders.lines.filter((line) => line.startsWith('! orders: Test does not answer'))).toHaveLength(2);
    expect(orders.lines).toContain('orders: Test answers again');
  } finally {
    await orders.service.close();
    await again.close();
  }
});

test('a chain begun anew is read from its start: what had been filled is open there', async () => {
  await begin({ rpcPort: 0 });
  const order = await newOrder(chain, { expiry: 0n });
  const { orderHash } = await orders.post(order, 'orders');
  await settle(chain, chain.accounts.user, 'fillOrder', [order, await chain.sign(order)]);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'FULFILLED' });
  const { rfqContract, weth } = chain;
  // Two nodes that start within one second have the same first block, and then it is no other chain.
  const { timestamp } = await chain.client.getBlock({ blockNumber: 0n });
  await vi.waitUntil(() => Date.now() / 1_000 >= Number(timestamp) + 1);
  await chain.close();
  const rpcPort = Number(new URL(chain.rpcUrl).port);
  chain = await vi.waitFor(() => startTestChain({ rpcPort }), { interval: 100 });
  expect([chain.rfqContract, chain.weth]).toEqual([rfqContract, weth]);
  const fresh = { fillableBalance: `${ONE}`, transactionHash: null };
  expect(await orders.record(orderHash)).toMatchObject({ ...fresh, state: 'PENDING' });
  await setFunds(chain, chain.weth, { balance: ONE / 2n });
  expect(await orders.record(orderHash)).toMatchObject({ ...fresh, state: 'SUSPENDED' });
  expect(orders.lines).toContain('! orders: Test is another chain now, read from its start');
});
