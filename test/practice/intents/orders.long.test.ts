import { encodeAbiParameters, maxUint256, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import type { IntentOrderRecord } from '../../../electron/protocol/intent-order-record.ts';
import { typedDataHash } from '../../../electron/protocol/typed-data.ts';
import {
  buildIntentCancellation,
  cancelIntentOrders,
  findIntentOrder,
  intentOrder,
  intentOrders,
  submitIntentOrder,
} from '../../../electron/service/intent-orders.ts';
import { FAR_CHAIN, type IntentMarket, openIntentMarket } from './intent-market.ts';
import { ETHER, ORDERS, type OrderClient, openOrderClient, twap, twapBuy, type Wish } from './order-client.ts';

const PARTNER: Address = `0x${'9a'.repeat(20)}`;
const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;
const FRIEND: Address = `0x${'be'.repeat(20)}`;

let market: IntentMarket;
let orders: OrderClient;
let owner: Address;
beforeAll(async () => {
  market = await openIntentMarket();
  orders = await openOrderClient(market);
  owner = orders.owner;
});
afterAll(() => market?.close());

describe('a submitted order', () => {
  test('is kept as PENDING, with its whole record', async () => {
    const { toSign, orderHash } = await orders.build({ beneficiary: FRIEND });
    const given = { chainId: 31337, order: toSign.value, signature: await market.sign(toSign) };
    const answered = await market.post(ORDERS, { ...given, partner: 'free', type: 'MARKET' });
    const value = given.order as Record<string, string>;
    const end = (symbol: string, amount = '', expectedAmount = '') => {
      return { chainId: 31337, token: market.token(symbol), amount, expectedAmount, executedAmount: '0' };
    };
    const record = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'PENDING',
      side: 'SELL',
      type: 'MARKET',
      onChainOrderType: 'Order',
      owner,
      beneficiary: FRIEND,
      orderHash,
      partner: 'free',
      order: value,
      input: end('WETH', `${ETHER}`, `${ETHER}`),
      output: end('USDC', value.destAmount, value.expectedAmount),
      transactions: [],
      refunds: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      expiresAt: new Date(Number(value.deadline) * 1000).toISOString(),
    };
    expect(answered).toEqual({ status: 200, body: record });
    const { id } = answered.body as { id: string };
    expect(await intentOrder(market.client, id)).toEqual(record);
    expect((await findIntentOrder(market.client, { owner, chainId: 31337, orderHash }))?.id).toBe(id);
  });

  test('of what is bought expects to take what the route takes, and at most what was signed', async () => {
    const { toSign } = await orders.build({ side: 'BUY' });
    const given = { chainId: 31337, order: toSign.value, signature: await market.sign(toSign), type: 'MARKET' };
    const { status, body } = await market.post(ORDERS, given);
    const { srcAmount } = toSign.value as Record<string, string>;
    expect(srcAmount).not.toBe(orders.bought.origin.input.amount);
    expect([status, body]).toMatchObject([
      200,
      {
        side: 'BUY',
        input: { amount: srcAmount, expectedAmount: orders.bought.origin.input.amount },
        output: { amount: '3000000000', expectedAmount: '3000000000' },
      },
    ]);
  });

  test('counts all slices of a TWAP together, and what is bought as exact', async () => {
    const { output } = await orders.submit(twap());
    const least = (BigInt(orders.sold.destination.output.amount) * 9_900n) / 10_000n;
    expect(output).toMatchObject({
      amount: `${least * 3n}`,
      expectedAmount: `${BigInt(orders.sold.destination.output.amount) * 3n}`,
    });
    const purchase = await orders.submit(twapBuy());
    const source = BigInt(orders.bought.origin.input.amount);
    expect(purchase).toMatchObject({
      side: 'BUY',
      onChainOrderType: 'TWAPBuyOrder',
      input: { amount: `${4n * ETHER}`, expectedAmount: `${source * 3n}` },
      output: { amount: '9000000001', expectedAmount: '9000000001' },
    });
  });

  test('across chains ends with the token of the other chain', async () => {
    const across = await orders.route({ src: 'USDC', dest: 'WETH-', amount: '10000000000', destChainId: FAR_CHAIN });
    const { input, output } = await orders.submit({ route: across });
    expect(input).toMatchObject({ chainId: 31337, token: market.token('USDC') });
    expect(output).toMatchObject({
      chainId: FAR_CHAIN,
      token: market.token('WETH-'),
      expectedAmount: across.destination.output.amount,
    });
  });

  test('that is there already is given as it is', async () => {
    const given = await orders.signed();
    const first = await submitIntentOrder(market.client, given);
    const again = await Promise.all([1, 2].map(() => submitIntentOrder(market.client, given)));
    expect(again.map(({ id }) => id)).toEqual([first.id, first.id]);
    const { floor } = market;
    const approve = (amount: bigint) =>
      floor.call(floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [floor.addresses.intents, amount]);
    await approve(0n);
    const after = await submitIntentOrder(market.client, given).finally(() => approve(maxUint256));
    expect(after.id).toBe(first.id);
  });

  test('of a limit says so, and has the partner that was named', async () => {
    const record = await orders.submit(
      { slippage: undefined, limitAmount: '9000000000' },
      { type: 'LIMIT', partner: 'dear' },
    );
    expect([record.type, record.partner, record.output?.amount]).toEqual(['LIMIT', 'dear', '9000000000']);
    expect((await orders.submit()).partner).toBe('anon');
  });

  test('says whether it may be filled in parts by its signature, whatever the body adds', async () => {
    const given = await orders.signed();
    expect(await orders.answer(ORDERS, { ...given, partiallyFillable: 'yes' })).toEqual([
      ...[400, expect.stringMatching(/^partiallyFillable /)],
    ]);
    const { order } = await submitIntentOrder(market.client, { ...given, partiallyFillable: true });
    expect(order).toEqual(given.order);
  });

  test('whose signature is of another key, of another value, or no signature is refused', async () => {
    const invalid = [400, 'Invalid signature'];
    const forged = await orders.signed({}, `0x${'77'.repeat(32)}`);
    expect(await orders.answer(ORDERS, forged)).toEqual(invalid);
    const given = await orders.signed();
    expect(await orders.answer(ORDERS, { ...given, order: { ...given.order, destAmount: '1' } })).toEqual(invalid);
    for (const signature of ['0x1234', 'signed', undefined]) {
      expect(await orders.answer(ORDERS, { ...given, signature })).toEqual(invalid);
    }
  });

  test('of a contract is signed by its owner (EIP-1271); one that is signed on chain awaits that', async () => {
    const { toSign } = await orders.build({ owner: market.floor.wallet });
    const given = { chainId: 31337, order: toSign.value, signature: await market.signLong(toSign) };
    expect((await submitIntentOrder(market.client, given)).status).toBe('PENDING');
    const { toSign: unsigned } = await orders.build();
    const waiting = { chainId: 31337, order: unsigned.value, signature: '0x' as Hex };
    expect((await submitIntentOrder(market.client, waiting)).status).toBe('AWAITING_SIGNATURE');
  });

  test('that is not the value alone, or lacks a field, is refused, naming it', async () => {
    const { toSign } = await orders.build();
    const given = { chainId: 31337, order: toSign, signature: await market.sign(toSign) };
    expect(await orders.answer(ORDERS, given)).toEqual([400, expect.stringMatching(/^order\.owner /)]);
    const { deadline: _, ...short } = toSign.value;
    expect(await orders.answer(ORDERS, { ...given, order: short })).toEqual([
      400,
      expect.stringMatching(/^order\.deadline /),
    ]);
    expect(await orders.answer(ORDERS, { ...given, order: undefined })).toEqual([
      400,
      expect.stringMatching(/^order /),
    ]);
    expect(await orders.answer(ORDERS, { ...given, chainId: undefined })).toEqual([
      400,
      expect.stringMatching(/^chainId /),
    ]);
    expect(await orders.answer(ORDERS, { ...given, chainId: 5 })).toEqual([422, 'Unsupported chain']);
  });

  test('whose deadline has passed is refused with Order expired', async () => {
    const given = await orders.signed({ deadline: market.now() - 1 });
    expect(await orders.answer(ORDERS, given)).toEqual([400, 'Order expired']);
  });

  test('without the balance or the allowance is refused', async () => {
    const { floor } = market;
    const weth = market.token('WETH');
    const balance = await floor.balance('WETH', owner);
    const given = await orders.signed();
    await floor.call(floor.owner, TEST_TOKEN, weth, 'transfer', [PARTNER, balance - ETHER + 1n]);
    try {
      expect(await orders.answer(ORDERS, given)).toEqual([400, 'InsufficientBalance']);
    } finally {
      await floor.call(floor.owner, TEST_TOKEN, weth, 'mint', [owner, balance]);
    }
    await floor.call(floor.owner, TEST_TOKEN, weth, 'approve', [floor.addresses.intents, ETHER - 1n]);
    try {
      expect(await orders.answer(ORDERS, given)).toEqual([400, 'InsufficientAllowance']);
      await floor.call(floor.owner, TEST_TOKEN, weth, 'approve', [floor.addresses.escrow, maxUint256]);
      expect(await orders.answer(ORDERS, given)).toEqual([400, 'InsufficientAllowance']);
    } finally {
      await floor.call(floor.owner, TEST_TOKEN, weth, 'approve', [floor.addresses.intents, maxUint256]);
    }
    expect(await orders.answer(ORDERS, given)).toEqual([200, undefined]);
  });

  test('of a TWAP whose deadline leaves no time for all slices is refused', async () => {
    onTestFinished(market.stopClock());
    const short = [400, 'deadline must allow enough time for all slices to execute'];
    for (const wish of [twap(), twapBuy()]) {
      const given = await orders.signed({ ...wish, deadline: market.now() + 180 });
      expect(await orders.answer(ORDERS, given)).toEqual(short);
      const enough = await orders.signed({ ...wish, deadline: market.now() + 190 });
      expect((await orders.answer(ORDERS, enough))[0]).toBe(200);
    }
  });

  /** Signs what the service would not build. */
  const resigned = async (wish: Wish, changes: object) => {
    const { toSign } = await orders.build(wish);
    const value = { ...toSign.value, ...changes };
    return { chainId: 31337, order: value, signature: await market.sign({ ...toSign, value }) };
  };

  test('of a TWAP with less than a unit a slice is refused, naming the total', async () => {
    const least = async (wish: Wish, field: string) => {
      expect(await orders.answer(ORDERS, await resigned(wish, { [field]: '2' }))).toEqual([
        400,
        `${field} must be >= numSlices`,
      ]);
    };
    await least(twap(), 'totalSrcAmount');
    await least(twapBuy(), 'totalDestAmount');
    await least(twapBuy(), 'maxSrcAmount');
    expect(await orders.answer(ORDERS, await resigned(twap(), { interval: '59' }))).toEqual([400, 'InvalidTWAPParams']);
    expect(await orders.answer(ORDERS, await resigned(twapBuy(), { numSlices: '1' }))).toEqual([
      400,
      'InvalidTWAPBuyParams',
    ]);
  });

  test('without an end, or for more than there is, or for anything at all, is kept as it is', async () => {
    const all = `${2n ** 256n - 1n}`;
    const { id } = await submitIntentOrder(market.client, await resigned({}, { deadline: all, expectedAmount: all }));
    expect(await intentOrder(market.client, id)).toMatchObject({
      expiresAt: '9999-12-31T00:00:00.000Z',
      output: { expectedAmount: all },
    });
    const sliced = await submitIntentOrder(market.client, await resigned(twap(), { destAmount: all }));
    expect(sliced.output?.amount).toBe(all);
    expect((await orders.submit({ slippage: 10_000 })).output?.amount).toBe('0');
  });

  test('that the service would not have built is not taken either', async () => {
    const refused = async (changes: object, sentence: unknown, wish: Wish = {}) =>
      expect(await orders.answer(ORDERS, await resigned(wish, changes))).toEqual([400, sentence]);
    await refused({ srcToken: PARTNER }, 'Token not supported');
    await refused({ destToken: PARTNER }, 'Token not supported');
    await refused({ srcAmount: '0' }, 'order.srcAmount must be above zero');
    await refused({ destAmount: '0' }, 'order.destAmount must be above zero', { side: 'BUY' });
    await refused({ partnerAndFee: '201' }, expect.stringMatching(/^order.partnerAndFee/));
    await refused({ permit: '0x1234' }, 'Invalid permit: form');
    const bridge = { protocolSelector: '0x12345678', outputToken: market.token('WETH-'), scalingFactor: 0 };
    const across = { ...bridge, destinationChainId: `${FAR_CHAIN}`, protocolData: '0x' };
    await refused({ bridge: across }, 'order.bridge leads over no lane');
    const lane = await orders.route({ src: 'USDC', dest: 'WETH-', amount: '10000000000', destChainId: FAR_CHAIN });
    const built = (await orders.build({ route: lane })).toSign.value.bridge as object;
    const [outputToken, protocolSelector] = [market.token('USDT-'), '0x12345678'];
    for (const change of [{ scalingFactor: 1 }, { outputToken }, { protocolSelector }, { protocolData: '0x12' }]) {
      await refused({ bridge: { ...built, ...change } }, 'order.bridge leads over no lane', { route: lane });
    }
    const given = await orders.signed({ permit: '0x' });
    market.permitOnly.add(market.token('WETH'));
    const demanded = await orders.answer(ORDERS, given).finally(() => market.permitOnly.clear());
    expect(demanded).toEqual([400, 'Permit / Permit2 required']);
    const permit = encodeAbiParameters(parseAbiParameters('uint256'), [1n]);
    const limited = await resigned({}, { permit });
    expect(await orders.answer(ORDERS, { ...limited, type: 'LIMIT' })).toEqual([
      400,
      expect.stringMatching(/^Limit and TWAP/),
    ]);
    expect((await orders.answer(ORDERS, { ...given, type: 'STOP' }))[0]).toBe(400);
  });
});

describe('a list', () => {
  const listed = async (query: Record<string, string>) => {
    const { status, body: page } = await market.get(ORDERS, { userAddress: owner, ...query });
    expect(status, JSON.stringify(page)).toBe(200);
    return page as { data: IntentOrderRecord[]; total: number; page: number; limit: number; hasMore: boolean };
  };

  test('is of one user, in any casing, the newest first, page by page', async () => {
    const [first, second] = [await orders.submit(), await orders.submit()];
    const top = await listed({ limit: '1' });
    expect([top.data[0]?.id, top.page, top.limit, top.hasMore]).toEqual([second.id, 1, 1, true]);
    expect(
      (await listed({ limit: '1', page: '2', userAddress: `0x${owner.slice(2).toUpperCase()}` })).data[0]?.id,
    ).toBe(first.id);
    const all = await listed({});
    expect([all.limit, all.hasMore, all.total]).toEqual([100, false, all.data.length]);
    const end = await listed({ limit: '1', page: `${all.total}` });
    expect([end.data.length, end.hasMore]).toEqual([1, false]);
    expect(await listed({ userAddress: PARTNER })).toEqual({ data: [], total: 0, page: 1, limit: 100, hasMore: false });
    expect(await intentOrders(market.client, { userAddress: owner, limit: 1 })).toMatchObject({ hasMore: true });
  });

  test('takes a user, pages from 1, and 1 to 1000 a page', async () => {
    for (const query of ['page=0', 'limit=0', 'limit=1001', 'page=one', 'userAddress=me']) {
      const asked = { userAddress: owner, ...Object.fromEntries(new URLSearchParams(query)) };
      expect((await market.get(ORDERS, asked)).status, query).toBe(400);
    }
    expect((await market.get(ORDERS)).status).toBe(400);
    expect((await listed({ limit: '1000' })).limit).toBe(1_000);
  });

  test('is of the chains, types, statuses and kinds that are named', async () => {
    const limit = await orders.submit({ slippage: undefined, limitAmount: '9000000001' }, { type: 'LIMIT' });
    const suspended = await orders.submit({ orderType: 'ProductiveOrder', strategy: market.floor.addresses.strategy });
    market.store.update(suspended.id, { status: 'SUSPENDED' });
    const ids = async (query: Record<string, string>) => (await listed(query)).data.map(({ id }) => id);
    expect(await ids({ type: 'LIMIT' })).toContain(limit.id);
    expect(await ids({ type: 'LIMIT' })).not.toContain(suspended.id);
    expect(await ids({ type: 'MARKET' })).not.toContain(limit.id);
    expect(await ids({ status: 'SUSPENDED,FAILED' })).toEqual([suspended.id]);
    expect(await ids({ onChainOrderType: 'ProductiveOrder' })).toEqual([suspended.id]);
    expect(await ids({ chainId: '31337,1' })).toContain(limit.id);
    expect(await ids({ chainId: '1' })).toEqual([]);
    for (const query of ['type=SPOT', 'status=OPEN', 'onChainOrderType=TWAP', 'chainId=near']) {
      const asked = { userAddress: owner, ...Object.fromEntries(new URLSearchParams(query)) };
      expect((await market.get(ORDERS, asked)).status, query).toBe(400);
    }
  });
});

test('an order that nobody knows is not found', async () => {
  expect(await market.get(`${ORDERS}/4f2c8a0e-0000-4000-8000-000000000000`)).toEqual({
    status: 404,
    body: { errorType: 'NotFound', details: 'Order not found' },
  });
  await expect(intentOrder(market.client, 'nothing')).rejects.toMatchObject({ code: 'unknown_order' });
});

describe('a cancellation', () => {
  const cancel = async (orderIds: string[], key?: Hex) => {
    const toSign = await buildIntentCancellation(market.client, 31337, orderIds);
    return { orderIds, signature: await market.sign(toSign, key) };
  };
  const status = async (id: string) => (await intentOrder(market.client, id)).status;

  test('is signed for the contract of the orders’ chain, and cancels them all', async () => {
    const ids = [(await orders.submit()).id, (await orders.submit()).id];
    const { status: built, body: cancellation } = await market.post(`${ORDERS}/build/cancellation`, { orderIds: ids });
    const { toSign, hash } = cancellation as { toSign: Parameters<typeof typedDataHash>[0]; hash: Hex };
    expect([built, hash]).toEqual([200, typedDataHash(toSign)]);
    expect(toSign).toMatchObject({
      domain: { chainId: 31337, verifyingContract: market.floor.addresses.intents },
      types: { OrderCancellations: [{ name: 'orderIds', type: 'string[]' }] },
      value: { orderIds: ids },
    });
    expect(await cancelIntentOrders(market.client, ids, await market.sign(toSign))).toEqual(ids);
    expect(await Promise.all(ids.map(status))).toEqual(['CANCELLING', 'CANCELLING']);
  });

  test.each(['PENDING', 'AWAITING_SIGNATURE', 'ACTIVE', 'SUSPENDED'] as const)(
    'is taken of an order that is %s',
    async (from) => {
      const { id } = await orders.submit();
      market.store.update(id, { status: from });
      expect(await orders.answer(`${ORDERS}/cancel`, await cancel([id]))).toEqual([200, undefined]);
      expect(await status(id)).toBe('CANCELLING');
    },
  );

  test('may be sent again while it is under way', async () => {
    const { id } = await orders.submit();
    const given = await cancel([id]);
    for (const _ of [1, 2]) expect((await orders.answer(`${ORDERS}/cancel`, given))[0]).toBe(200);
    expect(await status(id)).toBe('CANCELLING');
  });

  test.each(['COMPLETED', 'REFUNDING', 'REFUNDED', 'FAILED', 'EXPIRED', 'CANCELLED', 'BRIDGING'] as const)(
    'of an order that is %s is refused, and of all others with it',
    async (ended) => {
      const [settled, open] = [(await orders.submit()).id, (await orders.submit()).id];
      market.store.update(settled, { status: ended });
      expect(await orders.answer(`${ORDERS}/cancel`, await cancel([open, settled]))).toEqual([
        400,
        'Order already settled',
      ]);
      expect([await status(settled), await status(open)]).toEqual([ended, 'PENDING']);
    },
  );

  test('of an order whose auction is running waits, and changes nothing now', async () => {
    const { id } = await orders.submit();
    market.store.update(id, { auctionStartedAt: Date.now() });
    expect((await orders.answer(`${ORDERS}/cancel`, await cancel([id])))[0]).toBe(200);
    expect(await status(id)).toBe('PENDING');
    const asked = market.store.byId(id)?.cancelAskedAt;
    expect(asked).toBeGreaterThan(0);
    market.shiftClock(5_000);
    await orders.answer(`${ORDERS}/cancel`, await cancel([id]));
    expect(market.store.byId(id)?.cancelAskedAt).toBe(asked);
  });

  test('that another signed, for other ids, or not at all is refused with Invalid signature', async () => {
    const [one, other] = [(await orders.submit()).id, (await orders.submit()).id];
    const invalid = [400, 'Invalid signature'];
    expect(await orders.answer(`${ORDERS}/cancel`, await cancel([one], `0x${'77'.repeat(32)}`))).toEqual(invalid);
    const given = await cancel([one]);
    expect(await orders.answer(`${ORDERS}/cancel`, { ...given, orderIds: [other] })).toEqual(invalid);
    expect(await orders.answer(`${ORDERS}/cancel`, { ...given, signature: 'none' })).toEqual(invalid);
    const row = market.store.byId(other);
    if (row === null) throw new Error('no row');
    const another = market.store.insert({ ...row, id: crypto.randomUUID(), orderHash: hash('aa'), owner: PARTNER });
    expect(await orders.answer(`${ORDERS}/cancel`, await cancel([one, another.id]))).toEqual(invalid);
    expect(await status(one)).toBe('PENDING');
  });

  test('is of 1 to 100 orders of one chain that are there', async () => {
    const { id } = await orders.submit();
    const many = Array.from({ length: 101 }, () => id);
    for (const path of [`${ORDERS}/build/cancellation`, `${ORDERS}/cancel`]) {
      expect(await orders.answer(path, { orderIds: many, signature: '0x12' })).toEqual([400, 'orderIds.length > 100']);
      expect((await orders.answer(path, { orderIds: [], signature: '0x12' }))[0]).toBe(400);
      const unknown = { orderIds: ['nothing'], signature: '0x12' };
      expect(await orders.answer(path, unknown)).toEqual([404, 'Order not found']);
    }
    expect((await orders.answer(`${ORDERS}/build/cancellation`, { orderIds: many.slice(1) }))[0]).toBe(200);
    const row = market.store.byId(id);
    if (row === null) throw new Error('no row');
    const there = crypto.randomUUID();
    market.store.insert({ ...row, id: there, chainId: FAR_CHAIN });
    const both = { orderIds: [id, there] };
    expect(await orders.answer(`${ORDERS}/build/cancellation`, both)).toEqual([400, 'orderIds must be of one chain']);
  });
});

test('another method is refused, and another path is not this service’s', async () => {
  expect((await market.post('/v2/quote', {})).status).toBe(405);
  expect((await market.get(`${ORDERS}/build/cancellation`)).status).toBe(405);
  expect((await market.get('/v2/delta/prices')).status).toBe(404);
});

test('nothing of all this was an error of the service itself', () => {
  expect(market.lines.filter((line) => line.startsWith('!'))).toEqual([]);
});
