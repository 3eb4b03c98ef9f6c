import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENT_DOMAIN_VERSION, INTENT_ORDER_TYPES, packPartnerAndFee } from '../../electron/protocol/intent-order.ts';
import { typedDataHash } from '../../electron/protocol/typed-data.ts';
import { checkBuiltOrder } from '../../electron/service/check-built.ts';
import { buildIntentOrder } from '../../electron/service/intent-orders.ts';
import { INTENT, intentRoute, OWNER, ROUTER, USDC, WETH } from '../protocol/wire-samples.ts';
import { json } from './http-answers.ts';
import { talkingService } from './talking-service.ts';

const DEADLINE = 1_800_000_000;
const NOWHERE = {
  protocolSelector: '0x00000000',
  destinationChainId: '0',
  outputToken: `0x${'0'.repeat(40)}`,
  scalingFactor: 0,
  protocolData: '0x',
};
const domain = { name: 'Practice Intent', version: INTENT_DOMAIN_VERSION, chainId: 31337, verifyingContract: INTENT };
const value = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  owner: OWNER,
  beneficiary: OWNER,
  srcToken: WETH,
  destToken: USDC,
  srcAmount: '1000000000000000000',
  destAmount: '3375900000',
  expectedAmount: '3410000000',
  deadline: String(DEADLINE),
  kind: 0,
  nonce: '77',
  partnerAndFee: packPartnerAndFee({ partner: ROUTER, flags: 1, feeBps: 1 }).toString(),
  permit: '0x',
  metadata: '0x',
  bridge: NOWHERE,
  ...change,
});
const body = () => ({ side: 'SELL' as const, route: intentRoute(), owner: OWNER, deadline: DEADLINE, slippage: 100 });

async function build(asked: Parameters<typeof buildIntentOrder>[1], toSign: Record<string, unknown>) {
  const orderHash = `0x${'0f'.repeat(32)}`;
  const { service, heard } = await talkingService([json({ toSign, orderHash })]);
  return { built: await buildIntentOrder(service, asked, INTENT), heard };
}
const plain = (change = {}) => ({ domain, types: INTENT_ORDER_TYPES, value: value(change) });

describe('what the service builds', () => {
  it('is given back to be signed as it came, and was asked for with the route as it came', async () => {
    const { built, heard } = await build(body(), plain());
    expect(built.toSign).toEqual(plain());
    expect(typedDataHash(built.toSign)).toMatch(/^0x/);
    expect(heard[0]).toMatchObject({ method: 'POST', path: '/v2/intent/orders/build' });
    expect(heard[0]?.body).toContain(JSON.stringify(intentRoute()));
  });

  it('is signed for its chain and its contract, whatever type of a domain it brings', () => {
    const types = { ...INTENT_ORDER_TYPES, EIP712Domain: [{ name: 'name', type: 'string' }] };
    expect(typedDataHash({ ...plain(), types })).toBe(typedDataHash(plain()));
    expect(typedDataHash({ ...plain(), domain: { ...domain, chainId: '31337' } })).toBe(typedDataHash(plain()));
  });

  it('may leave the receiver out where it is the owner', async () => {
    await build(body(), plain({ beneficiary: `0x${'0'.repeat(40)}` }));
    await expect(
      build({ ...body(), beneficiary: ROUTER }, plain({ beneficiary: `0x${'0'.repeat(40)}` })),
    ).rejects.toThrow(/beneficiary/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['owner', { owner: ROUTER }],
    ['beneficiary', { beneficiary: ROUTER }],
    ['srcToken', { srcToken: USDC }],
    ['destToken', { destToken: WETH }],
    ['srcAmount', { srcAmount: '1000000000000000001' }],
    ['destAmount', { destAmount: '3375899999' }],
    ['deadline', { deadline: String(DEADLINE + 1) }],
    ['kind', { kind: 1 }],
    ['permit', { permit: '0x12' }],
    ['fee', { partnerAndFee: '201' }],
    ['bridge', { bridge: { ...NOWHERE, destinationChainId: '1' } }],
  ])('is not signed with another %s', async (field, change) => {
    const refused = build(body(), plain(change));
    await expect(refused).rejects.toMatchObject({ code: 'built_otherwise', message: expect.stringContaining(field) });
  });

  it('is not signed for another chain, contract or kind', async () => {
    for (const change of [{ chainId: 1 }, { verifyingContract: ROUTER }]) {
      await expect(build(body(), { ...plain(), domain: { ...domain, ...change } })).rejects.toThrow(
        /chainId|verifyingContract/,
      );
    }
    await expect(build({ ...body(), orderType: 'ExternalOrder' }, plain())).rejects.toThrow(/type is Order/);
  });

  it('is not signed where a field is shown and not part of the type', async () => {
    const types = { ...INTENT_ORDER_TYPES, Order: INTENT_ORDER_TYPES.Order.filter(({ name }) => name !== 'deadline') };
    await expect(build(body(), { ...plain(), types })).rejects.toThrow(/deadline is missing/);
  });

  it('sells within the slippage or the limit, to the unit', async () => {
    await build({ ...body(), slippage: undefined, limitAmount: '3500000000' }, plain({ destAmount: '3500000000' }));
    const limit = build({ ...body(), limitAmount: '3500000001' }, plain({ destAmount: '3500000000' }));
    await expect(limit).rejects.toThrow(/at least 3500000001/);
  });

  it('buys the very amount, and pays no more than slippage or limit', async () => {
    const buy = { ...body(), side: 'BUY' as const };
    const bought = { destAmount: '3410000000', kind: 1 };
    await build(buy, plain({ ...bought, srcAmount: '1010000000000000000' }));
    await expect(build(buy, plain({ ...bought, srcAmount: '1010000000000000001' }))).rejects.toThrow(/srcAmount/);
    await expect(build(buy, plain({ ...bought, destAmount: '3409999999' }))).rejects.toThrow(/destAmount/);
  });

  it('is not even asked for where nothing bounds the other amount', async () => {
    await expect(build({ ...body(), slippage: undefined }, plain())).rejects.toMatchObject({ code: 'bad_ask' });
  });

  it('ends over the bridge of its route', async () => {
    const crossing = { ...body(), route: intentRoute(31338) };
    const { protocolData } = NOWHERE;
    const bridge = {
      protocolSelector: '0x01020304',
      destinationChainId: '31338',
      outputToken: USDC,
      scalingFactor: 0,
      protocolData,
    };
    await build(crossing, plain({ bridge }));
    for (const change of [
      { destinationChainId: '1' },
      { outputToken: WETH },
      { protocolSelector: '0x00000000' },
      { scalingFactor: 3 },
    ]) {
      await expect(build(crossing, plain({ bridge: { ...bridge, ...change } }))).rejects.toThrow(/ends elsewhere/);
    }
    await expect(build(crossing, plain())).rejects.toThrow(/ends elsewhere/);
    await expect(build(crossing, plain({ bridge, destToken: WETH }))).rejects.toThrow(/ends elsewhere/);
    const types = { Order: INTENT_ORDER_TYPES.Order.filter(({ name }) => name !== 'bridge') };
    await expect(build(crossing, { ...plain({ bridge }), types })).rejects.toThrow(/bridge is missing/);
  });

  it('of a sliced kind is held to what was asked wherever its type says it', async () => {
    const names = ['totalSrcAmount', 'destAmount', 'interval', 'numSlices', 'deadline'];
    const TWAPOrder = [
      ...['owner', 'beneficiary', 'srcToken', 'destToken'].map((name) => ({ name, type: 'address' })),
      ...names.map((name) => ({ name, type: 'uint256' })),
    ];
    const asked = { ...body(), orderType: 'TWAPOrder' as const, totalSrcAmount: '3000', interval: 60, numSlices: 3 };
    const sliced = { totalSrcAmount: '3000', interval: '60', numSlices: 3 };
    const twap = (change = {}) => ({ domain, types: { TWAPOrder }, value: value({ ...sliced, ...change }) });
    await build(asked, twap());
    const lessThanSlippage = { destAmount: '3375899999' };
    for (const change of [{ totalSrcAmount: '3001' }, { interval: '61' }, { numSlices: 4 }, lessThanSlippage]) {
      await expect(build(asked, twap(change))).rejects.toThrow(/built something else/);
    }
    const types = { TWAPOrder: TWAPOrder.filter(({ name }) => name !== 'totalSrcAmount') };
    await expect(build(asked, { ...twap(), types })).rejects.toThrow(/totalSrcAmount is missing/);
  });

  it('counts what goes into a bridge, whose two ends may differ in decimals', async () => {
    const params = { protocolSelector: '0x01020304', outputToken: USDC, scalingFactor: -12, protocolData: '0x' };
    const route = { ...intentRoute(31338), bridge: { contractParams: params } } as never;
    const bridge = { ...params, destinationChainId: '31338' };
    const least = 3_375_900_000n * 10n ** 12n;
    await build({ ...body(), route }, plain({ bridge, destAmount: `${least}` }));
    await expect(build({ ...body(), route }, plain({ bridge, destAmount: `${least - 1n}` }))).rejects.toThrow(
      /destAmount/,
    );
  });

  it('never gives less than the slippage allows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.bigInt(0n, 4_000_000_000n), (slippage, destAmount) => {
        const asked = { ...body(), orderType: 'Order', slippage } as never;
        const check = () => checkBuiltOrder(plain({ destAmount: destAmount.toString() }) as never, asked, INTENT);
        if (destAmount * 10_000n > 3_410_000_000n * BigInt(10_000 - slippage) - 10_000n) expect(check).not.toThrow();
        else expect(check).toThrow(/destAmount/);
      }),
    );
  });
});
