import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENT_DOMAIN_VERSION, INTENT_ORDER_TYPES, packPartnerAndFee } from '../../electron/protocol/intent-order.ts';
import { structHash, type ToSign, typedDataHash } from '../../electron/protocol/typed-data.ts';
import { checkBuiltOrder } from '../../electron/service/check-built-order.ts';
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
  expectedAmount: '3412000000',
  deadline: String(DEADLINE),
  kind: 0,
  nonce: '77',
  partnerAndFee: packPartnerAndFee({ partner: ROUTER, flags: 4, feeBps: 1 }).toString(),
  permit: '0x',
  metadata: '0x',
  bridge: NOWHERE,
  ...change,
});
const body = () => ({ side: 'SELL' as const, route: intentRoute(), owner: OWNER, deadline: DEADLINE, slippage: 100 });

/** The desk wants USDC, at this end of a crossing if there is one, and lists both tokens of the source chain. */
const agreed = (chainId: number, decimals = 6) => ({
  spender: INTENT,
  slippageBps: 100,
  dest: { chainId, address: USDC, decimals },
  listed: new Map([
    [WETH.toLowerCase(), 18],
    [USDC.toLowerCase(), 6],
  ]),
});

type Asked = Parameters<typeof buildIntentOrder>[1];
async function build(asked: Asked, toSign: Record<string, unknown>, wanted: { hash?: string; decimals?: number } = {}) {
  const { hash = hashOf(toSign), decimals } = wanted;
  const { service, heard } = await talkingService([json({ toSign, orderHash: hash })]);
  const { chainId } = (asked.route as ReturnType<typeof intentRoute>).destination.output.token;
  return { built: await buildIntentOrder(service, asked, agreed(chainId, decimals)), heard };
}
/** What an honest service calls the order; where it cannot be hashed, anything. */
function hashOf(toSign: unknown): string {
  try {
    return typedDataHash(toSign as ToSign);
  } catch {
    return `0x${'0f'.repeat(32)}`;
  }
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
    ['fee', { partnerAndFee: '101' }],
    ['partnerAndFee', { partnerAndFee: packPartnerAndFee({ partner: ROUTER, flags: 5, feeBps: 1 }).toString() }],
    ['expectedAmount', { expectedAmount: '3409658999', destAmount: '3375900000' }],
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
    await expect(build(body(), { ...plain(), types })).rejects.toThrow(/type is/);
    const ExternalOrder = INTENT_ORDER_TYPES.Order.filter(({ name }) => name !== 'deadline');
    const external = { ...plain(), types: { ExternalOrder, Bridge: INTENT_ORDER_TYPES.Bridge } };
    await expect(build({ ...body(), orderType: 'ExternalOrder' }, external)).rejects.toThrow(/deadline is missing/);
  });

  it('is not signed where the name of a field writes the type of another struct', async () => {
    const bridge =
      'Bridge bridge)Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor';
    const fields = INTENT_ORDER_TYPES.Order.slice(0, -2);
    const Order = [...fields, { name: `metadata,${bridge}`, type: 'bytes' }, { name: 'protocolData', type: 'bytes' }];
    const forged = { ...value(), [`metadata,${bridge}`]: '0x', protocolData: `0x${'11'.repeat(160)}` };
    await expect(build(body(), { domain, types: { Order }, value: forged })).rejects.toMatchObject({
      code: 'service_nonsense',
    });
    for (const types of [
      { 'Order(address owner)': Order.slice(0, 5) },
      { Order: [{ name: 'a', type: 'uint256 b,bytes' }] },
    ]) {
      await expect(build(body(), { domain, types, value: value() })).rejects.toMatchObject({
        code: 'service_nonsense',
      });
    }
  });

  it('is looked for on chain by its own hash, and by no other that the service calls it', async () => {
    const { built } = await build(body(), plain());
    await build(body(), plain(), { hash: structHash(built.toSign) });
    for (const hash of [`0x${'0f'.repeat(32)}`, `0x${OWNER.slice(2).padStart(64, '0')}`]) {
      await expect(build(body(), plain(), { hash })).rejects.toThrow(/orderHash is/);
    }
  });

  it('crosses nothing where it ends on its own chain', async () => {
    await build(body(), plain({ bridge: { ...NOWHERE, destinationChainId: '31337' } }));
    for (const change of [
      { outputToken: WETH },
      { scalingFactor: -100 },
      { protocolData: '0x01' },
      { protocolSelector: '0x01020304' },
    ]) {
      await expect(build(body(), plain({ bridge: { ...NOWHERE, ...change } }))).rejects.toThrow(/ends elsewhere/);
    }
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
    const types = { ExternalOrder: INTENT_ORDER_TYPES.Order.filter(({ name }) => name !== 'bridge') };
    const external = { ...crossing, orderType: 'ExternalOrder' as const };
    await expect(build(external, { ...plain({ bridge }), types })).rejects.toThrow(/bridge is missing/);
  });

  it('crosses as a token that the desk lists into the one that it wants, whatever the route of the service says', async () => {
    const honest = intentRoute(31338);
    const bridge = { ...honest.bridge?.contractParams, destinationChainId: '31338' };
    const junk = `0x${'99'.repeat(20)}`;
    const crossing = (route: object, order: object, decimals = 6) =>
      build({ ...body(), route: route as never }, plain({ bridge, ...order }), { decimals });
    const { origin, destination, ...rest } = honest;
    const entering = { ...origin, output: { ...origin.output, token: { ...origin.output.token, address: junk } } };
    await expect(crossing({ ...honest, origin: entering }, { destToken: junk })).rejects.toThrow(/not listed/);
    await expect(crossing({ ...rest, destination, origin: { input: origin.input } }, {})).rejects.toThrow(/not in it/);
    await expect(crossing({ ...honest, bridge: { protocol: 'Practice' } }, {})).rejects.toThrow(/not in it/);
    const params = (change: object) => ({ contractParams: { ...honest.bridge?.contractParams, ...change } });
    const arriving = { ...destination, input: { ...destination.input, token: { chainId: 31338, address: junk } } };
    const other = { ...honest, destination: arriving, bridge: params({ outputToken: junk }) };
    await expect(crossing(other, { bridge: { ...bridge, outputToken: junk } })).rejects.toThrow(/outputToken/);
    const scaled = { ...honest, bridge: params({ scalingFactor: 30 }) };
    const one = { bridge: { ...bridge, scalingFactor: 30 }, destAmount: '1' };
    await expect(crossing(scaled, one)).rejects.toThrow(/scalingFactor/);
    await expect(crossing(honest, {}, 18)).rejects.toThrow(/scalingFactor/);
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
    const { origin, ...rest } = intentRoute(31338);
    const output = { token: { chainId: 31337, address: WETH }, amount: '3412000000000000000000' };
    const route = { ...rest, origin: { ...origin, output }, bridge: { contractParams: params } } as never;
    const bridge = { ...params, destinationChainId: '31338' };
    const least = 3_375_900_000n * 10n ** 12n;
    const expectedAmount = '3412000000000000000000';
    const order = (destAmount: bigint) =>
      plain({ bridge, destToken: WETH, expectedAmount, destAmount: `${destAmount}` });
    await build({ ...body(), route }, order(least));
    await expect(build({ ...body(), route }, order(least - 1n))).rejects.toThrow(/destAmount/);
  });

  it('never gives less than the slippage allows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.bigInt(0n, 4_000_000_000n), (slippage, destAmount) => {
        const asked = { ...body(), orderType: 'Order', slippage } as never;
        const toSign = plain({ destAmount: destAmount.toString() }) as never;
        const orderHash = typedDataHash(toSign);
        const check = () => checkBuiltOrder({ toSign, orderHash }, asked, agreed(31337));
        if (destAmount * 10_000n > 3_410_000_000n * BigInt(10_000 - slippage) - 10_000n) expect(check).not.toThrow();
        else expect(check).toThrow(/destAmount/);
      }),
    );
  });
});
