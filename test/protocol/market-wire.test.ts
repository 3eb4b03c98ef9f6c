import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  transactionEnvelopeSchema,
  transactionsBodySchema,
  transactionsQuerySchema,
} from '../../electron/protocol/market-transaction.ts';
import { bestRouteSchema, pricesAnswerSchema, pricesQuerySchema } from '../../electron/protocol/market-wire.ts';
import '../../electron/protocol/plain-issues.ts';
import { type Asked, toQuery } from '../../electron/protocol/query-fields.ts';
import { NATIVE_TOKEN, tokenAddressSchema } from '../../electron/protocol/route-token.ts';
import { envelope, OWNER, priceRoute, USDC, WETH } from './wire-samples.ts';

const asked = { srcToken: WETH, destToken: 'USDC', amount: '1000' };
const messages = (result: { error?: { issues: { message: string }[] } }) => result.error?.issues.map((i) => i.message);

describe('a price route', () => {
  it('is given back as the very object that came', () => {
    const route = priceRoute();
    const text = JSON.stringify(route);
    const parsed = pricesAnswerSchema.parse({ priceRoute: route }).priceRoute;
    expect(parsed).toBe(route);
    expect(JSON.stringify(parsed)).toBe(text);
  });

  it.each([
    ['an amount is a number', { srcAmount: 1_000 }],
    ['an amount is a fraction', { destAmount: '1.5' }],
    ['an amount is negative', { destAmount: '-1' }],
    ['the integrity tag is missing', { hmac: undefined }],
    ['the router is no address', { contractAddress: '0x06' }],
    ['the chain is text', { network: '31337' }],
  ])('is refused when %s', (_what, change) => {
    const answer = pricesAnswerSchema.safeParse({ priceRoute: { ...priceRoute(), ...change } });
    expect(answer.error?.issues[0]?.path).toEqual(['priceRoute', Object.keys(change)[0]]);
  });

  it('may hold a path that nobody can read', () => {
    expect(pricesAnswerSchema.safeParse({ priceRoute: { ...priceRoute(), bestRoute: [{ new: 1 }] } }).success).toBe(
      true,
    );
    expect(bestRouteSchema.safeParse([{ new: 1 }]).success).toBe(false);
    expect(bestRouteSchema.parse(priceRoute().bestRoute)[0]?.percent).toBe(100);
  });
});

describe('the question for a price', () => {
  it('has the defaults of the protocol', () => {
    expect(pricesQuerySchema.parse(asked)).toMatchObject({
      side: 'SELL',
      network: 1,
      otherExchangePrices: false,
      excludeRFQ: false,
      partner: 'anon',
      version: '5',
      excludeContractMethodsWithoutFeeModel: false,
      ignoreBadUsdPrice: false,
    });
  });

  it('reads what its text was made of', () => {
    const ask = {
      ...asked,
      side: 'BUY',
      network: 31337,
      excludeRFQ: true,
      includeDEXS: ['Pool', 'RFQ'],
      maxImpact: 12.5,
      route: `${WETH}-${USDC}`,
      srcTokenTransferFee: 100,
      version: '6.2',
      srcDecimals: 18,
      destDecimals: undefined,
    } as const;
    expectTypeOf(ask).toExtend<{ [K in keyof Asked<typeof pricesQuerySchema>]?: unknown }>();
    expect(toQuery(ask)).toMatchObject({ network: '31337', excludeRFQ: 'true', includeDEXS: 'Pool,RFQ' });
    expect(toQuery(ask)).not.toHaveProperty('destDecimals');
    const { destDecimals: _, ...said } = ask;
    expect(pricesQuerySchema.parse(toQuery(ask))).toMatchObject(said);
  });

  it.each([
    [NATIVE_TOKEN, []],
    [NATIVE_TOKEN.toLowerCase(), ['Invalid srcToken']],
    [NATIVE_TOKEN.toUpperCase().replace('0X', '0x'), ['Invalid srcToken']],
    ['0x0', ['Invalid srcToken']],
    [`0x${'0'.repeat(40)}`, ['Invalid srcToken']],
    ['', ['Invalid srcToken']],
    ['ETH', []],
  ])('takes the native asset in its one spelling: %s', (srcToken, said) => {
    expect(messages(pricesQuerySchema.safeParse({ ...asked, srcToken })) ?? []).toEqual(said);
  });

  it.each([
    ['five tokens in a route', { route: 'A-B-C-D-E' }],
    ['an amount with a point', { amount: '1.0' }],
    ['a version that is none', { version: '6' }],
    ['a flag that is neither', { excludeRFQ: 'yes' }],
    ['a side that is none', { side: 'sell' }],
  ])('refuses %s', (_what, change) => {
    expect(pricesQuerySchema.safeParse({ ...asked, ...change }).success).toBe(false);
  });

  it('for an intent takes addresses only', () => {
    expect(messages(tokenAddressSchema('destToken').safeParse('USDC'))).toEqual(['Invalid destToken']);
  });
});

describe('the question for a transaction', () => {
  const body = () => ({
    priceRoute: priceRoute(),
    srcToken: WETH,
    destToken: USDC,
    userAddress: OWNER,
    srcAmount: '1',
  });

  it('has the defaults of the protocol', () => {
    expect(transactionsBodySchema.parse({ ...body(), slippage: 250 })).toMatchObject({
      isCapSurplus: true,
      takeSurplus: false,
      isSurplusToUser: false,
      isDirectFeeTransfer: false,
    });
    expect(transactionsQuerySchema.parse({ eip1559: 'true' })).toEqual({
      ignoreChecks: false,
      ignoreGasEstimate: false,
      onlyParams: false,
      eip1559: true,
    });
  });

  it.each([
    ['no amount at all', { srcAmount: undefined, slippage: 1 }, 'srcAmount or destAmount is required'],
    ['one amount and no slippage', {}, 'slippage is required when an amount is left out'],
    ['a slippage over 100 %', { slippage: 10_001 }, /at most 10000/],
    ['an amount that is a number', { srcAmount: 1, slippage: 1 }, /must be text/],
    ['a fee that is a number', { slippage: 1, partnerFeeBps: 200 }, /must be text/],
    ['a permit that is half a byte', { slippage: 1, permit: '0x1' }, /whole bytes/],
  ])('refuses %s', (_what, change, said) => {
    const [message] = messages(transactionsBodySchema.safeParse({ ...body(), ...change })) ?? [];
    expect(message).toMatch(said);
  });

  it('needs no slippage with both amounts', () => {
    expect(transactionsBodySchema.safeParse({ ...body(), destAmount: '2' }).success).toBe(true);
  });

  it('is answered with an envelope, whose gas may be missing', () => {
    const { gas: _, ...without } = envelope();
    expect(transactionEnvelopeSchema.parse({ ...without, more: 1 })).toEqual(without);
    expect(transactionEnvelopeSchema.safeParse({ ...envelope(), value: 0 }).success).toBe(false);
  });
});
