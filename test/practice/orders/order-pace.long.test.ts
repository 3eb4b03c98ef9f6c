import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTLEMENT } from '../../../electron/practice/chain/artifacts.ts';
import type { Hex } from '../../../electron/protocol/address.ts';
import type { OrderRecord } from '../../../electron/protocol/order-record.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE, PRICE } from '../chain/settlement-calls.ts';
import { type OrdersOnChain, openOrdersOnChain, wireFields } from './orders-on-chain.ts';

const ORDERS = 400;
const FILLED = 160;
const AT_ONCE = 20;

/** Of the processor's time while so many orders come in at fifty a second, signing and sending the fills included. */
const HALF_A_CORE_MS = (ORDERS / 50) * 500;

let chain: TestChain;
let orders: OrdersOnChain;
beforeAll(async () => {
  chain = await startTestChain();
  orders = openOrdersOnChain(chain);
});
afterAll(async () => {
  await orders?.close();
  await chain?.close();
});

test('fifty orders and twenty fills a second take less than half a core', async () => {
  const first = await newOrder(chain, { makerAmount: ONE / 100n, takerAmount: PRICE / 100n });
  const signed: { order: typeof first; signature: Hex }[] = [];
  for (let count = 0; count < ORDERS; count++) {
    const order = { ...first, expiry: 0n, nonceAndMeta: first.nonceAndMeta + (BigInt(count) << 200n) };
    signed.push({ order, signature: await chain.sign(order) });
  }
  await chain.control.setIntervalMining({ interval: 1 });
  const began = process.cpuUsage();
  let sending: Promise<Hex>[] = [];
  for (const [index, { order, signature }] of signed.entries()) {
    await orders.service.store(chain.chainId, { ...wireFields(order), signature });
    if (index >= FILLED) continue;
    const data = encodeFunctionData({ abi: SETTLEMENT.abi, functionName: 'fillOrder', args: [order, signature] });
    sending.push(chain.accounts.user.send({ to: chain.rfqContract, data }));
    if (sending.length < AT_ONCE) continue;
    for (const sent of await Promise.all(sending)) await chain.accounts.user.mined(sent);
    sending = [];
  }
  await orders.service.caughtUp();
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(HALF_A_CORE_MS);
  const { body } = await orders.get(`/ft/orders/31337/maker/${chain.accounts.maker.address}?limit=1000`);
  const states = new Map((body as { orders: OrderRecord[] }).orders.map((record) => [record.orderHash, record.state]));
  expect(signed.map(({ order }) => states.get(chain.orderHash(order)))).toEqual(
    signed.map((_, index) => (index < FILLED ? 'FULFILLED' : 'PENDING')),
  );
});
