import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRemaining, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { changesIn, eventsOf, newOrder, ONE, orderInfo, PRICE, settle } from './settlement-calls.ts';

const SHORT = "Couldn't swap the requested fill amount";

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

/** Three orders of one WETH each; the middle one has expired. */
async function threeOrders() {
  const orders = [await newOrder(chain), await newOrder(chain, { expiry: 1n }), await newOrder(chain)];
  return Promise.all(orders.map(async (order) => orderInfo(order, await chain.sign(order), PRICE)));
}

function remainingOf({ order }: Awaited<ReturnType<typeof threeOrders>>[number]): Promise<bigint> {
  return readRemaining(chain, order.maker, chain.orderHash(order));
}

test('batchFillOrderWithTarget fills every order by its amount', async () => {
  const { user, other } = chain.accounts;
  const [first, , third] = await threeOrders();
  const half = third && { ...third, takerTokenFillAmount: PRICE / 2n };
  const changed = await changesIn(chain, [user.address, other.address], async () => {
    const hash = await settle(chain, user, 'batchFillOrderWithTarget', [[first, half], other.address]);
    expect(await eventsOf(chain, hash)).toMatchObject([{ makerAmount: ONE }, { makerAmount: ONE / 2n }]);
  });
  expect(changed).toEqual([0n, -(PRICE * 3n) / 2n, (ONE * 3n) / 2n, 0n]);
});

test('batchFillOrderWithTarget fills none when one cannot be filled, and says why', async () => {
  const { user } = chain.accounts;
  const infos = await threeOrders();
  const call = (some: unknown[]) => settle(chain, user, 'batchFillOrderWithTarget', [some, user.address]);
  await expect(call(infos)).rejects.toThrow('Order expired');
  const [first] = infos;
  expect(first && (await remainingOf(first))).toBe(0n);
  await expect(call([{ ...first, takerTokenFillAmount: 0n }])).rejects.toThrow('Invalid Taker amount');
});

test('tryBatchFillOrderTakerAmount passes over what cannot be filled and spends exactly what was asked', async () => {
  const { user, other } = chain.accounts;
  const infos = await threeOrders();
  const spend = PRICE + PRICE / 4n;
  const changed = await changesIn(chain, [user.address, other.address], () =>
    settle(chain, user, 'tryBatchFillOrderTakerAmount', [infos, spend, other.address]),
  );
  expect(changed).toEqual([0n, -spend, ONE + ONE / 4n, 0n]);
  expect(await Promise.all(infos.map(remainingOf))).toEqual([1n, 0n, (ONE * 3n) / 4n + 1n]);
});

test('tryBatchFillOrderTakerAmount stops when it has enough, and reverts when the orders are not enough', async () => {
  const { user } = chain.accounts;
  const infos = await threeOrders();
  await expect(
    settle(chain, user, 'tryBatchFillOrderTakerAmount', [infos, 2n * PRICE + 1n, user.address]),
  ).rejects.toThrow(SHORT);
  await settle(chain, user, 'tryBatchFillOrderTakerAmount', [infos, PRICE, user.address]);
  expect(await Promise.all(infos.map(remainingOf))).toEqual([1n, 0n, 0n]);
});

test('tryBatchFillOrderMakerAmount obtains what was asked, paying each order rounded up', async () => {
  const { user, other } = chain.accounts;
  const infos = await threeOrders();
  const obtain = ONE + ONE / 3n;
  const paid = PRICE + (PRICE * (ONE / 3n) + ONE - 1n) / ONE;
  const changed = await changesIn(chain, [user.address, other.address], () =>
    settle(chain, user, 'tryBatchFillOrderMakerAmount', [infos, obtain, other.address]),
  );
  expect(changed[1]).toBe(-paid);
  expect(changed[2]).toBeGreaterThanOrEqual(obtain);
  expect(changed[2]).toBeLessThan(obtain + ONE / PRICE + 1n);
});

test('tryBatchFillOrderMakerAmount reverts when the orders are not enough', async () => {
  const { user } = chain.accounts;
  const infos = await threeOrders();
  await expect(
    settle(chain, user, 'tryBatchFillOrderMakerAmount', [infos, 2n * ONE + 1n, user.address]),
  ).rejects.toThrow(SHORT);
});

test('an order’s taker counts in a batch as it does alone', async () => {
  const { user, other } = chain.accounts;
  const order = await newOrder(chain, { taker: other.address });
  const infos = [orderInfo(order, await chain.sign(order), PRICE)];
  await expect(settle(chain, user, 'tryBatchFillOrderTakerAmount', [infos, PRICE, user.address])).rejects.toThrow(
    SHORT,
  );
  await settle(chain, other, 'tryBatchFillOrderTakerAmount', [infos, PRICE, other.address]);
});
