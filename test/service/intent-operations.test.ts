import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { compactSignature } from '../../electron/protocol/compact-signature.ts';
import { INTENT_DOMAIN_VERSION, ORDER_CANCELLATIONS_TYPES } from '../../electron/protocol/intent-order.ts';
import { combinedQuote } from '../../electron/service/combined-quote.ts';
import {
  buildIntentCancellation,
  cancelIntentOrders,
  findIntentOrder,
  intentOrder,
  intentOrders,
  submitIntentOrder,
} from '../../electron/service/intent-orders.ts';
import { bridgeRoutes, intentPrices, isTokenSupported, routesOf } from '../../electron/service/intent-prices.ts';
import {
  INTENT,
  intentPrice,
  intentRoute,
  OWNER,
  orderRecord,
  priceRoute,
  USDC,
  WETH,
} from '../protocol/wire-samples.ts';
import { json } from './http-answers.ts';
import { talkingService } from './talking-service.ts';

const ask = {
  chainId: 31337,
  srcToken: WETH,
  destToken: USDC,
  amount: '1000000000000000000',
  srcDecimals: 18,
  destDecimals: 6,
} as const;
const domain = { name: 'Intent', version: INTENT_DOMAIN_VERSION, chainId: 31337, verifyingContract: INTENT };
const ID = orderRecord().id;

describe('a combined quote', () => {
  const answer = (block: string) => json({ [block]: intentPrice(), market: priceRoute(), fallbackReason: null });

  it('has both blocks beside each other', async () => {
    const { service, heard } = await talkingService([answer('intent')]);
    const quote = await combinedQuote(service, { ...ask, mode: 'INTENT', partnerFeeBps: 0 });
    expect([quote.intent?.id, quote.market?.hmac]).toEqual(['p1', 'c0ffee']);
    expect(heard[0]).toMatchObject({
      path: '/v2/quote',
      query: { chainId: '31337', mode: 'INTENT', partnerFeeBps: '0' },
    });
  });

  it('is asked for and read by the names of a service that has its own', async () => {
    const { service, heard } = await talkingService([answer('delta')], { intentSegment: 'delta' });
    expect((await combinedQuote(service, { ...ask, mode: 'INTENT' })).intent?.id).toBe('p1');
    expect(heard[0]?.query.mode).toBe('DELTA');
    await combinedQuote(service, ask);
    expect(heard[1]?.query).not.toHaveProperty('mode');
    const { service: other } = await talkingService([answer('intent')], { intentSegment: 'delta' });
    expect((await combinedQuote(other, ask)).intent).toBeUndefined();
  });

  it('says why it fell back', async () => {
    const fallbackReason = { errorType: 'NoRoute', details: 'nobody fills that' };
    const { service } = await talkingService([json({ market: priceRoute(), fallbackReason })]);
    expect(await combinedQuote(service, ask)).toMatchObject({ market: { network: 31337 }, fallbackReason });
  });

  it.each([
    [
      'intent',
      { market: priceRoute(), intent: { ...intentPrice(), route: { ...intentRoute(31338) } } },
      /on chain 31338/,
    ],
    ['market', { market: { ...priceRoute(), srcAmount: '1' } }, /for 1 units/],
  ])('whose %s is of something else is of no use', async (_what, body, sentence) => {
    const { service } = await talkingService([json(body)]);
    await expect(combinedQuote(service, ask)).rejects.toThrow(sentence);
  });

  it('with more than 2 % for a partner is not asked for', async () => {
    const { service, heard } = await talkingService([json({})]);
    await expect(combinedQuote(service, { ...ask, partnerFeeBps: 201 })).rejects.toMatchObject({ code: 'bad_ask' });
    expect(heard).toEqual([]);
  });
});

describe('an intent price', () => {
  it('is asked for under the segment of the service, across chains too', async () => {
    const price = { ...intentPrice(31338), alternatives: [intentRoute(31338), { other: true }] };
    const { service, heard } = await talkingService([json(price)], { intentSegment: 'delta' });
    const got = await intentPrices(service, { ...ask, destChainId: 31338, includeBridges: ['A', 'B'] });
    expect(heard[0]).toMatchObject({
      path: '/v2/delta/prices',
      query: { destChainId: '31338', includeBridges: 'A,B' },
    });
    expect(routesOf(got)).toEqual([price.route, price.alternatives[0]]);
  });

  it.each([
    ['of another token', { ...ask, destToken: WETH }, intentPrice(), /a price of 0xbB/],
    ['for another amount', { ...ask, amount: '5' }, intentPrice(), /for 1000000000000000000 units/],
    ['for another amount bought', { ...ask, side: 'BUY' as const }, intentPrice(), /for 3410000000 units/],
    ['on its own chain instead of another', { ...ask, destChainId: 31338 }, intentPrice(), /on chain 31337/],
    ['without a bridge', { ...ask, destChainId: 31338 }, { route: { ...intentRoute(31338), bridge: null } }, /bridge/],
  ])('%s is of no use', async (_what, asked, answer, sentence) => {
    const { service } = await talkingService([json(answer)]);
    await expect(intentPrices(service, asked)).rejects.toThrow(sentence);
  });

  it('can be had where lanes and tokens say so', async () => {
    const routes = [{ srcChainId: 31337, destChainId: 31338, tokens: [USDC] }];
    const { service, heard } = await talkingService([json({ routes }), json({ supported: true })]);
    expect(await bridgeRoutes(service)).toEqual(routes);
    expect(await isTokenSupported(service, 31337, WETH)).toBe(true);
    await isTokenSupported(service, 31337, WETH);
    expect(heard.map(({ path, query }) => [path, query])).toEqual([
      ['/v2/intent/prices/bridge-routes', {}],
      ['/v2/intent/prices/is-token-supported', { chainId: '31337', token: WETH }],
    ]);
  });
});

describe('an intent order', () => {
  const account = privateKeyToAccount(`0x${'5a'.repeat(32)}`);

  it('is submitted with the value that was signed and a compact signature', async () => {
    const { service, heard } = await talkingService([json(orderRecord('PENDING'))]);
    const signature = await account.sign({ hash: `0x${'01'.repeat(32)}` });
    const order = { zulu: '1', owner: OWNER, bridge: { b: 1, a: '2' } };
    await submitIntentOrder(service, { chainId: 31337, order, signature, type: 'LIMIT' });
    expect(heard[0]).toMatchObject({ method: 'POST', path: '/v2/intent/orders' });
    const said = JSON.parse(heard[0]?.body ?? '');
    expect(said).toEqual({ chainId: 31337, order, signature: compactSignature(signature), type: 'LIMIT' });
    expect(heard[0]?.body).toContain(JSON.stringify(order));
  });

  it('of a contract keeps the signature that the contract understands', async () => {
    const { service, heard } = await talkingService([json(orderRecord())]);
    const signature: Hex = `0x${'ab'.repeat(97)}`;
    await submitIntentOrder(service, { chainId: 31337, order: {}, signature });
    expect(JSON.parse(heard[0]?.body ?? '').signature).toBe(signature);
  });

  it('is followed without asking all the time, and not at all when it has ended', async () => {
    const answers = [json(orderRecord('ACTIVE')), json(orderRecord('COMPLETED')), json({}, 500)];
    const { service, heard, unix } = await talkingService(answers);
    expect((await intentOrder(service, ID)).status).toBe('ACTIVE');
    await intentOrder(service, ID);
    expect(heard.map(({ path }) => path)).toEqual([`/v2/intent/orders/${ID}`]);
    unix.now = 1_500;
    expect((await intentOrder(service, ID)).status).toBe('COMPLETED');
    unix.now = 30_000;
    await intentOrder(service, ID);
    expect(heard).toHaveLength(2);
  });

  it('that the service does not know, or mistakes for another, is told', async () => {
    const { service } = await talkingService([json({ errorType: 'NotFound' }, 404), json(orderRecord())]);
    await expect(intentOrder(service, ID)).rejects.toMatchObject({ code: 'unknown_order' });
    await expect(intentOrder(service, 'other')).rejects.toThrow(/not other as asked/);
  });

  it('is found by its hash when nobody knows whether it arrived, on whatever page it stands', async () => {
    const page = (change: Record<string, unknown>) =>
      json({ data: [orderRecord()], total: 1_001, page: 1, limit: 1_000, hasMore: false, ...change });
    const other = { ...orderRecord(), id: 'another', orderHash: `0x${'0e'.repeat(32)}` };
    const { service, heard } = await talkingService([page({ data: [other], hasMore: true }), page({ page: 2 })]);
    const asked = (byte: string) => ({ owner: OWNER, chainId: 31337, orderHash: `0x${byte.repeat(32)}` as Hex });
    expect((await findIntentOrder(service, asked('CD')))?.id).toBe(ID);
    expect(heard.map(({ query }) => query)).toEqual([
      { userAddress: OWNER, chainId: '31337', page: '1', limit: '1000' },
      { userAddress: OWNER, chainId: '31337', page: '2', limit: '1000' },
    ]);
    expect(await findIntentOrder(service, asked('ce'))).toBeNull();
  });

  it('is not taken for absent when the pages never end', async () => {
    const { service } = await talkingService([json({ data: [], total: 1, page: 1, limit: 1, hasMore: true })]);
    const asked = { owner: OWNER, chainId: 31337, orderHash: `0x${'ce'.repeat(32)}` as Hex };
    await expect(findIntentOrder(service, asked)).rejects.toMatchObject({ code: 'service_nonsense' });
  });

  it('is listed by filters, within the limits of a page', async () => {
    const page = { data: [], total: 0, page: 2, limit: 1_000, hasMore: false };
    const { service, heard } = await talkingService([json(page)]);
    const filter = {
      userAddress: OWNER,
      chainId: [1, 31337],
      status: ['ACTIVE', 'PENDING'],
      page: 2,
      limit: 1_000,
    } as const;
    await intentOrders(service, { ...filter, chainId: [...filter.chainId], status: [...filter.status], type: 'LIMIT' });
    expect(heard[0]?.query).toEqual({
      userAddress: OWNER,
      chainId: '1,31337',
      status: 'ACTIVE,PENDING',
      page: '2',
      limit: '1000',
      type: 'LIMIT',
    });
    await expect(intentOrders(service, { userAddress: OWNER, limit: 1_001 })).rejects.toMatchObject({
      code: 'bad_ask',
    });
  });
});

describe('a cancellation', () => {
  const toSign = (orderIds: string[]) => ({ domain, types: ORDER_CANCELLATIONS_TYPES, value: { orderIds } });

  it('is built of the orders that were named, signed, and sent', async () => {
    const { service, heard } = await talkingService([json({ toSign: toSign(['a', 'b']) }), json({ cancelled: ['a'] })]);
    expect((await buildIntentCancellation(service, 31337, ['a', 'b'])).value).toEqual({ orderIds: ['a', 'b'] });
    expect(await cancelIntentOrders(service, ['a', 'b'], `0x${'12'.repeat(64)}1b`)).toEqual(['a']);
    expect(heard.map(({ path }) => path)).toEqual(['/v2/intent/orders/build/cancellation', '/v2/intent/orders/cancel']);
    expect(JSON.parse(heard[1]?.body ?? '').orderIds).toEqual(['a', 'b']);
  });

  it('may be answered with success alone', async () => {
    const { service } = await talkingService([json({ success: true })]);
    expect(await cancelIntentOrders(service, ['a'], `0x${'12'.repeat(64)}1b`)).toEqual(['a']);
  });

  it('of other orders than those is not signed', async () => {
    const other = { ...toSign(['a']), types: { OrderCancellations: [{ name: 'orderIds', type: 'bytes32[]' }] } };
    const { service } = await talkingService([json({ toSign: toSign(['a', 'c']) }), json({ toSign: other })]);
    await expect(buildIntentCancellation(service, 31337, ['a', 'b'])).rejects.toMatchObject({
      code: 'built_otherwise',
    });
    await expect(buildIntentCancellation(service, 31337, ['a'])).rejects.toMatchObject({
      code: expect.stringMatching(/built|typed/),
    });
  });

  it('for another chain than that of the orders is not signed', async () => {
    const { service } = await talkingService([json({ toSign: toSign(['a']) })]);
    await expect(buildIntentCancellation(service, 1, ['a'])).rejects.toThrow(/chainId is 31337/);
  });

  it('of 101 orders, or none, is not asked for', async () => {
    const { service, heard } = await talkingService([json({})]);
    const many = Array.from({ length: 101 }, (_, index) => `${index}`);
    await expect(buildIntentCancellation(service, 31337, many)).rejects.toThrow(/not of 101/);
    await expect(cancelIntentOrders(service, [], '0x')).rejects.toThrow(/not of 0/);
    expect(heard).toEqual([]);
  });
});
