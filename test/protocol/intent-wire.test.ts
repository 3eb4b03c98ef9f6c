import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import {
  cancelAnswerSchema,
  intentBuildBodySchema,
  intentSubmitBodySchema,
} from '../../electron/protocol/intent-build.ts';
import {
  INTENT_DOMAIN_VERSION,
  INTENT_ORDER_TYPES,
  ORDER_CANCELLATIONS_TYPES,
  packPartnerAndFee,
  unpackPartnerAndFee,
} from '../../electron/protocol/intent-order.ts';
import {
  CANCELLABLE_STATUSES,
  ENDED_STATUSES,
  intentListQuerySchema,
  intentListSchema,
  intentOrderRecordSchema,
  intentStatusSchema,
} from '../../electron/protocol/intent-order-record.ts';
import {
  bridgeRoutesSchema,
  intentNames,
  intentPriceSchema,
  intentPricesQuerySchema,
  quoteAnswerSchema,
  quoteQuerySchema,
} from '../../electron/protocol/intent-wire.ts';
import { primaryTypeOf, typedDataHash, typedDataSchema } from '../../electron/protocol/typed-data.ts';
import { INTENT, intentPrice, intentRoute, OWNER, orderRecord, priceRoute, USDC, WETH } from './wire-samples.ts';

const ask = { chainId: '1', srcToken: WETH, destToken: USDC, amount: '1', srcDecimals: '18', destDecimals: '6' };

describe('an intent price', () => {
  it('gives its route back as the very object that came', () => {
    const price = intentPrice(31338);
    expect(intentPriceSchema.parse(price).route).toBe(price.route);
  });

  it('needs neither a spender nor alternatives, and takes amounts as text only', () => {
    expect(intentPriceSchema.parse({ route: intentRoute() })).toMatchObject({ alternatives: [] });
    const route = intentRoute();
    Object.assign(route.origin.input, { amount: 1 });
    expect(intentPriceSchema.safeParse({ route }).error?.issues[0]?.path).toEqual([
      'route',
      'origin',
      'input',
      'amount',
    ]);
  });

  it('is asked for with the fields of the combined quote, whose own fee ends at 2 %', () => {
    expect(quoteQuerySchema.parse(ask)).toMatchObject({ mode: 'ALL', side: 'SELL', partner: 'anon', chainId: 1 });
    expect(quoteQuerySchema.safeParse({ ...ask, partnerFeeBps: '201' }).success).toBe(false);
    expect(quoteQuerySchema.safeParse({ ...ask, srcToken: 'WETH' }).success).toBe(false);
    expect(intentPricesQuerySchema.parse({ ...ask, includeBridges: 'A,B' }).includeBridges).toEqual(['A', 'B']);
  });

  it('comes in a combined quote beside the market, or not at all, with the reason', () => {
    expect(quoteAnswerSchema.parse({ intent: intentPrice(), market: priceRoute() }).fallbackReason).toBeUndefined();
    const fallback = { market: priceRoute(), fallbackReason: { errorType: 'NoRoute', details: 'x', more: 1 } };
    expect(quoteAnswerSchema.parse(fallback).fallbackReason?.errorType).toBe('NoRoute');
    expect(intentNames('delta')).toEqual({ segment: 'delta', mode: 'DELTA', block: 'delta' });
  });

  it('of another chain has lanes, whose tokens are addresses or hold one', () => {
    const tokens = [WETH, { address: USDC, symbol: 'USDC' }];
    const { routes } = bridgeRoutesSchema.parse({ routes: [{ srcChainId: 1, destChainId: 2, tokens }] });
    expect(routes[0]?.tokens).toEqual([WETH, USDC]);
  });
});

describe('an intent order', () => {
  it('is built from a route verbatim, and its amounts are text', () => {
    const body = { route: intentRoute(), owner: OWNER, deadline: 1_800_000_000 };
    expect(intentBuildBodySchema.parse(body).route).toBe(body.route);
    expect(intentBuildBodySchema.parse(body).orderType).toBe('Order');
    for (const change of [
      { totalSrcAmount: 5 },
      { slippage: 10_001 },
      { deadline: undefined },
      { orderType: 'TWAP' },
    ]) {
      expect(intentBuildBodySchema.safeParse({ ...body, ...change }).success).toBe(false);
    }
    expect(intentSubmitBodySchema.parse({ chainId: 1, order: {}, signature: '0xab' }).type).toBe('MARKET');
  });

  it('has a status of the protocol, and is read with one that nobody knows', () => {
    expect(intentOrderRecordSchema.parse(orderRecord('THAWING')).status).toBe('THAWING');
    expect(intentOrderRecordSchema.parse({ id: '1', status: 'PENDING' })).toEqual({ id: '1', status: 'PENDING' });
    expect(intentOrderRecordSchema.safeParse({ ...orderRecord(), refunds: [{ tx: '0x', amount: 5 }] }).success).toBe(
      false,
    );
    expect(intentStatusSchema.options).toHaveLength(12);
    const both = intentStatusSchema.options.filter(
      (status) => CANCELLABLE_STATUSES.has(status) && ENDED_STATUSES.has(status),
    );
    expect(both).toEqual([]);
  });

  it('is listed by the filters of the protocol', () => {
    const query = { userAddress: OWNER, chainId: '1,31337', status: 'ACTIVE,PENDING', page: '2' };
    expect(intentListQuerySchema.parse(query)).toMatchObject({
      chainId: [1, 31337],
      status: ['ACTIVE', 'PENDING'],
      page: 2,
      limit: 100,
    });
    for (const change of [{ limit: '0' }, { limit: '1001' }, { page: '0' }, { status: 'GONE' }, { type: 'P2P' }]) {
      expect(intentListQuerySchema.safeParse({ ...query, ...change }).success).toBe(false);
    }
    const page = { data: [orderRecord()], total: 1, page: 1, limit: 100, hasMore: false };
    expect(intentListSchema.parse(page).data[0]?.id).toBe(orderRecord().id);
  });

  it('is cancelled by either of two answers', () => {
    expect(cancelAnswerSchema.safeParse({ cancelled: ['1'] }).success).toBe(true);
    expect(cancelAnswerSchema.safeParse({ success: true }).success).toBe(true);
    expect(cancelAnswerSchema.safeParse({ success: false }).success).toBe(false);
  });
});

const domain = { name: 'Practice Intent', version: INTENT_DOMAIN_VERSION, chainId: 31337, verifyingContract: INTENT };
const plain = { ...domain, verifyingContract: INTENT.toLowerCase() as Address };

describe('typed data', () => {
  const orderOf = (spell: (address: string) => string) => ({
    owner: spell(OWNER),
    beneficiary: spell(OWNER),
    srcToken: spell(WETH),
    destToken: spell(USDC),
    srcAmount: '1',
    destAmount: '2',
    expectedAmount: '3',
    deadline: '1800000000',
    kind: 0,
    nonce: '7',
    partnerAndFee: '1',
    permit: '0x',
    metadata: '0x',
    bridge: {
      protocolSelector: '0x00000000',
      destinationChainId: '0',
      outputToken: spell(USDC),
      scalingFactor: -12,
      protocolData: '0x',
    },
  });
  const value = orderOf((address) => address);

  it('is hashed as everybody hashes it, however its addresses are spelled, with the outer type found among its types', () => {
    const toSign = typedDataSchema.parse({ domain, types: INTENT_ORDER_TYPES, value });
    expect(toSign.value).toBe(value);
    expect(primaryTypeOf(toSign.types)).toBe('Order');
    const message = orderOf((address) => address.toLowerCase()) as never;
    expect(typedDataHash(toSign)).toBe(
      hashTypedData({ domain: plain, types: INTENT_ORDER_TYPES, primaryType: 'Order', message }),
    );
    const orderIds = ['a', 'b'];
    expect(typedDataHash({ domain, types: ORDER_CANCELLATIONS_TYPES, value: { orderIds } })).toBe(
      hashTypedData({
        domain: plain,
        types: ORDER_CANCELLATIONS_TYPES,
        primaryType: 'OrderCancellations',
        message: { orderIds },
      }),
    );
  });

  it.each([
    ['two outer types', { ...INTENT_ORDER_TYPES, Other: [{ name: 'a', type: 'uint8' }] }, value],
    ['types in a circle', { A: [{ name: 'b', type: 'B' }], B: [{ name: 'a', type: 'A[]' }] }, value],
    ['a type that nobody knows', { Order: [{ name: 'owner', type: 'Nothing' }] }, value],
    ['an amount that does not fit', INTENT_ORDER_TYPES, { ...value, srcAmount: (2n ** 256n).toString() }],
    ['an amount that is no number', INTENT_ORDER_TYPES, { ...value, srcAmount: 'much' }],
    ['a field missing', INTENT_ORDER_TYPES, { ...value, owner: undefined }],
  ])('with %s is refused in words', (_what, types, changed) => {
    expect(() => typedDataHash({ domain, types, value: changed })).toThrow(
      expect.objectContaining({ code: 'bad_typed_data' }),
    );
  });

  it("packs the partner, their flags and their fee, and refuses what would run into the neighbour's bits", () => {
    expect(packPartnerAndFee({ partner: OWNER, flags: 3, feeBps: 200 })).toBe((BigInt(OWNER) << 96n) + 0x3c8n);
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(bytes, fc.nat(255), fc.nat(200), (address, flags, feeBps) => {
        const fields = { partner: `0x${Buffer.from(address).toString('hex')}` as const, flags, feeBps };
        expect(unpackPartnerAndFee(packPartnerAndFee(fields))).toEqual(fields);
      }),
    );
    for (const wrong of [{ feeBps: 201 }, { feeBps: -1 }, { feeBps: 0.5 }, { flags: 256 }]) {
      expect(() => packPartnerAndFee({ partner: OWNER, flags: 0, feeBps: 0, ...wrong })).toThrow(/200 bps/);
    }
  });
});
