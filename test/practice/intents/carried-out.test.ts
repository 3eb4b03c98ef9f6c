import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Address } from '../../../electron/protocol/address.ts';
import type { IntentOrderRecord } from '../../../electron/protocol/intent-order-record.ts';
import { buildIntentCancellation, cancelIntentOrders, intentOrder } from '../../../electron/service/intent-orders.ts';
import { FEE_OWNER, type IntentMarket, openIntentMarket } from './intent-market.ts';
import { ETHER, type OrderClient, openOrderClient, twap, twapBuy, type Wish } from './order-client.ts';

/** Nobody but the orders of these tests pays them. */
const somebody = (byte: string): Address => `0x${byte.repeat(20)}`;

let market: IntentMarket;
let orders: OrderClient;
beforeAll(async () => {
  market = await openIntentMarket();
  orders = await openOrderClient(market);
  market.start();
});
afterAll(() => market?.close());

/** The order once it is in this status. */
function reached(id: string, status: string): Promise<IntentOrderRecord> {
  return vi.waitFor(
    async () => {
      const record = await intentOrder(market.client, id);
      expect(record.status).toBe(status);
      return record;
    },
    { interval: 20 },
  );
}

/** Submits an order that must give what was quoted, and what it brought when it is done. */
async function carriedOut(wish: Wish, beneficiary: Address, symbol: 'USDC' | 'WETH' | 'ETH' = 'USDC') {
  const { id } = await orders.submit({ slippage: 0, beneficiary, ...wish });
  const record = await reached(id, 'COMPLETED');
  return { record, got: await market.floor.balance(symbol, beneficiary) };
}

describe('without slippage, what was quoted is what is settled at the least', () => {
  test('for what is sold', async () => {
    const { record, got } = await carriedOut({}, somebody('c1'));
    expect(got).toBeGreaterThanOrEqual(BigInt(orders.sold.destination.output.amount));
    expect(record.output?.executedAmount).toBe(`${got}`);
    expect(record.transactions).toMatchObject([
      { filledPercent: 100, spentAmount: `${ETHER}`, receivedAmount: `${got}` },
    ]);
  });

  test('for what is bought', async () => {
    const { record, got } = await carriedOut({ side: 'BUY' }, somebody('c2'));
    expect(got).toBe(3_000_000_000n);
    const spent = BigInt(record.input?.executedAmount ?? 0);
    expect(spent).toBeLessThanOrEqual(BigInt(orders.bought.origin.input.amount));
    expect(spent).toBeGreaterThan(0n);
  });

  test('for the native asset', async () => {
    const route = await orders.route({ dest: 'ETH' });
    const { got } = await carriedOut({ route }, somebody('c3'), 'ETH');
    expect(got).toBeGreaterThanOrEqual(BigInt(route.destination.output.amount));
  });

  test('with the fee of a partner, who earns it', async () => {
    const price = { src: 'WETH', dest: 'USDC' };
    const before = await market.floor.owed('USDC', FEE_OWNER);
    const free = await orders.route(price);
    const least = (BigInt(free.destination.output.amount) * 9_950n) / 10_000n;
    const { got } = await carriedOut({ partner: 'dear', limitAmount: `${least}` }, somebody('c4'));
    expect(got).toBeGreaterThanOrEqual(least);
    const earned = (await market.floor.owed('USDC', FEE_OWNER)) - before;
    expect(earned).toBe(((got + earned) * 50n) / 10_000n);
  });

  test('through a handler, and out of a strategy', async () => {
    const { handler, strategy } = market.floor.addresses;
    const shares = encodeAbiParameters(parseAbiParameters('(address to, uint256 bps)[]'), [
      [{ to: somebody('d1'), bps: 2_500n }],
    ]);
    const divided = await carriedOut({ orderType: 'ExternalOrder', handler, data: shares }, somebody('c5'));
    const part = await market.floor.balance('USDC', somebody('d1'));
    expect(part + divided.got).toBe(BigInt(divided.record.output?.executedAmount ?? 0));
    expect(part).toBe((part + divided.got) / 4n);
    const { got } = await carriedOut({ orderType: 'ProductiveOrder', strategy }, somebody('c6'));
    expect(got).toBeGreaterThanOrEqual(BigInt(orders.sold.destination.output.amount));
  });

  test('for each slice of a TWAP, one after another in its time', async () => {
    const { id } = await orders.submit(twap({ slippage: 10, beneficiary: somebody('c7') }));
    for (const slices of [1, 2, 3]) {
      await vi.waitFor(async () => expect((await intentOrder(market.client, id)).transactions).toHaveLength(slices), {
        interval: 20,
      });
      await market.floor.pass(60);
    }
    const { output, input } = await reached(id, 'COMPLETED');
    expect([input?.executedAmount, output?.executedAmount]).toEqual([
      ...[`${3n * ETHER}`, `${await market.floor.balance('USDC', somebody('c7'))}`],
    ]);
  });
});

describe('a restart', () => {
  const dear = { limitAmount: '9000000000000', slippage: undefined };

  test('keeps the orders, and they are carried on', async () => {
    const waiting = await orders.submit(dear, { type: 'LIMIT' });
    await market.restart();
    const { id } = await orders.submit({ beneficiary: somebody('c8') });
    await market.restart();
    expect(await intentOrder(market.client, id)).toMatchObject({ status: 'PENDING' });
    market.start();
    await reached(id, 'COMPLETED');
    expect(await intentOrder(market.client, waiting.id)).toMatchObject({ status: 'PENDING', type: 'LIMIT' });
  });

  test('keeps what was asked to be cancelled', async () => {
    const { id } = await orders.submit(dear, { type: 'LIMIT' });
    await market.restart();
    const toSign = await buildIntentCancellation(market.client, 31337, [id]);
    await cancelIntentOrders(market.client, [id], await market.sign(toSign));
    await market.restart();
    market.start();
    await reached(id, 'CANCELLED');
  });

  test('carries on orders of every kind', async () => {
    const { handler, strategy } = market.floor.addresses;
    const [data, slices] = [
      encodeAbiParameters(parseAbiParameters('(address to, uint256 bps)[]'), [[]]),
      { slippage: 10 },
    ];
    const wishes: Wish[] = [
      {},
      { side: 'BUY' },
      { orderType: 'ExternalOrder', handler, data },
      { orderType: 'ProductiveOrder', strategy },
      twap(slices),
      twapBuy(slices),
    ];
    await market.restart();
    const ids: string[] = [];
    for (const [index, wish] of wishes.entries()) {
      ids.push((await orders.submit({ ...wish, beneficiary: somebody(`e${index}`) })).id);
    }
    await market.restart();
    market.start();
    const sliced = async () => {
      const rows = await Promise.all(ids.slice(4).map((id) => intentOrder(market.client, id)));
      return rows.map(({ transactions }) => transactions?.length);
    };
    for (const slices of [1, 2, 3]) {
      await expect.poll(sliced).toEqual([slices, slices]);
      // In the middle of a TWAP, too.
      await market.restart();
      await market.floor.pass(61);
      market.start();
    }
    for (const [index, id] of ids.entries()) {
      const { output, input } = await reached(id, 'COMPLETED');
      expect(BigInt(input?.executedAmount ?? 0)).toBeGreaterThan(0n);
      const got = await market.floor.balance('USDC', somebody(`e${index}`));
      expect(`${got}`, ids[index]).toBe(output?.executedAmount);
    }
  });

  test('after which nothing was sent twice', async () => {
    const { data } = (await market.get('/v2/intent/orders', { userAddress: orders.owner })).body as {
      data: IntentOrderRecord[];
    };
    const done = data.filter(({ status }) => status === 'COMPLETED');
    expect(done.length).toBeGreaterThan(6);
    for (const { onChainOrderType, transactions } of done) {
      expect(transactions).toHaveLength(onChainOrderType?.startsWith('TWAP') ? 3 : 1);
    }
  });
});
