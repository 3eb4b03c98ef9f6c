import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE } from '../chain/settlement-calls.ts';
import { type OrdersOnChain, openOrdersOnChain, signedBody } from './orders-on-chain.ts';

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

const HERE = '/ft/p2p/31337';
const hash = `0x${'ab'.repeat(32)}`;
const account = `0x${'cd'.repeat(20)}`;

async function stored(): Promise<number> {
  let all = 0;
  for (const surface of ['p2p', 'orders']) {
    const { body } = await orders.get(`/ft/${surface}/31337/maker/${chain.accounts.maker.address}`);
    all += (body as { total: number }).total;
  }
  return all;
}

async function goodBody(changes: Parameters<typeof newOrder>[1] = {}) {
  return signedBody(chain, await newOrder(chain, { nonceAndMeta: (999n << 160n) + 7n, ...changes }));
}

async function expectRefusal(path: string, body: unknown, errorType: string, says: string | RegExp, status = 400) {
  const answer = await orders.postBody(path, body);
  expect(answer).toEqual({ status, body: { errorType, details: expect.any(String) } });
  expect((answer.body as { details: string }).details).toMatch(says);
  expect(await stored()).toBe(0);
}

describe('a posted order', () => {
  it.each<[string, object, string]>([
    ['a makerAmount as a number', { makerAmount: 1 }, 'makerAmount'],
    ['a takerAmount with a point', { takerAmount: '1.0' }, 'takerAmount'],
    ['a makerAmount of zero', { makerAmount: '0' }, 'makerAmount must be above zero'],
    ['a takerAmount in hex', { takerAmount: '0x10' }, 'takerAmount'],
    ['an amount of 2^256', { makerAmount: `${2n ** 256n}` }, 'makerAmount'],
    ['an expiry as text', { expiry: '1' }, 'expiry'],
    ['an expiry below zero', { expiry: -1 }, 'expiry'],
    ['a nonce as a number', { nonceAndMeta: 1 }, 'nonceAndMeta'],
    ['a maker of 39 digits', { maker: `0x${'1'.repeat(39)}` }, 'maker must be 0x followed by 40 hex characters'],
    ['a makerAsset of 41 digits', { makerAsset: `0x${'1'.repeat(41)}` }, 'makerAsset'],
    ['no taker', { taker: undefined }, 'taker'],
    ['a signature of half a byte', { signature: '0x123' }, 'signature'],
    ['a signature without 0x', { signature: 'ab'.repeat(65) }, 'signature'],
    ['no signature', { signature: undefined }, 'signature'],
    ['a permit', { permitMakerAsset: '0x12' }, 'permitMakerAsset must be null'],
  ])('with %s is refused, and nothing is stored', async (_what, change, says) => {
    const body = { ...(await goodBody()), ...change };
    await expectRefusal(HERE, body, 'InvalidInput', says);
    await expectRefusal(HERE, { order: body }, 'InvalidInput', says);
    await expectRefusal('/ft/orders/31337', body, 'InvalidInput', says);
  });

  it.each([
    ['no JSON', '{'],
    ['empty', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"order"'],
    ['an order of null', '{"order":null}'],
  ])('whose body is %s is refused', (_what, body) => expectRefusal(HERE, body, 'InvalidInput', /./));

  it('with a body beyond all measure is refused', () =>
    expectRefusal(HERE, JSON.stringify({ signature: `0x${'00'.repeat(20_000)}` }), 'InvalidInput', '16384 bytes', 413));

  it('that has expired is refused', async () => {
    const expiry = BigInt(Math.floor(Date.now() / 1000) - 2);
    await expectRefusal(HERE, await goodBody({ expiry }), 'InvalidInput', 'it has expired');
  });

  it('under the path of the other kind is refused, and names its own', async () => {
    await expectRefusal('/ft/orders/31337', await goodBody(), 'InvalidInput', 'such orders are posted to /ft/p2p');
    const open = await goodBody({ nonceAndMeta: 999n << 160n });
    await expectRefusal(HERE, open, 'InvalidInput', 'such orders are posted to /ft/orders');
  });

  it('with somebody else’s signature, one of 64 odd bytes, or one for other amounts is refused', async () => {
    const body = await goodBody();
    const order = await newOrder(chain);
    const foreign = await chain.sign(order, chain.accounts.other);
    for (const bad of [foreign, `0x${'11'.repeat(64)}`, `0x${'00'.repeat(65)}`, '0x12', `${body.signature}00`]) {
      await expectRefusal(HERE, { ...body, signature: bad }, 'InvalidSignature', "not the maker's");
    }
    await expectRefusal(HERE, { ...body, takerAmount: '5' }, 'InvalidSignature', "not the maker's");
    await expectRefusal(HERE, { ...body, maker: chain.contractMaker }, 'InvalidSignature', "not the maker's");
    await expectRefusal(HERE, { ...body, maker: chain.weth }, 'InvalidSignature', "not the maker's");
  });

  it('signed in a form that the contract does not take is refused', async () => {
    const body = await goodBody();
    const parity = Number.parseInt(body.signature.slice(-2), 16) - 27;
    await expectRefusal(
      HERE,
      { ...body, signature: `${body.signature.slice(0, -2)}0${parity}` },
      'InvalidSignature',
      /./,
    );
    const s = BigInt(`0x${body.signature.slice(66, 130)}`);
    const twin = (0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - s)
      .toString(16)
      .padStart(64, '0');
    const signature = `${body.signature.slice(0, 66)}${twin}${parity === 0 ? '1c' : '1b'}`;
    await expectRefusal(HERE, { ...body, signature }, 'InvalidSignature', /./);
  });

  it('of a chain that is not served, or of none, is refused', async () => {
    await expectRefusal('/ft/p2p/1', await goodBody(), 'UnsupportedChain', 'chain 1 ');
    await expectRefusal('/ft/p2p/mainnet', await goodBody(), 'InvalidInput', 'chainId');
    await expectRefusal('/ft/p2p/0x7a69', await goodBody(), 'InvalidInput', 'chainId');
  });
});

describe('a path', () => {
  it.each([
    [`/ft/order/${hash}`, 404, 'NotFound'],
    ['/ft/order/0x12', 400, 'InvalidInput'],
    ['/ft/order/latest', 400, 'InvalidInput'],
    [`/ft/p2p/1/maker/${account}`, 400, 'UnsupportedChain'],
    ['/ft/p2p/31337/maker/0x12', 400, 'InvalidInput'],
    ['/ft/orders/31337/taker/vitalik', 400, 'InvalidInput'],
    [`/ft/fillablebalance/1/${account}`, 400, 'UnsupportedChain'],
    ['/ft/fillablebalance/31337/0x', 400, 'InvalidInput'],
    [`/ft/fillablebalance/31337/${account}/WETH`, 400, 'InvalidInput'],
    ...['limit=0', 'limit=1001', 'limit=-1', 'limit=x', 'limit=1e2', 'offset=-1', 'offset=1.5', 'orderBy=price'].map(
      (query) => [`/ft/p2p/31337/maker/${account}?${query}`, 400, 'InvalidInput'] as const,
    ),
    [`/ft/p2p/31337/taker/${account}?type=OTC`, 400, 'InvalidInput'],
    [`/ft/p2p/31337/taker/${account}?hideSmallBalances=1`, 400, 'InvalidInput'],
    ['/ft/p2p/31337', 405, 'InvalidInput'],
  ] as const)('%s is answered with %i and %s', async (path, status, errorType) => {
    expect(await orders.get(path)).toEqual({ status, body: { errorType, details: expect.any(String) } });
  });

  it('is answered for its own method only', async () => {
    for (const path of [
      `/ft/order/${hash}`,
      `/ft/p2p/31337/maker/${account}`,
      `/ft/fillablebalance/31337/${account}`,
    ]) {
      expect(await orders.postBody(path, {})).toMatchObject({ status: 405, body: { errorType: 'InvalidInput' } });
    }
  });

  it('of somebody else is left to them', async () => {
    for (const path of ['/', '/prices', '/ft', '/ft/order', `/ft/order/${hash}/`, `/FT/order/${hash}`, '/ft/p2p']) {
      const request = { method: 'GET', path, query: new URLSearchParams(), body: '' };
      expect(await orders.service.route(request)).toBeNull();
    }
  });
});

describe('an order posted twice', () => {
  it('is one order, whatever its casing and form', async () => {
    const body = await goodBody();
    const first = await orders.postBody(HERE, body);
    expect(first).toMatchObject({ status: 200, body: { makerAmount: `${ONE}` } });
    const upper = {
      ...body,
      maker: `0x${body.maker.slice(2).toUpperCase()}`,
      signature: `0x${body.signature.slice(2).toUpperCase()}`,
    };
    expect(await orders.postBody(HERE, { order: upper, more: 1 })).toEqual(first);
    expect(await stored()).toBe(1);
  });
});
