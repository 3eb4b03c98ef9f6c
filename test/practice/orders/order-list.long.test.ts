import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderRecord } from '../../../electron/protocol/order-record.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE, PRICE, settle } from '../chain/settlement-calls.ts';
import { type OrdersOnChain, openOrdersOnChain, setFunds } from './orders-on-chain.ts';

let chain: TestChain;
let orders: OrdersOnChain;
beforeEach(async () => {
  chain = await startTestChain();
  orders = openOrdersOnChain(chain);
});
afterEach(async () => {
  await orders?.close();
  await chain?.close();
});

async function forUser(changes: Partial<ChainOrder> = {}): Promise<ChainOrder> {
  const order = await newOrder(chain, changes);
  return { ...order, nonceAndMeta: order.nonceAndMeta + BigInt(chain.accounts.user.address) };
}

interface Page {
  orders: OrderRecord[];
  limit: number;
  offset: number;
  total: number;
  hasMore: boolean;
}

async function list(path: string): Promise<Page> {
  const { status, body } = await orders.get(`/ft/${path}`);
  expect(status).toBe(200);
  return body as Page;
}

const hashes = (page: Page) => page.orders.map(({ orderHash }) => orderHash);

/** What a suspended order has: nobody may fill it. */
const none = { reservedBalance: '0', swappableBalance: '0' };

test('two orders on one balance: the older one is served first, and a fill of either moves the other', async () => {
  await setFunds(chain, chain.weth, { balance: 100n * ONE, allowance: 90n * ONE });
  const [older, younger] = [await forUser({ makerAmount: 60n * ONE }), await forUser({ makerAmount: 60n * ONE })];
  const [first, second] = [await orders.post(older), await orders.post(younger)];
  const wholly = { makerBalance: `${90n * ONE}`, reservedBalance: `${60n * ONE}`, swappableBalance: `${60n * ONE}` };
  const rest = { makerBalance: `${30n * ONE}`, reservedBalance: `${30n * ONE}`, swappableBalance: `${30n * ONE}` };
  expect(first).toMatchObject({ ...wholly, state: 'PENDING' });
  expect(second).toMatchObject({ ...rest, state: 'PENDING' });
  const { user, maker } = chain.accounts;
  expect((await list(`p2p/31337/maker/${maker.address}`)).orders).toMatchObject([rest, wholly]);

  const thirty = [younger, await chain.sign(younger), PRICE / 2n] as const;
  await settle(chain, user, 'partialFillOrder', thirty);
  expect(await orders.record(first.orderHash)).toMatchObject({
    state: 'PENDING',
    makerBalance: `${60n * ONE}`,
    swappableBalance: `${60n * ONE}`,
  });
  const left = { state: 'PENDING', fillableBalance: `${30n * ONE}`, makerBalance: '0', swappableBalance: '0' };
  expect(await orders.record(second.orderHash)).toMatchObject(left);

  await settle(chain, user, 'partialFillOrder', [older, await chain.sign(older), PRICE / 4n]);
  expect(await orders.record(first.orderHash)).toMatchObject({ state: 'PENDING', reservedBalance: `${45n * ONE}` });
  await settle(chain, maker, 'cancelOrder', [first.orderHash]);
  expect(await orders.record(second.orderHash)).toMatchObject({ state: 'PENDING', swappableBalance: `${30n * ONE}` });
  await setFunds(chain, chain.weth, { balance: 20n * ONE });
  expect(await orders.record(second.orderHash)).toMatchObject({
    state: 'SUSPENDED',
    makerBalance: `${20n * ONE}`,
    ...none,
  });
});

test('a suspended order holds nothing back from the younger ones, which can be filled', async () => {
  await setFunds(chain, chain.weth, { balance: 50n * ONE });
  const large = await orders.post(await forUser({ makerAmount: 60n * ONE }));
  const small = await orders.post(await forUser({ makerAmount: 40n * ONE }));
  expect(large).toMatchObject({ state: 'SUSPENDED', makerBalance: `${50n * ONE}`, ...none });
  const whole = { state: 'PENDING', makerBalance: `${50n * ONE}`, swappableBalance: `${40n * ONE}` };
  expect(small).toMatchObject(whole);
  const path = `p2p/31337/maker/${chain.accounts.maker.address}?hideSmallBalances=true`;
  expect(hashes(await list(path))).toContain(small.orderHash);
  expect(hashes(await list(path))).not.toContain(large.orderHash);
});

test('a taker’s list holds nothing that has ended', async () => {
  const { user, maker } = chain.accounts;
  const [filled, cancelled] = [await forUser(), await forUser()];
  const open = await forUser({ expiry: 0n });
  const expiring = await forUser({ expiry: (await chain.now()) + 600n });
  for (const order of [filled, cancelled, open, expiring]) await orders.post(order);
  const suspended = await orders.post(await forUser({ makerAmount: 10n ** 40n, expiry: 0n }));
  await settle(chain, user, 'partialFillOrder', [filled, await chain.sign(filled), PRICE]);
  await settle(chain, maker, 'cancelOrder', [chain.orderHash(cancelled)]);
  await orders.service.caughtUp();
  const left = [suspended.orderHash, chain.orderHash(expiring), chain.orderHash(open)];
  const path = `p2p/31337/taker/${user.address}`;
  expect(await list(path)).toMatchObject({ total: 3 });
  expect(hashes(await list(path))).toEqual(left);
  orders.shiftClock(700_000);
  expect(hashes(await list(path))).toEqual([suspended.orderHash, chain.orderHash(open)]);
  expect(await list(`p2p/31337/maker/${maker.address}`)).toMatchObject({ total: 5 });
});

test('orders of other tokens and other makers have nothing of the balance', async () => {
  await setFunds(chain, chain.weth, { balance: 2n * ONE });
  await orders.post(await forUser());
  const inUsdc = { makerAsset: chain.usdc, takerAsset: chain.weth, makerAmount: PRICE, takerAmount: ONE };
  expect(await orders.post(await forUser(inUsdc))).toMatchObject({ reservedBalance: `${PRICE}`, state: 'PENDING' });
  const others = await orders.post(await forUser({ maker: chain.contractMaker }));
  expect(others).toMatchObject({ makerBalance: `${10_000n * ONE}` });
  const { maker } = chain.accounts;
  const open = (await orders.get(`/ft/fillablebalance/31337/${maker.address}`)).body;
  expect(open).toEqual({ [chain.weth]: `${ONE}`, [chain.usdc]: `${PRICE}` });
  const ofOne = (
    await orders.get(`/ft/fillablebalance/31337/${maker.address}/${chain.usdc.toUpperCase().replace('X', 'x')}`)
  ).body;
  expect(ofOne).toEqual({ [chain.usdc]: `${PRICE}` });
  const none = (await orders.get(`/ft/fillablebalance/31337/${chain.accounts.other.address}/${chain.weth}`)).body;
  expect(none).toEqual({ [chain.weth]: '0' });
});

test('a maker’s orders come in pages, the latest first, each kind under its own path', async () => {
  const posted = [];
  for (let count = 0; count < 5; count++) posted.push(await orders.post(await forUser()));
  const open = await orders.post(await newOrder(chain), 'orders');
  expect(open).toMatchObject({ type: 'LIMIT', takerFromMeta: `0x${'0'.repeat(40)}` });
  const newestFirst = posted.map(({ orderHash }) => orderHash).reverse();
  const path = `p2p/31337/maker/${chain.accounts.maker.address}`;
  const all = await list(path);
  expect(all).toMatchObject({ limit: 100, offset: 0, total: 5, hasMore: false });
  expect(hashes(all)).toEqual(newestFirst);
  const middle = await list(`${path}?limit=2&offset=1`);
  expect(middle).toMatchObject({ limit: 2, offset: 1, total: 5, hasMore: true });
  expect(hashes(middle)).toEqual(newestFirst.slice(1, 3));
  expect(await list(`${path}?limit=2&offset=3`)).toMatchObject({ total: 5, hasMore: false });
  expect(await list(`${path}?offset=9`)).toMatchObject({ orders: [], total: 5, hasMore: false });
  expect(hashes(await list(`orders/31337/maker/${chain.accounts.maker.address}`))).toEqual([open.orderHash]);
  expect(hashes(await list(`${path}?type=LIMIT`))).toEqual([open.orderHash]);
  expect(await list(`p2p/31337/maker/${chain.accounts.other.address}`)).toMatchObject({ orders: [], total: 0 });
});

test('a list is sorted by what it is asked for', async () => {
  const now = await chain.now();
  const [late, early] = [await forUser({ expiry: now + 900n }), await forUser({ expiry: now + 800n })];
  const [first, second] = [await orders.post(late), await orders.post(early)];
  const path = `p2p/31337/maker/${chain.accounts.maker.address}`;
  expect(hashes(await list(`${path}?orderBy=expiry`))).toEqual([first.orderHash, second.orderHash]);
  expect(hashes(await list(`${path}?orderBy=createdAt`))).toEqual([second.orderHash, first.orderHash]);
  orders.shiftClock(5_000);
  await settle(chain, chain.accounts.user, 'partialFillOrder', [late, await chain.sign(late), PRICE / 2n]);
  await orders.service.caughtUp();
  expect(hashes(await list(`${path}?orderBy=updatedAt`))).toEqual([first.orderHash, second.orderHash]);
});

test('a taker’s list holds what names them, and of the open orders those that anybody may fill', async () => {
  const { user, other } = chain.accounts;
  const named = await orders.post(await forUser());
  const asTaker = await orders.post({
    ...(await forUser()),
    nonceAndMeta: (1n << 180n) + BigInt(other.address),
    taker: user.address,
  });
  const anybody = await orders.post(await newOrder(chain), 'orders');
  const openTo = await orders.post(await newOrder(chain, { taker: user.address }), 'orders');
  expect(hashes(await list(`p2p/31337/taker/${user.address}`))).toEqual([asTaker.orderHash, named.orderHash]);
  expect(hashes(await list(`p2p/31337/taker/${other.address}`))).toEqual([asTaker.orderHash]);
  expect(hashes(await list(`orders/31337/taker/${user.address}`))).toEqual([openTo.orderHash, anybody.orderHash]);
  expect(hashes(await list(`orders/31337/taker/${other.address}`))).toEqual([anybody.orderHash]);
});

test('small balances are hidden on demand: what is not open, and what can hardly be swapped', async () => {
  await setFunds(chain, chain.weth, { balance: 2n * ONE + ONE / 200n });
  const [cancelled, good, hardly] = [await forUser(), await forUser({ makerAmount: 2n * ONE }), await forUser()];
  const posted = [await orders.post(cancelled), await orders.post(good), await orders.post(hardly)];
  await settle(chain, chain.accounts.maker, 'cancelOrder', [chain.orderHash(cancelled)]);
  await orders.service.caughtUp();
  const path = `p2p/31337/maker/${chain.accounts.maker.address}`;
  expect(await list(path)).toMatchObject({ total: 3 });
  const shown = await list(`${path}?hideSmallBalances=true&limit=1`);
  expect(shown).toMatchObject({ total: 1, hasMore: false });
  expect(hashes(shown)).toEqual([posted[1]?.orderHash]);
});

test('the balance behind an order that is not open any more is still told as it is', async () => {
  await setFunds(chain, chain.weth, { balance: 3n * ONE });
  const { orderHash } = await orders.post(await forUser());
  await settle(chain, chain.accounts.maker, 'cancelOrder', [orderHash]);
  expect(await orders.record(orderHash)).toMatchObject({ state: 'CANCELLED', makerBalance: `${3n * ONE}` });
  await setFunds(chain, chain.weth, { balance: 7n * ONE });
  const { body } = await orders.get(`/ft/order/${orderHash}`);
  expect(body).toMatchObject({ state: 'CANCELLED', makerBalance: `${7n * ONE}`, reservedBalance: '0' });
});
