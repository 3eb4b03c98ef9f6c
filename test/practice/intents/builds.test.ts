import { encodeAbiParameters, maxUint256, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { typesOf } from '../../../electron/practice/intents/kinds/kind.ts';
import { kindNamed } from '../../../electron/practice/intents/kinds/kinds.ts';
import { type Address, ZERO_ADDRESS } from '../../../electron/protocol/address.ts';
import type { OnChainOrderType } from '../../../electron/protocol/intent-build.ts';
import { unpackPartnerAndFee } from '../../../electron/protocol/intent-order.ts';
import type { IntentRoute } from '../../../electron/protocol/intent-wire.ts';
import {
  eip2612TypedData,
  encodeEip2612,
  encodePermit2,
  type Permit,
  permit2TypedData,
} from '../../../electron/protocol/permit.ts';
import { typedDataHash } from '../../../electron/protocol/typed-data.ts';
import { submitIntentOrder } from '../../../electron/service/intent-orders.ts';
import { intentPrices, routesOf } from '../../../electron/service/intent-prices.ts';
import { FAR_CHAIN, FEE_OWNER, type IntentMarket, openIntentMarket, TREASURY } from './intent-market.ts';
import { ETHER, ORDERS, type OrderClient, openOrderClient, twap, twapBuy, type Wish } from './order-client.ts';

const PARTNER: Address = `0x${'9a'.repeat(20)}`;
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

describe('a build', () => {
  test('gives typed data of the plain order for the intent contract, and its hash', async () => {
    const deadline = market.now() + 600;
    const { toSign, orderHash } = await orders.build({
      deadline,
      beneficiary: FRIEND,
      nonce: '77',
      metadata: '0xabcd',
    });
    const { intents } = market.floor.addresses;
    expect(toSign).toEqual({
      domain: { name: 'Practice Intents', version: '2.0.0', chainId: 31337, verifyingContract: intents },
      types: typesOf(kindNamed('Order')),
      value: {
        owner,
        beneficiary: FRIEND,
        srcToken: market.token('WETH'),
        destToken: market.token('USDC'),
        srcAmount: `${ETHER}`,
        destAmount: `${(BigInt(orders.sold.destination.output.amount) * 9_900n) / 10_000n}`,
        expectedAmount: orders.sold.destination.output.amount,
        deadline: `${deadline}`,
        kind: 0,
        nonce: '77',
        partnerAndFee: '0',
        permit: '0x',
        metadata: '0xabcd',
        bridge: {
          protocolSelector: '0x00000000',
          destinationChainId: '0',
          outputToken: ZERO_ADDRESS,
          scalingFactor: 0,
          protocolData: '0x',
        },
      },
    });
    expect(orderHash).toBe(typedDataHash(toSign));
  });

  test('of what is bought fixes what comes and limits what goes', async () => {
    const { toSign } = await orders.build({ side: 'BUY' });
    const source = BigInt(orders.bought.origin.input.amount);
    expect(toSign.value).toMatchObject({
      kind: 1,
      destAmount: '3000000000',
      expectedAmount: `${source}`,
      srcAmount: `${(source * 10_100n + 9_999n) / 10_000n}`,
    });
  });

  test('takes slippage from 0 to 10000 bps, or the limit of a limit order instead', async () => {
    const amount = async (slippage: number) => (await orders.build({ slippage })).toSign.value.destAmount;
    expect([await amount(0), await amount(10_000)]).toEqual([orders.sold.destination.output.amount, '0']);
    for (const slippage of [10_001, -1, 0.5, '100']) expect((await orders.answerToBuild({ slippage }))[0]).toBe(400);
    const { toSign } = await orders.build({ slippage: undefined, limitAmount: '4000000000' });
    expect(toSign.value.destAmount).toBe('4000000000');
    const limited = await orders.build({ slippage: undefined, limitAmount: '5', side: 'BUY' });
    expect(limited.toSign.value).toMatchObject({ srcAmount: '5', destAmount: '3000000000' });
  });

  test('gives every order a nonce of its own', async () => {
    const nonces = new Set([(await orders.build()).toSign.value.nonce, (await orders.build()).toSign.value.nonce]);
    expect(nonces.size).toBe(2);
  });

  test.each<[OnChainOrderType, () => Wish, Record<string, unknown>]>([
    ['Order', () => ({}), { srcAmount: `${ETHER}` }],
    ['ExternalOrder', () => ({ handler: FRIEND, data: '0x1234' }), { handler: FRIEND, data: '0x1234' }],
    ['ProductiveOrder', () => ({ strategy: FRIEND }), { strategy: FRIEND, srcAmount: `${ETHER}` }],
    ['TWAPOrder', twap, { totalSrcAmount: `${3n * ETHER + 2n}`, interval: '60', numSlices: '3' }],
    ['TWAPBuyOrder', twapBuy, { totalDestAmount: '9000000001', maxSrcAmount: `${4n * ETHER}`, numSlices: '3' }],
  ])('of %s has its one outer type and the fields of its kind', async (orderType, wish, fields) => {
    const { toSign } = await orders.build({ ...wish(), orderType });
    expect(toSign.types).toEqual(typesOf(kindNamed(orderType)));
    expect(toSign.value).toMatchObject(fields);
    expect(Object.keys(toSign.value).sort()).toEqual(
      typesOf(kindNamed(orderType))
        [orderType]?.map(({ name }) => name)
        .sort(),
    );
  });

  test('of TWAP kinds counts amounts by the slice', async () => {
    const { toSign } = await orders.build(twap());
    const least = (BigInt(orders.sold.destination.output.amount) * 9_900n) / 10_000n;
    expect(toSign.value).toMatchObject({
      destAmount: `${least}`,
      expectedAmount: orders.sold.destination.output.amount,
    });
    expect((await orders.build(twapBuy())).toSign.value).toMatchObject({
      expectedAmount: orders.bought.origin.input.amount,
    });
  });

  test('of an order across chains goes over the route’s bridge', async () => {
    const across = await orders.route({ src: 'USDC', dest: 'WETH-', amount: '10000000000', destChainId: FAR_CHAIN });
    const { toSign } = await orders.build({ route: across });
    expect(toSign.value).toMatchObject({
      destToken: market.token('WETH'),
      bridge: { destinationChainId: `${FAR_CHAIN}`, outputToken: market.token('WETH-'), scalingFactor: 0 },
      destAmount: `${(BigInt(across.destination.output.amount) * 9_900n) / 10_000n}`,
    });
  });

  test('of an alternative that keeps part of what crosses asks for as much more', async () => {
    const price = await intentPrices(market.client, {
      chainId: 31337,
      destChainId: FAR_CHAIN,
      srcToken: market.token('WETH'),
      destToken: market.token('WETH-'),
      amount: `${ETHER}`,
      srcDecimals: 18,
      destDecimals: 18,
    });
    const [, taxed] = routesOf(price);
    const { toSign } = await orders.build({ route: taxed as IntentRoute, slippage: 0 });
    expect(toSign.value.destAmount).toBe(taxed?.origin.output?.amount);
    expect(toSign.value.bridge).toMatchObject({ protocolData: taxed?.bridge?.contractParams?.protocolData });
  });

  test('needs an owner, and a beneficiary is an address', async () => {
    expect(await orders.answerToBuild({ owner: undefined })).toEqual([400, expect.stringMatching(/^owner /)]);
    expect((await orders.answerToBuild({ beneficiary: 'me' }))[0]).toBe(400);
    expect((await orders.build()).toSign.value.beneficiary).toBe(owner);
  });

  test('without a deadline is refused; one that is no time is refused by name', async () => {
    expect(await orders.answerToBuild({ deadline: undefined })).toEqual([400, 'missing deadline']);
    expect(await orders.answerToBuild({ deadline: '1800000000' })).toEqual([400, expect.stringMatching(/^deadline /)]);
  });

  test('of a kind that there is not, or of a body that is no JSON, is refused', async () => {
    expect(await orders.answerToBuild({ orderType: 'TWAP' })).toEqual([400, expect.stringMatching(/^orderType /)]);
    expect(await orders.answer(`${ORDERS}/build`, '{')).toEqual([400, 'The body is not JSON.']);
    expect((await orders.answer(`${ORDERS}/build`, '[]'))[0]).toBe(400);
  });
});

describe('a route', () => {
  const failed = [400, 'route validation failed'];

  test('with its keys in another order is the same; changed by one character it is none', async () => {
    const turned = Object.fromEntries(Object.entries(orders.sold).reverse());
    expect((await orders.answerToBuild({ route: turned }))[0]).toBe(200);
    const written = JSON.stringify(orders.sold);
    for (const [from, to] of [
      [orders.sold.destination.output.amount, `${BigInt(orders.sold.destination.output.amount) + 1n}`],
      [`${ETHER}`, `${ETHER + 1n}`],
      [market.token('USDC'), market.token('DAI')],
      ['"bridge":null', '"bridge":{}'],
      [`"hmac":"${(orders.sold as unknown as { hmac: string }).hmac.slice(0, 4)}`, '"hmac":"0000'],
      ['"amountUSD":"', '"amountUSD":"1'],
    ] as const) {
      const changed = written.replaceAll(from, to);
      expect(changed).not.toBe(written);
      expect(await orders.answerToBuild({ route: JSON.parse(changed) }), to).toEqual(failed);
    }
  });

  test('whose amounts were cast to numbers, that is text, not there, or of another service is refused', async () => {
    const cast = JSON.parse(JSON.stringify(orders.sold).replace(`"amount":"${ETHER}"`, `"amount":${ETHER}`));
    expect(await orders.answerToBuild({ route: cast })).toEqual(failed);
    const dollars = JSON.parse(JSON.stringify(orders.sold).replace(/"amountUSD":"([0-9.]+)"/, '"amountUSD":$1'));
    expect(await orders.answerToBuild({ route: dollars })).toEqual(failed);
    const { hmac: _, ...bare } = orders.sold as IntentRoute & { hmac: string };
    for (const given of [JSON.stringify(orders.sold), undefined, null, bare]) {
      expect(await orders.answerToBuild({ route: given })).toEqual(failed);
    }
  });

  test('is of the side that it was priced for', async () => {
    expect(await orders.answerToBuild({ side: 'BUY' })).toEqual(failed);
    expect(await orders.answerToBuild({ ...twapBuy(), route: orders.sold })).toEqual(failed);
  });
});

describe('a TWAP', () => {
  test.each([
    ['interval', undefined],
    ['interval', 59],
    ['interval', 'often'],
    ['numSlices', undefined],
    ['numSlices', 1],
    ['totalSrcAmount', undefined],
    ['totalSrcAmount', 3],
  ])('that sells with %s %s is refused with InvalidTWAPParams', async (field, value) => {
    expect(await orders.answerToBuild({ ...twap(), [field]: value })).toEqual([400, 'InvalidTWAPParams']);
  });

  test.each([
    ['interval', undefined],
    ['interval', 59],
    ['numSlices', undefined],
    ['numSlices', 1],
    ['totalDestAmount', undefined],
    ['maxSrcAmount', undefined],
    ['maxSrcAmount', '-1'],
  ])('that buys with %s %s is refused with InvalidTWAPBuyParams', async (field, value) => {
    const wish = { ...twapBuy(), route: orders.bought, [field]: value };
    expect(await orders.answerToBuild(wish)).toEqual([400, 'InvalidTWAPBuyParams']);
  });

  test('has the floor of a slice as its route’s amount, and the remainder remains', async () => {
    for (const rest of [0n, 2n]) await orders.build(twap({ totalSrcAmount: `${3n * ETHER + rest}` }));
    for (const total of [3n * ETHER - 1n, 3n * ETHER + 3n, 0n]) {
      expect(await orders.answerToBuild(twap({ totalSrcAmount: `${total}` }))).toEqual([400, 'InvalidTWAPSrcAmount']);
    }
    for (const totalDestAmount of ['8999999999', '9000000003']) {
      const wish = { ...twapBuy({ totalDestAmount }), route: orders.bought };
      expect(await orders.answerToBuild(wish)).toEqual([400, 'InvalidTWAPBuyDestAmount']);
    }
  });
});

describe('an external order', () => {
  test('without handler or data is refused with InvalidExternalOrderParams', async () => {
    const wish = { orderType: 'ExternalOrder', handler: FRIEND, data: '0x' };
    expect((await orders.answerToBuild(wish))[0]).toBe(200);
    for (const changes of [{ handler: undefined }, { data: undefined }, { handler: '0x12' }, { data: 'abc' }]) {
      expect(await orders.answerToBuild({ ...wish, ...changes })).toEqual([400, 'InvalidExternalOrderParams']);
    }
  });

  test('ends on its own chain with a token', async () => {
    const wish = { orderType: 'ExternalOrder', handler: FRIEND, data: '0x' };
    const across = await orders.route({ src: 'WETH', dest: 'WETH-', destChainId: FAR_CHAIN });
    for (const given of [across, await orders.route({ dest: 'ETH' })]) {
      expect(await orders.answerToBuild({ ...wish, route: given })).toEqual([400, expect.stringMatching(/handler/)]);
    }
  });
});

test('a productive order without strategy is refused with InvalidProductiveOrderParams', async () => {
  for (const strategy of [undefined, 'savings']) {
    expect(await orders.answerToBuild({ orderType: 'ProductiveOrder', strategy })).toEqual([
      ...[400, 'InvalidProductiveOrderParams'],
    ]);
  }
});

describe('a partner', () => {
  const fee = async (changes: Wish) => {
    const { toSign } = await orders.build({ partner: 'free', ...changes });
    return unpackPartnerAndFee(BigInt(String(toSign.value.partnerAndFee)));
  };
  const refused = [422, 'Partner not allowed'];

  test('is encoded with their fee: registered and asked for together', async () => {
    expect(await fee({})).toEqual({ partner: ZERO_ADDRESS, flags: 0, feeBps: 0 });
    expect(await fee({ partner: 'dear' })).toEqual({ partner: FEE_OWNER, flags: 0, feeBps: 50 });
    expect(await fee({ partner: undefined })).toEqual({ partner: TREASURY, flags: 0, feeBps: 1 });
    const asked = { partner: 'dear', partnerAddress: PARTNER, partnerFeeBps: 150 };
    expect(await fee(asked)).toEqual({ partner: PARTNER, flags: 0, feeBps: 200 });
    expect(await orders.answerToBuild({ ...asked, partnerFeeBps: 151 })).toEqual(refused);
  });

  test('may take the surplus, capped unless told, if that was agreed; parts are filled on demand', async () => {
    const takes = { partnerAddress: PARTNER, partnerTakesSurplus: true };
    expect(await fee(takes)).toEqual({ partner: PARTNER, flags: 3, feeBps: 0 });
    expect((await fee({ ...takes, capSurplus: false })).flags).toBe(1);
    expect((await fee({ partiallyFillable: true })).flags).toBe(4);
    expect(await orders.answerToBuild({ ...takes, partner: 'tight' })).toEqual(refused);
    expect(await orders.answerToBuild({ partnerTakesSurplus: true })).toEqual(refused);
  });

  test('that is nobody, or asks for more than was agreed or than there is, is refused', async () => {
    expect(await orders.answerToBuild({ partnerFeeBps: 10 })).toEqual(refused);
    expect(await orders.answerToBuild({ partner: 'tight', partnerAddress: PARTNER, partnerFeeBps: 1 })).toEqual(
      refused,
    );
    expect((await orders.answerToBuild({ partnerAddress: PARTNER, partnerFeeBps: 201 }))[0]).toBe(400);
    expect((await orders.answerToBuild({ partnerAddress: PARTNER, partnerFeeBps: '20' }))[0]).toBe(400);
  });
});

describe('a permit', () => {
  const asked = (changes: Partial<Permit> = {}): Permit => ({
    chainId: 31337,
    token: market.token('WETH'),
    owner,
    spender: market.floor.addresses.intents,
    amount: ETHER,
    nonce: 0n,
    deadline: BigInt(market.now() + 600),
    ...changes,
  });
  const eip2612 = async (changes: Partial<Permit> = {}) => {
    const permit = asked(changes);
    const domain = { name: 'Wrapped Ether', version: '1' };
    return encodeEip2612(permit, await market.signLong(eip2612TypedData(domain, permit)));
  };
  const permit2 = async (changes: Partial<Permit> = {}) => {
    const permit = asked(changes);
    return encodePermit2(permit, await market.signLong(permit2TypedData(market.floor.permit2, permit)));
  };

  test('is what some tokens require: without one they are not built', async () => {
    market.permitOnly.add(market.token('WETH'));
    try {
      expect(await orders.answerToBuild()).toEqual([400, 'Permit / Permit2 required']);
      expect(await orders.answerToBuild({ permit: '0x' })).toEqual([400, 'Permit / Permit2 required']);
      expect(await orders.answerToBuild(twap())).toEqual([400, 'Permit / Permit2 required']);
      const permit = await eip2612();
      expect((await orders.build({ permit })).toSign.value.permit).toBe(permit);
    } finally {
      market.permitOnly.clear();
    }
  });

  test('of either kind goes into the order that is signed', async () => {
    for (const permit of [await eip2612(), await permit2()]) {
      expect((await orders.build({ permit })).toSign.value.permit).toBe(permit);
    }
  });

  test('is none for limit and TWAP orders: they settle after it is over', async () => {
    const permit = await eip2612();
    const later = [400, 'Limit and TWAP orders need an approval, not a permit'];
    expect(await orders.answerToBuild({ permit, limitAmount: '4000000000' })).toEqual(later);
    expect(await orders.answerToBuild({ permit, ...twap() })).toEqual(later);
    expect(await orders.answerToBuild({ permit, ...twapBuy(), route: orders.bought })).toEqual(later);
  });

  test.each([
    ['owner', { owner: PARTNER }],
    ['spender', { spender: PARTNER }],
    ['amount', { amount: ETHER - 1n }],
    ['deadline', { deadline: 1n }],
  ] as [string, Partial<Permit>][])('with another %s than the order’s is refused', async (what, changes) => {
    for (const permit of [await eip2612(changes), await permit2(changes)]) {
      expect(await orders.answerToBuild({ permit })).toEqual([400, `Invalid permit: ${what}`]);
    }
  });

  test('of Permit2 is for as much as it permits, whatever it says is requested', async () => {
    const words: string[] = (await permit2()).slice(2).match(/.{64}/g) ?? [];
    // The token, the amount, the nonce, the deadline, the receiver, what is requested.
    for (const index of [1, 5]) {
      const less = words.with(index, (ETHER - 1n).toString(16).padStart(64, '0'));
      expect(await orders.answerToBuild({ permit: `0x${less.join('')}` })).toEqual([
        ...[400, 'Invalid permit: amount'],
      ]);
    }
  });

  test('of Permit2 is for the token that is sold, and bytes that are no permit are refused', async () => {
    const other = await permit2({ token: market.token('DAI') });
    expect(await orders.answerToBuild({ permit: other })).toEqual([400, 'Invalid permit: token']);
    const long = encodeAbiParameters(parseAbiParameters('bytes'), [`0x${'ab'.repeat(300)}`]);
    for (const permit of ['0x1234', long]) {
      expect(await orders.answerToBuild({ permit })).toEqual([400, 'Invalid permit: form']);
    }
  });

  test('stands for the approval when the order is submitted; one of Permit2 needs an approval there', async () => {
    const { floor } = market;
    const approve = (spender: Address, amount: bigint) =>
      floor.call(floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [spender, amount]);
    await approve(floor.addresses.intents, 0n);
    try {
      expect((await orders.submit({ permit: await eip2612() })).status).toBe('PENDING');
      const given = await orders.signed({ permit: await permit2({ nonce: 5n }) });
      expect(await orders.answer(ORDERS, given)).toEqual([400, 'InsufficientAllowance']);
      await approve(floor.permit2, ETHER);
      expect((await submitIntentOrder(market.client, given)).status).toBe('PENDING');
    } finally {
      await approve(floor.addresses.intents, maxUint256);
    }
  });
});

test('nothing of all this was an error of the service itself', () => {
  expect(market.lines.filter((line) => line.startsWith('!'))).toEqual([]);
});
