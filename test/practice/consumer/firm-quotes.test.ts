import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import type { FirmAsk } from '../../../electron/practice/consumer/maker-consumer.ts';
import type { PracticeChain } from '../../../electron/practice/practice-chain.ts';
import { type Address, ZERO_ADDRESS } from '../../../electron/protocol/address.ts';
import { firmRequestSchema } from '../../../electron/protocol/firm-request.ts';
import type { PriceEntry, SignedOrder } from '../../../electron/protocol/wire.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { ONE, PRICE } from '../chain/settlement-calls.ts';
import { consumerOf, stillClock } from './open-test-consumer.ts';
import { openStubMaker, type StubMaker } from './stub-maker.ts';

const USER: Address = `0x${'5e'.repeat(20)}`;
/** Around the price of 3,412 that is asked for. */
const GRID: PriceEntry = { bids: [['3411.4', '100']], asks: [['3412.96', '100']] };
const MINUTES_15 = 15 * 60_000;

let chain: TestChain;
let maker: StubMaker;
let seen: PracticeChain;
let bodies: Record<string, unknown>[] = [];
let clock = stillClock();

beforeAll(async () => {
  chain = await startTestChain();
  maker = await openStubMaker(chain);
  const { client, chainId, domainName, rfqContract, executor } = chain;
  seen = { chainId, name: 'Test', basePath: '/31337', domainName, rfqContract, takers: [executor], client };
});
afterAll(async () => {
  await maker?.close();
  await chain?.close();
});
beforeEach(() => {
  maker.instead.clear();
  maker.spoil = (order) => order;
  maker.wire = (order) => order;
  maker.entry = GRID;
  bodies = [];
  clock = stillClock();
  maker.onFirm = (body) => bodies.push(JSON.parse(body));
});

/** A user who buys one WETH; as `in`, one who gives its price in USDC. */
function ask(change: Partial<FirmAsk> = {}): FirmAsk {
  const token = { symbol: 'T', name: 'T', decimals: 18, type: 'ERC20' as const };
  const tokens = { makerToken: { ...token, address: chain.weth }, takerToken: { ...token, address: chain.usdc } };
  const given = change.exact === 'in' ? { amount: PRICE, expected: ONE } : { amount: ONE, expected: PRICE };
  return {
    pairId: 'WETH/USDC',
    exact: 'out',
    ...tokens,
    ...given,
    slippageBps: 100,
    userAddress: USER,
    takerAddress: chain.executor,
    ...change,
  };
}

const never = () => new AbortController().signal;
const consumerOfChain = (options: Parameters<typeof consumerOf>[1] = {}) =>
  consumerOf(maker.url, { chain: seen, now: clock.now, ...options });

/** As long as the real ones. */
const REAL = { restrictFor: MINUTES_15, restrictAfterSilenceFor: 5 * 60_000 };

test('a good quote comes back with its hash, and was handed on before', async () => {
  const { consumer, orders, complaints } = consumerOfChain({
    onOrder: (order, quote) => {
      orders.push(order);
      expect(quote).toEqual({ userAddress: USER, pairId: 'WETH/USDC' });
    },
  });
  const outcome = await consumer.firm(ask(), never());
  if (outcome.kind !== 'order') throw new Error(JSON.stringify(outcome));
  expect(orders).toEqual([outcome.order]);
  expect(outcome.hash).toBe(chain.orderHash(chainOrder(outcome.order)));
  expect(complaints()).toEqual([]);
  expect(consumer.isRestricted('WETH/USDC')).toBeNull();
});

test('the order is stored, and that awaited, before the outcome is returned; a store that fails spoils nothing', async () => {
  let stored = false;
  const { consumer, logged } = consumerOfChain({
    onOrder: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      stored = true;
      throw new Error('the disk is full');
    },
  });
  expect((await consumer.firm(ask(), never())).kind).toBe('order');
  expect(stored).toBe(true);
  expect(logged(/an order was not stored: the disk is full/)).toHaveLength(1);
});

test('sells ask for floor(1.01 times), buys for floor(1.0001 times); special is always there, partner sometimes', async () => {
  const { consumer } = consumerOfChain();
  const amount = PRICE + 99n;
  await consumer.firm(ask({ exact: 'in', amount, expected: ONE }), never());
  await consumer.firm(ask({ amount: ONE + 9_999n }), never());
  for (let count = 0; count < 6; count += 1) await consumer.firm(ask(), never());
  expect(bodies[0]).toMatchObject({ takerAmount: `${(amount * 101n) / 100n}`, userAddress: USER });
  expect(bodies[0]).not.toHaveProperty('makerAmount');
  expect(bodies[1]).toMatchObject({ makerAmount: `${((ONE + 9_999n) * 10_001n) / 10_000n}` });
  expect(new Set(bodies.map(({ special }) => special))).toEqual(new Set([true, false]));
  expect(bodies.filter(({ partner }) => partner !== undefined)).toHaveLength(2);
  for (const body of bodies) expect(firmRequestSchema.safeParse(body).success).toBe(true);
});

describe('an answer that cannot be used restricts the pair 15 minutes, in both directions, and is complained of', () => {
  const answers: [string, () => unknown, RegExp, stored: boolean][] = [
    ['HTML', () => maker.instead.set('/firm', (response) => response.end('<html>')), /not JSON/, false],
    ['no fields', () => maker.instead.set('/firm', { status: 200, body: { order: {} } }), /malformed: order\./, false],
    [
      'an upper-case signature',
      () => spoilWire((order) => ({ ...order, signature: order.signature.toUpperCase() })),
      /malformed: order\.signature/,
      false,
    ],
    [
      'an expiry as a text',
      () => spoilWire((order) => ({ ...order, expiry: `${order.expiry}` })),
      /malformed: order\.expiry/,
      false,
    ],
    [
      'an amount as a number',
      () => spoilWire((order) => ({ ...order, makerAmount: 7 })),
      /malformed: order\.makerAmount/,
      false,
    ],
    [
      'another amount than the signed',
      () => spoilWire((order) => ({ ...order, takerAmount: '1' })),
      /signature/,
      false,
    ],
    ['a maker who did not sign', () => spoil({ maker: chain.accounts.other.address }), /signature/, false],
    ['a foreign maker asset', () => spoil({ makerAsset: chain.executor }), /maker asset is not/, true],
    ['a foreign taker asset', () => spoil({ takerAsset: chain.executor }), /taker asset is not/, true],
    ['an open taker', () => spoil({ taker: ZERO_ADDRESS }), /not the execution contract/, true],
    ['another user', () => spoil({ nonceAndMeta: 1n << 160n }), /user in nonceAndMeta/, true],
    [
      'a life under two minutes',
      () => spoil({ expiry: BigInt(Math.floor(clock.now() / 1_000) + 118) }),
      /less than two minutes/,
      true,
    ],
    [
      'another amount',
      () => (maker.spoil = (order) => ({ ...order, makerAmount: order.makerAmount - 1n })),
      /amount is not the one/,
      true,
    ],
    ['a zero', () => spoil({ takerAmount: 0n }), /zero/, true],
  ];
  test.each(answers)('%s', async (_, prepare, sentence, isStored) => {
    prepare();
    const { consumer, complaints, orders, logged, untilEnabled } = consumerOfChain({ intervals: REAL });
    await untilEnabled();
    const outcome = await consumer.firm(ask(), never());
    expect(outcome).toEqual({ kind: 'unusable', why: expect.stringMatching(sentence) });
    expect(orders).toHaveLength(isStored ? 1 : 0);
    expect(complaints()).toEqual([expect.stringMatching(/^\/firm for WETH\/USDC: /)]);
    expect(complaints()[0]).toMatch(sentence);
    expectRestricted(consumer.isRestricted('WETH/USDC')?.until, MINUTES_15);
    expect(consumer.status().restrictions).toEqual([
      { pairId: 'WETH/USDC', until: expect.any(Number), why: expect.stringMatching(sentence) },
    ]);
    expect(logged(/WETH\/USDC is left alone for 15 min: /)).toHaveLength(1);
    const asked = bodies.length;
    expect(await consumer.firm(ask({ exact: 'in' }), never())).toMatchObject({ kind: 'not_asked' });
    expect(bodies.length).toBe(asked);
  });
});

describe('balance and allowance', () => {
  test('must be strictly above the amount', async () => {
    const { accounts, weth, rfqContract } = chain;
    const allow = (amount: bigint) => accounts.maker.call(TEST_TOKEN, weth, 'approve', [rfqContract, amount]);
    const asked = (ONE * 10_001n) / 10_000n;
    await allow(asked);
    const short = consumerOfChain();
    expect(await short.consumer.firm(ask(), never())).toEqual({
      kind: 'unusable',
      why: 'the maker’s allowance is not above the amount',
    });
    await allow(asked + 1n);
    expect((await consumerOfChain().consumer.firm(ask(), never())).kind).toBe('order');
    await allow(2n ** 256n - 1n);
    const balance = await chain.balanceOf(weth, accounts.maker.address);
    await accounts.maker.call(TEST_TOKEN, weth, 'transfer', [accounts.other.address, balance - asked]);
    const poor = await consumerOfChain().consumer.firm(ask(), never());
    expect(poor).toEqual({ kind: 'unusable', why: 'the maker’s balance is not above the amount' });
    await accounts.other.call(TEST_TOKEN, weth, 'transfer', [accounts.maker.address, balance - asked]);
  });

  test('that cannot be read because the node is away cost the maker nothing', async () => {
    const { createPublicClient, http } = await import('viem');
    const client = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) });
    const { consumer, complaints, orders } = consumerOfChain({ chain: { ...seen, client } });
    const outcome = await consumer.firm(ask(), never());
    expect(outcome).toEqual({ kind: 'unusable', why: expect.stringMatching(/^it could not be checked: /) });
    expect(orders).toHaveLength(1);
    expect(complaints()).toEqual([]);
    expect(consumer.isRestricted('WETH/USDC')).toBeNull();
  });
});

test('signatures of a key in 65 and 64 bytes are taken, and those of a contract', async () => {
  const { consumer, complaints } = consumerOfChain();
  const compact = (signature: `0x${string}`) =>
    serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
  spoilWire((order) => ({ ...order, signature: compact(order.signature) }));
  expect((await consumer.firm(ask(), never())).kind).toBe('order');
  maker.wire = (order) => order;
  spoil({ maker: chain.contractMaker });
  expect((await consumer.firm(ask(), never())).kind).toBe('order');
  expect(complaints()).toEqual([]);
});

describe('the price', () => {
  test('worse than the slippage is not used, and nothing happens to the pair', async () => {
    const { consumer, complaints, orders } = consumerOfChain();
    const outcome = await consumer.firm(ask({ expected: (PRICE * 98n) / 100n }), never());
    expect(outcome).toEqual({ kind: 'unusable', why: 'the price is more than 100 bps worse than the grid' });
    expect(orders).toHaveLength(1);
    expect(complaints()).toEqual([]);
    expect(consumer.isRestricted('WETH/USDC')).toBeNull();
    const given = ask({ exact: 'in', expected: (ONE * 102n) / 100n });
    expect(await consumer.firm(given, never())).toMatchObject({ kind: 'unusable' });
  });

  test.each(['in', 'out'] as const)('exactly at the slippage is used, a unit beyond it is not (%s)', async (exact) => {
    const { consumer } = consumerOfChain();
    const limit = exact === 'in' ? (ONE * 99n) / 100n : (PRICE * 101n) / 100n;
    const asked = exact === 'in' ? (PRICE * 101n) / 100n : (ONE * 10_001n) / 10_000n;
    const wanted = exact === 'in' ? PRICE : ONE;
    // The other amount at the limit's price, rounded for the user.
    const other = exact === 'in' ? (limit * asked + wanted - 1n) / wanted : (limit * asked) / wanted;
    const at = (amount: bigint) => spoil(exact === 'in' ? { makerAmount: amount } : { takerAmount: amount });
    at(other);
    expect((await consumer.firm(ask({ exact }), never())).kind).toBe('order');
    at(exact === 'in' ? other - 1n : other + 1n);
    expect((await consumer.firm(ask({ exact }), never())).kind).toBe('unusable');
  });
});

describe('a refusal', () => {
  test('restricts the pair 15 minutes, without a complaint when it is in good form', async () => {
    maker.instead.set('/firm', { status: 409, body: { error: 'This pair is switched off.', code: 'pair_disabled' } });
    const { consumer, complaints } = consumerOfChain({ intervals: REAL });
    expect(await consumer.firm(ask(), never())).toEqual({
      kind: 'refused',
      status: 409,
      code: 'pair_disabled',
      sentence: 'This pair is switched off.',
    });
    expectRestricted(consumer.isRestricted('WETH/USDC')?.until, MINUTES_15);
    expect(consumer.isRestricted('WETH/DAI')).toBeNull();
    expect(complaints()).toEqual([]);
  });

  test('without an error text is complained of', async () => {
    maker.instead.set('/firm', (response) => response.writeHead(500).end('oops'));
    const { consumer, complaints } = consumerOfChain();
    expect(await consumer.firm(ask(), never())).toMatchObject({ kind: 'refused', status: 500, code: null });
    expect(complaints()).toEqual(['/firm for WETH/USDC: 500 without a JSON error text']);
  });

  test('with 403 blacklists the user for good, also beyond a fault of the service, and leaves the pair', async () => {
    maker.instead.set('/firm', { status: 403, body: { error: 'blacklisted' } });
    const { consumer, faults, until, untilEnabled } = consumerOfChain({ intervals: { blacklistFor: 50 } });
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'blacklisted' });
    expect(consumer.isRestricted('WETH/USDC')).toBeNull();
    maker.instead.clear();
    clock.ahead += 100;
    faults.down = true;
    await until(() => expect(consumer.status().why).toBe('the service is down'));
    faults.down = false;
    await untilEnabled();
    expect(consumer.cached()?.blacklist.has(USER)).toBe(true);
    expect(consumer.status().blacklist).toEqual([{ address: USER, from: '403', until: null }]);
    const asked = bodies.length;
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'blacklisted' });
    expect(bodies.length).toBe(asked);
  });
});

describe('a success without an order', () => {
  const without = { status: 200, body: { message: 'not for you' } };

  test('blacklists the user for a while in spec mode', async () => {
    maker.instead.set('/firm', without);
    const { consumer, logged } = consumerOfChain({ mode: 'spec', intervals: { blacklistFor: 400 } });
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'blacklisted' });
    expect(logged(/\/firm says: not for you/)).toHaveLength(1);
    expect(consumer.isRestricted('WETH/USDC')).toBeNull();
    expect(consumer.status().blacklist).toEqual([{ address: USER, from: 'no order', until: expect.any(Number) }]);
    maker.instead.clear();
    clock.ahead += 400;
    expect(consumer.status().blacklist).toEqual([]);
    expect((await consumer.firm(ask(), never())).kind).toBe('order');
  });

  test('restricts the pair 15 minutes in strict mode', async () => {
    maker.instead.set('/firm', without);
    const { consumer } = consumerOfChain({ intervals: REAL });
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'unusable', why: 'the answer has no order' });
    expectRestricted(consumer.isRestricted('WETH/USDC')?.until, MINUTES_15);
    expect(consumer.status().blacklist).toEqual([]);
  });
});

describe('no answer', () => {
  test('in its patience restricts the pair 5 minutes, and is not tried again', async () => {
    maker.instead.set('/firm', 'never');
    const { consumer, complaints } = consumerOfChain({ intervals: { ...REAL, firmPatience: 150 } });
    const from = performance.now();
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'no_answer' });
    expect(performance.now() - from).toBeGreaterThanOrEqual(148);
    expectRestricted(consumer.isRestricted('WETH/USDC')?.until, 5 * 60_000);
    expect(complaints()).toEqual(['/firm for WETH/USDC: no answer within 0.15 s']);
    expect(bodies.length).toBeLessThanOrEqual(1); // none, where the machine had not got to it
  });

  test('because the service ended the request costs the maker nothing', async () => {
    maker.instead.set('/firm', 'never');
    const { consumer, complaints, faults } = consumerOfChain({ intervals: { firmPatience: 60_000 } });
    const ending = new AbortController();
    const given = consumer.firm(ask(), ending.signal);
    setTimeout(() => ending.abort(), 50);
    expect(await given).toEqual({ kind: 'no_answer' });
    const lost = consumer.firm(ask(), never());
    setTimeout(() => {
      faults.down = true;
    }, 50);
    expect(await lost).toEqual({ kind: 'no_answer' });
    expect(consumer.isRestricted('WETH/USDC')).toBeNull();
    expect(complaints()).toEqual([]);
    expect(await consumer.firm(ask(), never())).toEqual({ kind: 'not_asked', why: 'the service is down' });
  });
});

test('a restriction ends by itself, and the pair is asked for again', async () => {
  maker.instead.set('/firm', { status: 503, body: { error: 'busy' } });
  const { consumer, logged } = consumerOfChain({ intervals: { restrictFor: 200 } });
  await consumer.firm(ask(), never());
  maker.instead.clear();
  expect((await consumer.firm(ask(), never())).kind).toBe('not_asked');
  clock.ahead += 200;
  expect(consumer.isRestricted('WETH/USDC')).toBeNull();
  expect(logged(/WETH\/USDC may be asked for again/)).toHaveLength(1);
  expect((await consumer.firm(ask(), never())).kind).toBe('order');
});

function expectRestricted(until: number | undefined, forMs: number): void {
  expect(until).toBe(clock.now() + forMs);
}

function spoil(change: Partial<ChainOrder>): void {
  maker.spoil = (order) => ({ ...order, ...change });
}

function spoilWire(change: (order: SignedOrder) => object): void {
  maker.wire = change;
}

function chainOrder(order: SignedOrder): ChainOrder {
  const amounts = { makerAmount: BigInt(order.makerAmount), takerAmount: BigInt(order.takerAmount) };
  return { ...order, ...amounts, nonceAndMeta: BigInt(order.nonceAndMeta), expiry: BigInt(order.expiry) };
}
