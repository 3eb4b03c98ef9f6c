import { toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SWAP_POOL, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { readAmount } from '../../../electron/practice/chain/read-amount.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import {
  eip2612TypedData,
  encodeEip2612,
  encodePermit2,
  type Permit,
  permit2TypedData,
} from '../../../electron/protocol/permit.ts';
import { NATIVE_TOKEN } from '../../../electron/protocol/route-token.ts';
import type { ToSign } from '../../../electron/protocol/typed-data.ts';
import { ordersIn } from './expected-swap.ts';
import { BLACKLISTED, type MarketFloor, openMarketFloor } from './market-floor.ts';

const ETHER = 10n ** 18n;
const SELL = { srcToken: 'WETH', destToken: 'USDC', amount: `${ETHER}` };
const BUY = { srcToken: 'WETH', destToken: 'USDC', amount: '3000000000', side: 'BUY' };
const POOL = { includeDEXS: 'PoolSwap' };
const PARTNER: Address = `0x${'9a'.repeat(20)}`;

let market: MarketFloor;
beforeAll(async () => {
  market = await openMarketFloor();
});
afterAll(() => market?.close());

/** Prices, and asks for a transaction; status and text of the answer. */
async function refusal(
  wish: Record<string, unknown>,
  query: Record<string, string> = { ...SELL, ...POOL },
  path = '/transactions/31337',
) {
  const route = await market.price(query);
  const { status, body } = await market.post(path, market.wish(route, wish));
  const { errorType, details } = body as { errorType?: string; details?: string };
  if (status !== 200) expect(typeof errorType).toBe('string');
  return [status, details];
}

test('the envelope goes from the user to the router, with calldata, gas price and gas', async () => {
  const route = await market.price(SELL);
  expect(await market.build(route)).toEqual({
    from: market.user.address,
    to: market.addresses.router,
    value: '0',
    data: expect.stringMatching(/^0x[0-9a-f]+$/),
    gasPrice: `${await market.floor.chain.client.getGasPrice()}`,
    gas: expect.stringMatching(/^[1-9]\d{5}$/),
    chainId: 31337,
  });
});

test('a native source is the transaction’s value and needs no approval', async () => {
  const { stranger } = market;
  const route = await market.price({ srcToken: NATIVE_TOKEN, destToken: 'USDC', amount: `${ETHER}` });
  const transaction = await market.build(route, { userAddress: stranger.address });
  expect([transaction.from, transaction.value]).toEqual([stranger.address, `${ETHER}`]);
  await market.send(transaction, stranger);
});

describe('the query', () => {
  test('gasPrice counts instead of the node’s', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    expect(await market.build(route, {}, '?gasPrice=7000000000')).toMatchObject({ gasPrice: '7000000000' });
  });

  test('eip1559 gives the two fees instead of gasPrice', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    const built = await market.build(route, {}, '?eip1559=true');
    expect(built).not.toHaveProperty('gasPrice');
    expect(BigInt(built.maxFeePerGas ?? 0)).toBeGreaterThanOrEqual(BigInt(built.maxPriorityFeePerGas ?? 0));
    expect(await market.build(route, {}, '?eip1559=true&gasPrice=5')).toMatchObject({
      maxFeePerGas: '5',
      maxPriorityFeePerGas: '5',
    });
  });

  test('ignoreChecks builds what would fail, without gas', async () => {
    const { stranger } = market;
    const changes = { userAddress: stranger.address };
    expect(await refusal(changes)).toEqual([400, `Not enough WETH allowance given to ${market.addresses.router}`]);
    const route = await market.price({ ...SELL, ...POOL });
    expect(await market.build(route, changes, '?ignoreChecks=true')).not.toHaveProperty('gas');
  });

  test('ignoreGasEstimate leaves gas out and still checks', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    expect(await market.build(route, {}, '?ignoreGasEstimate=true')).not.toHaveProperty('gas');
    const path = '/transactions/31337?ignoreGasEstimate=true';
    const nobody: Address = `0x${'ab'.repeat(20)}`;
    expect(await refusal({ userAddress: nobody }, undefined, path)).toEqual([400, 'Not enough WETH balance']);
    const native = { srcToken: NATIVE_TOKEN, destToken: 'WETH', amount: `${ETHER}` };
    expect(await refusal({ userAddress: nobody }, native, path)).toEqual([400, 'Not enough WNAT balance']);
  });

  test('onlyParams gives the router’s function and its arguments', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    const { status, body } = await market.post('/transactions/31337?onlyParams=true', market.wish(route));
    expect([status, body]).toEqual([
      200,
      {
        contractAddress: market.addresses.router,
        contractMethod: 'swapExactAmountInOnPool',
        params: [
          expect.objectContaining({ srcToken: route.srcToken, srcAmount: SELL.amount }),
          expect.objectContaining({ partnerFeeBps: 0 }),
          market.addresses.pools[0]?.address,
          '0x',
        ],
      },
    ]);
  });
});

describe('the price route', () => {
  test('goes with its own chain: another one of the path, or one that is not served, is refused', async () => {
    expect(await refusal({}, undefined, '/transactions/31338')).toEqual([400, 'Invalid priceRoute']);
    expect(await refusal({}, undefined, '/transactions/5')).toEqual([422, 'Unsupported chain']);
    expect((await market.post('/transactions/somewhere', {})).status).toBe(400);
  });

  test('changed by one character, or with amounts as numbers, or missing, is refused', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    const invalid = { status: 400, body: { errorType: 'InvalidPriceRoute', details: 'Invalid priceRoute' } };
    for (const changes of [
      { destAmount: `${BigInt(route.destAmount) + 1n}` },
      { destAmount: Number(route.destAmount) },
      { hmac: `${route.hmac.slice(0, -1)}${route.hmac.endsWith('0') ? '1' : '0'}` },
      { hmac: 'short' },
      { bestRoute: [] },
      { more: true },
    ]) {
      expect(await market.post('/transactions/31337', market.wish({ ...route, ...changes } as never))).toEqual(invalid);
    }
    expect(await market.post('/transactions/31337', { ...market.wish(route), priceRoute: undefined })).toEqual(invalid);
  });

  test('may have its keys in another order', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    await market.build(Object.fromEntries(Object.entries(route).reverse()) as never);
  });

  test('is stale after 30 seconds', async () => {
    onTestFinished(market.stopClock());
    const route = await market.price({ ...SELL, ...POOL });
    market.shiftClock(29_000);
    await market.build(route);
    market.shiftClock(2_000);
    expect(await market.post('/transactions/31337', market.wish(route))).toEqual({
      status: 400,
      body: { errorType: 'StalePriceRoute', details: 'Stale priceRoute' },
    });
  });
});

test('the tokens are those of the route, by address or symbol; the lower-case placeholder is refused', async () => {
  const route = await market.price({ ...SELL, ...POOL });
  await market.build(route, { srcToken: 'WETH', destToken: 'USDC' });
  await market.build(route, { srcToken: 'WETH', srcDecimals: 18, destDecimals: 6 });
  expect(await refusal({ srcToken: 'DAI' })).toEqual([400, 'Invalid srcToken']);
  expect(await refusal({ destToken: 'DAI' })).toEqual([400, 'Invalid destToken']);
  expect(await refusal({ srcToken: NATIVE_TOKEN.toLowerCase() })).toEqual([400, 'Invalid srcToken']);
  expect(await refusal({ destToken: '0x0' })).toEqual([400, 'Invalid destToken']);
  expect(await refusal({ srcDecimals: 6 })).toEqual([400, 'Invalid srcDecimals']);
  expect(await refusal({ destDecimals: 18 })).toEqual([400, 'Invalid destDecimals']);
});

test('userAddress is required and becomes the sender', async () => {
  expect(await refusal({ userAddress: undefined })).toEqual([400, expect.stringMatching(/^userAddress /)]);
});

describe('the amounts', () => {
  test('of a SELL: srcAmount is the route’s, destAmount or slippage says the least', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    const least = async (wish: object) => paramsOf(route, wish);
    expect(await least({ slippage: 250 })).toBe(`${(BigInt(route.destAmount) * 9_750n) / 10_000n}`);
    expect(await least({ slippage: undefined, destAmount: '5' })).toBe('5');
    expect(await refusal({ srcAmount: undefined, destAmount: '5' })).toEqual([400, 'srcAmount is required on SELL']);
    expect(await refusal({ srcAmount: '5' })).toEqual([400, 'srcAmount is not the route’s']);
    expect(await refusal({ slippage: undefined })).toEqual([400, expect.stringContaining('slippage is required')]);
  });

  test('of a BUY: destAmount is the route’s, srcAmount or slippage says the most', async () => {
    const route = await market.price({ ...BUY, ...POOL });
    const most = async (wish: object) => paramsOf(route, wish, 'srcAmount');
    expect(await most({ slippage: 250 })).toBe(`${(BigInt(route.srcAmount) * 10_250n + 9_999n) / 10_000n}`);
    expect(await most({ slippage: undefined, srcAmount: `${ETHER}` })).toBe(`${ETHER}`);
    const query = { ...BUY, ...POOL };
    expect(await refusal({ destAmount: undefined, srcAmount: '5' }, query)).toEqual([
      400,
      'destAmount is required on BUY',
    ]);
    expect(await refusal({ destAmount: '5' }, query)).toEqual([400, 'destAmount is not the route’s']);
  });

  test.each([[-1], [10_001], [1.5], ['100']])('slippage %s is refused', async (slippage) => {
    expect(await refusal({ slippage })).toEqual([400, expect.stringMatching(/^slippage /)]);
  });

  test('slippage of 0 and of 10000 bps are taken', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    expect(await paramsOf(route, { slippage: 0 })).toBe(route.destAmount);
    expect(await paramsOf(route, { slippage: 10_000 })).toBe('0');
  });

  async function paramsOf(route: Parameters<MarketFloor['wish']>[0], wish: object, name = 'destAmount') {
    const { body } = await market.post('/transactions/31337?onlyParams=true', market.wish(route, { ...wish }));
    return (body as { params: [Record<string, unknown>] }).params[0][name];
  }
});

describe('on chain', () => {
  test('slippage that is too tight reverts with INSUFFICIENT_OUTPUT, whichever end is fixed', async () => {
    const { stranger, addresses } = market;
    const sell = await market.price({ ...SELL, ...POOL });
    const buy = await market.price({ ...BUY, ...POOL });
    const built = [await market.build(sell, { slippage: 0 }), await market.build(buy, { slippage: 0 })];
    const pool = addresses.pools[0]?.address ?? '0x';
    await market.call(stranger, TEST_TOKEN, market.token('WETH'), 'transfer', [pool, ETHER]);
    await market.call(stranger, SWAP_POOL, pool, 'sync', []);
    for (const transaction of built) await expect(market.send(transaction)).rejects.toThrow('INSUFFICIENT_OUTPUT');
    expect(
      await refusal({ slippage: 0, srcAmount: sell.srcAmount, destAmount: `${BigInt(sell.destAmount) * 2n}` }),
    ).toEqual([400, 'The transaction would fail: INSUFFICIENT_OUTPUT']);
  });

  test('without an allowance, or with one for the legacy router, it reverts with TransferHelper: TRANSFER_FROM_FAILED', async () => {
    const { stranger, addresses } = market;
    const route = await market.price({ ...SELL, ...POOL });
    const transaction = await market.build(route, { userAddress: stranger.address }, '?ignoreChecks=true');
    await expect(market.send(transaction, stranger)).rejects.toThrow('TransferHelper: TRANSFER_FROM_FAILED');
    await market.call(stranger, TEST_TOKEN, market.token('WETH'), 'approve', [addresses.legacyRouter, ETHER]);
    await expect(market.send(transaction, stranger)).rejects.toThrow('TransferHelper: TRANSFER_FROM_FAILED');
    await market.call(stranger, TEST_TOKEN, market.token('WETH'), 'approve', [addresses.router, ETHER]);
    await market.send(transaction, stranger);
  });

  test('after the deadline it reverts, and a deadline that has passed is not built', async () => {
    const route = await market.price({ ...SELL, ...POOL });
    const deadline = Number(await market.floor.chain.now()) + 600;
    await market.build(route, { deadline });
    expect(await refusal({ deadline: deadline - 5_000 })).toEqual([
      400,
      'The transaction would fail: Transaction expired',
    ]);
    expect(await refusal({ deadline: 'soon' })).toEqual([400, expect.stringMatching(/^deadline /)]);
  });

  test('an order for one user is not filled for another', async () => {
    const { stranger, user } = market;
    const transaction = await market.build(await market.price(SELL));
    const [order] = ordersIn(transaction.data);
    expect([BigInt.asUintN(160, order?.nonceAndMeta ?? 0n), order?.taker.toLowerCase()]).toEqual([
      BigInt(user.address),
      market.addresses.router,
    ]);
    await market.call(stranger, TEST_TOKEN, market.token('WETH'), 'approve', [market.addresses.router, ETHER]);
    await expect(market.send(transaction, stranger)).rejects.toThrow(toFunctionSelector('UnauthorizedUser()'));
  });

  test('it is all or nothing: a second firm quote that cannot be filled leaves the first one open', async () => {
    const { floor, user, addresses } = market;
    const route = await market.price({ srcToken: 'LINK', destToken: 'DAI', amount: `${10n * ETHER}` });
    const transaction = await market.build(route);
    const { maker } = floor.chain.accounts;
    await maker.call(TEST_TOKEN, market.token('DAI'), 'approve', [floor.chain.rfqContract, 0n]);
    const before = await market.balance('LINK', user.address);
    await expect(market.send(transaction)).rejects.toThrow();
    expect(await market.balance('LINK', user.address)).toBe(before);
    expect(await market.balance('USDC', addresses.router)).toBe(0n);
    await maker.call(TEST_TOKEN, market.token('DAI'), 'approve', [floor.chain.rfqContract, 2n ** 256n - 1n]);
  });
});

describe('a permit', () => {
  const asked = async (symbol: string, nonce: bigint, amount: bigint): Promise<Permit> => ({
    chainId: 31337,
    token: market.token(symbol),
    owner: market.stranger.address,
    spender: market.addresses.router,
    amount,
    nonce,
    deadline: (await market.floor.chain.now()) + 3_600n,
  });
  const sign = ({ domain, types, value }: ToSign, primaryType: string) =>
    privateKeyToAccount(market.stranger.key).signTypedData({ domain, types, primaryType, message: value } as never);
  const linkLeft = (spender: Address) => {
    const args = [market.stranger.address, spender];
    return readAmount(market.floor.chain.client, TEST_TOKEN, market.token('LINK'), 'allowance', args);
  };
  const sells = { srcToken: 'LINK', destToken: 'USDC', amount: `${5n * ETHER}` };

  test('stands for the approval: the swap goes through without one', async () => {
    const { stranger, addresses } = market;
    const permit = await asked('LINK', 0n, 5n * ETHER);
    const signature = await sign(eip2612TypedData({ name: 'Chainlink', version: '1' }, permit), 'Permit');
    const wish = { userAddress: stranger.address, permit: encodeEip2612(permit, signature) };
    const transaction = await market.build(await market.price(sells), wish);
    const [given] = await market.changes([['LINK', stranger.address]], () => market.send(transaction, stranger));
    expect(given).toBe(-5n * ETHER);
    expect(await linkLeft(addresses.router)).toBe(0n);
  });

  test('of Permit2 does so for what is approved there, once, and takes no more than the swap does', async () => {
    const { stranger, addresses } = market;
    await market.call(stranger, TEST_TOKEN, market.token('LINK'), 'approve', [addresses.permit2, 100n * ETHER]);
    const permit = await asked('LINK', 77n, 100n * ETHER);
    const signature = await sign(permit2TypedData(addresses.permit2, permit), 'PermitTransferFrom');
    const wish = { userAddress: stranger.address, permit: encodePermit2(permit, signature) };
    const route = await market.price({ ...sells, amount: '20000000', side: 'BUY' });
    const transaction = await market.build(route, wish);
    const [given = 0n, got] = await market.changes(
      [
        ['LINK', stranger.address],
        ['USDC', stranger.address],
      ],
      () => market.send(transaction, stranger),
    );
    expect(got).toBe(20_000_000n);
    expect(-given).toBeLessThan(2n * ETHER);
    expect(await linkLeft(addresses.permit2)).toBe(100n * ETHER + given);
    await expect(market.send(transaction, stranger)).rejects.toThrow('Permit failed');
  });

  test('of Permit2 that another signed, or for another token, or too short, fails', async () => {
    const { addresses, user } = market;
    const permit = await asked('LINK', 78n, 100n * ETHER);
    const signature = await sign(permit2TypedData(addresses.permit2, permit), 'PermitTransferFrom');
    const failed = [400, 'The transaction would fail: Permit failed'];
    const bytes = encodePermit2(permit, signature);
    expect(await refusal({ permit: bytes }, sells)).toEqual(failed);
    const dai = { ...sells, srcToken: 'DAI' };
    expect(await refusal({ permit: bytes, userAddress: market.stranger.address }, dai)).toEqual(failed);
    expect((await refusal({ permit: '0x1' }, sells))[0]).toBe(400);
    // Bytes that are no permit are passed over: the user has an approval.
    expect((await refusal({ permit: '0x12', userAddress: user.address }, sells))[0]).toBe(200);
  });
});

test('a txOrigin whom the maker does not quote gets no firm quote; another one changes nothing', async () => {
  await vi.waitFor(() => expect(market.consumer.cached()?.blacklist.has(BLACKLISTED)).toBe(true));
  expect(await refusal({ txOrigin: BLACKLISTED }, SELL)).toEqual([400, expect.stringContaining('does not quote')]);
  const built = await market.build(await market.price(SELL), { txOrigin: market.stranger.address });
  expect(built.from).toBe(market.user.address);
});

describe('partners', () => {
  const refused = [422, 'Partner not allowed'];
  const asked = { partnerAddress: PARTNER, partnerFeeBps: '200' };

  test('may ask for fees and surplus as far as was agreed', async () => {
    expect((await refusal(asked))[0]).toBe(200);
    expect(await refusal({ ...asked, partnerFeeBps: '201' })).toEqual(refused);
    expect(await refusal({ ...asked, partner: 'tight' })).toEqual(refused);
    expect((await refusal({ ...asked, partner: 'tight', partnerFeeBps: '0' }))[0]).toBe(200);
    expect((await refusal({ partnerAddress: PARTNER, takeSurplus: true }))[0]).toBe(200);
    expect(await refusal({ partnerAddress: PARTNER, takeSurplus: true, partner: 'tight' })).toEqual(refused);
    expect(await refusal({ partnerAddress: PARTNER, takeSurplus: true, partner: 'whoever' })).toEqual(refused);
  });

  test('that ask for something for nobody are refused', async () => {
    expect(await refusal({ partnerFeeBps: '10' })).toEqual(refused);
    expect(await refusal({ takeSurplus: true })).toEqual(refused);
  });

  test('get nothing through a method without a fee model', async () => {
    expect(await refusal(asked, SELL)).toEqual([400, expect.stringMatching(/^swapOnRFQ takes no fees/)]);
    const query = { ...SELL, excludeContractMethodsWithoutFeeModel: 'true' };
    expect((await refusal(asked, query))[0]).toBe(200);
  });
});

describe('a maker who does not quote', () => {
  test('makes the build fail with a sentence', async () => {
    const query = { ...SELL, amount: `${10n * ETHER}` };
    const route = await market.price(query);
    const { maker } = market.floor.chain.accounts;
    const usdc = market.token('USDC');
    await maker.call(TEST_TOKEN, usdc, 'approve', [market.floor.chain.rfqContract, 1n]);
    await vi.waitFor(async () => {
      const { status, body } = await market.post('/transactions/31337', market.wish(route));
      expect([status, body]).toEqual([
        400,
        { errorType: 'PricingError', details: expect.stringMatching(/^The rate has changed/) },
      ]);
    });
    await maker.call(TEST_TOKEN, usdc, 'approve', [market.floor.chain.rfqContract, 2n ** 256n - 1n]);
  });
});

describe('GET /swap', () => {
  const ASKED = { ...SELL, network: '31337', version: '6.2', partner: 'free', slippage: '100' };

  test('prices and builds in one, without the maker and without gas', async () => {
    const { user } = market;
    const { status, body } = await market.get('/swap', { ...ASKED, userAddress: user.address, receiver: PARTNER });
    expect(status).toBe(200);
    const { priceRoute, txParams } = body as never as {
      priceRoute: { destAmount: string; bestRoute: unknown };
      txParams: never;
    };
    expect(JSON.stringify(priceRoute.bestRoute)).not.toContain('MakerRFQ');
    expect(txParams).not.toHaveProperty('gas');
    const [got] = await market.changes([['USDC', PARTNER]], () => market.send(txParams));
    expect(got).toBe(BigInt(priceRoute.destAmount));
  });

  test('takes a BUY, and the options of a build', async () => {
    const query = { ...ASKED, ...BUY, userAddress: market.user.address, eip1559: 'true', ignoreChecks: 'true' };
    const { status, body } = await market.get('/swap', query);
    expect(status).toBe(200);
    expect(body).toMatchObject({ txParams: { maxFeePerGas: expect.any(String) } });
  });

  test('needs a user and a slippage', async () => {
    expect((await market.get('/swap', ASKED)).status).toBe(400);
    const { slippage: _, ...without } = ASKED;
    expect((await market.get('/swap', { ...without, userAddress: market.user.address })).status).toBe(400);
  });

  test('has the lower limit', async () => {
    onTestFinished(market.stopClock());
    market.limits.on = true;
    const query = { ...ASKED, userAddress: market.user.address };
    const statuses = [];
    for (const later of [0, 1_000, 1_000]) {
      market.shiftClock(later);
      statuses.push((await market.get('/swap', query)).status);
    }
    market.limits.on = false;
    expect(statuses).toEqual([200, 429, 200]);
  });
});

test('a build is counted with the prices: while the limit is on, one right after a price gets 429', async () => {
  onTestFinished(market.stopClock());
  const route = await market.price({ ...SELL, ...POOL });
  market.limits.on = true;
  try {
    market.shiftClock(1_000);
    const statuses = [await market.post('/transactions/31337', market.wish(route)), await market.get('/prices', SELL)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  } finally {
    market.limits.on = false;
  }
});

test('a body that is no JSON is refused', async () => {
  expect((await market.post('/transactions/31337', '{')).status).toBe(400);
});

test('nothing of all this was an error of the service itself', () => {
  expect(market.lines.filter((line) => line.startsWith('!'))).toEqual([]);
});
