import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { NodeCall } from '../../electron/chain/node-client.ts';
import type { HedgeWish } from '../../electron/contract/hedge-terms.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import type { OnChainOrderType } from '../../electron/protocol/intent-build.ts';
import { intentOrderRecordSchema } from '../../electron/protocol/intent-order-record.ts';
import { ServiceFault } from '../../electron/service/service-fault.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const TENTH = ETHER / 10n;
const PAID = 400n * 10n ** 6n;
/** What the maker gets of that: the service keeps a basis point. */
const GOT = PAID - PAID / 10_000n;
const DAY_MS = 86_400_000;
const SOON = { interval: 50 };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeAll(async () => {
  market = await openIntentMarket();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, home);
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

test('an order that the chain takes after a person gave its hedge up is booked to that hedge, once, also by the next desk', async () => {
  const fill = await desk.filled('bids', 2n * ETHER, 6_780_000_000n);
  const before = await market.floor.balance('USDC', desk.maker);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '2' }, fillSeqs: [fill] }));
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.giveUp(seq, 'the service does not answer', 'trader');
  expect(await desk.net('WETH')).toBe(2n * ETHER);
  market.start(); // only now a solver takes it
  await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${2n * ETHER}`), SOON);
  const late = await desk.record(seq);
  expect(late).toMatchObject({
    state: 'failed',
    note: expect.stringMatching(/^It was filled after it ended, and counts/),
  });
  expect(BigInt(late.received)).toBe((await market.floor.balance('USDC', desk.maker)) - before);
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([0n, BigInt(late.received) - 6_780_000_000n]);
  expect((await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() }))[0]?.cover).toBe('hedged');
  const left = () => desk.rooms.guard.orders.of(31337).hedges.of(seq);
  await vi.waitFor(() => expect(left(), 'nothing is left of it').toBe(0n), SOON);
  await desk.close();
  desk = await openHedgingDesk(market, home);
  await market.floor.control.mine({ blocks: 2 });
  await vi.waitFor(async () => expect((await desk.rooms.journal.read.hedgeReceipts()).length).toBe(1), SOON);
  expect((await desk.steps(seq)).filter((step) => step === 'filled_late')).toHaveLength(1);
  expect(await desk.net('WETH')).toBe(0n);
});

test('slices that the chain takes after a hedge was given up are booked one by one beside those of before, and what is left still counts', async () => {
  const fill = await desk.filled('bids', 3n * ETHER, 10_170_000_000n);
  market.start();
  const way = { mode: 'twap' as const, slices: 3, interval: 60 };
  const seq = await desk.place(desk.wish({ way, ask: { amount: '3' }, fillSeqs: [fill] }));
  const spent = async (ether: bigint) =>
    vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${ether * ETHER}`), SOON);
  const left = () => desk.rooms.guard.orders.of(31337).hedges.of(seq);
  const cover = async () => (await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() }))[0]?.cover;
  const nextSlice = async () => {
    await market.floor.pass(60);
    market.shiftClock(61_000);
  };
  await spent(1n);
  await desk.hedging.engine.giveUp(seq, 'the price has turned', 'trader');
  expect([await desk.net('WETH'), await cover()]).toEqual([2n * ETHER, 'part_hedged']);
  await nextSlice();
  await spent(2n);
  expect([await desk.net('WETH'), await cover()]).toEqual([ETHER, 'part_hedged']);
  await vi.waitFor(() => expect(left(), 'one slice may still be taken').toBe(ETHER), SOON);
  await nextSlice();
  await spent(3n);
  expect([await desk.net('WETH'), await cover()]).toEqual([0n, 'hedged']);
  await vi.waitFor(() => expect(left(), 'nothing is left of it').toBe(0n), SOON);
  expect((await desk.steps(seq)).filter((step) => step === 'filled_late')).toHaveLength(2);
  const { received, transactions } = await desk.record(seq);
  expect([await desk.net('USDC'), transactions.length]).toEqual([BigInt(received) - 10_170_000_000n, 3]);
});

test('what a known fill moved beyond what was booked of it is booked after its hedge was given up', async () => {
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: { path: string }) => {
    if (/\/orders\/[^/]+$/.test(question.path)) throw new Error('The service is away.');
    return get(question as never);
  }) as never);
  const [weth, usdc] = [await market.floor.balance('WETH', desk.maker), await market.floor.balance('USDC', desk.maker)];
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' } }));
  const { orderId } = await desk.reached(seq, 'submitted');
  market.start();
  await vi.waitFor(async () => expect(await market.floor.balance('WETH', desk.maker)).toBe(weth - ETHER), SOON);
  const hash = await vi.waitFor(async () => {
    const path = `/v2/intent/orders/${orderId}`;
    const order = await get({ path, answer: intentOrderRecordSchema });
    const found = order.transactions?.[0]?.originTx;
    if (!found) throw new Error('it has no transaction yet');
    return found;
  }, SOON);
  const transactions = [{ chainId: 31337, hash, kind: 'fill' as const, amount: '1' }];
  const step = { step: 'order_status' as const, status: 'ACTIVE', spent: '1', received: '1', others: [], transactions };
  await desk.hedging.engine.log.step(seq, step);
  await desk.hedging.engine.giveUp(seq, 'the service is away', 'trader');
  await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${ETHER}`), SOON);
  const { received, transactions: booked } = await desk.record(seq);
  // Shared by the tokens that were given, so that a raw unit may be lost.
  const got = (await market.floor.balance('USDC', desk.maker)) - usdc;
  expect([got, got + 1n]).toContain(BigInt(received));
  expect(booked.filter(({ purpose }) => purpose === 'fill')).toHaveLength(1);
});

test('an order that cannot be looked for keeps the fills of no other from being booked, and logs are asked for in ranges that every node gives', async () => {
  const { engine } = desk.hedging;
  const given = async (way: HedgeWish['way'], amount: string) => {
    const seq = await desk.place(desk.wish({ way, ask: { amount }, deadlineSeconds: 86_400 }));
    await desk.reached(seq, 'submitted');
    await engine.giveUp(seq, 'a test', 'trader');
    return seq;
  };
  const first = await given({ mode: 'limit', limitAmount: '9000' }, '0.1');
  const { orderHash } = await desk.record(first);
  const { node } = engine.node(31337);
  const ask = node.ask.bind(node);
  let widest = 0;
  vi.spyOn(node, 'ask').mockImplementation((calls) => {
    for (const { method, params } of calls) {
      if (method !== 'eth_getLogs') continue;
      const [{ fromBlock, toBlock, topics }] = params as [{ fromBlock: string; toBlock: string; topics: string[] }];
      widest = Math.max(widest, Number(toBlock) - Number(fromBlock) + 1);
      if (topics[0] !== null && topics[1] === orderHash) throw new Error('that node has no such logs');
    }
    return ask(calls);
  });
  for (let mined = 0; mined < 1_200; mined += 100) await market.floor.control.mine({ blocks: 100, interval: 0 });
  const second = await given({ mode: 'intent' }, '0.2');
  market.start();
  await vi.waitFor(async () => expect((await desk.record(second)).spent).toBe(`${ETHER / 5n}`), SOON);
  expect([widest > 100, widest <= 1_000]).toEqual([true, true]);
});

/** The node tells what two transactions did as one settlement, the first of them. Gives how often it was asked for logs since. */
function toldAsOne(first: Hex, second: Hex): () => number {
  const { node } = desk.hedging.engine.node(31337);
  const ask = node.ask.bind(node);
  let looks = 0;
  vi.spyOn(node, 'ask').mockImplementation(async (calls) => {
    const answers = await ask(calls);
    const [other] = await ask([{ method: 'eth_getTransactionReceipt', params: [second] }]);
    return answers.map((answer, index) => {
      const { method, params } = calls[index] as NodeCall;
      if (!answer.ok || !other?.ok) return answer;
      if (method === 'eth_getLogs') {
        looks += 1;
        return { ok: true as const, result: JSON.parse(JSON.stringify(answer.result).replaceAll(second, first)) };
      }
      if (method !== 'eth_getTransactionReceipt' || params[0] !== first) return answer;
      const [one, too] = [answer.result, other.result] as { logs: object[] }[];
      return { ok: true as const, result: { ...one, logs: [...(one?.logs ?? []), ...(too?.logs ?? [])] } };
    });
  });
  return () => looks;
}

/** The order that a hedge signed, as a solver has it. */
async function orderOf(seq: number) {
  const { log } = desk.hedging.engine;
  const [built, signed] = [await log.last(seq, 'order_built'), await log.last(seq, 'order_signed')];
  if (built === null || signed === null) throw new Error(`hedge ${seq} has no order`);
  const order = { value: signed.order, hash: signed.orderHash as Hex, signature: signed.signature as Hex };
  return { type: built.orderType as OnChainOrderType, ...order };
}

/** One settlement fills half of a first order and all of a second one, of which the service says nothing yet. */
async function filledTogether() {
  vi.restoreAllMocks();
  await market.restart(); // no solver takes them
  const placed = async (way: HedgeWish['way'], amount: string) => {
    const { seq, orderId } = await desk.reached(await desk.place(desk.wish({ way, ask: { amount } })), 'submitted');
    return { seq, orderId };
  };
  const first = await placed({ mode: 'twap', slices: 2, interval: 60 }, '0.2');
  const second = await placed({ mode: 'intent' }, '0.1');
  const fill = async (seq: number) => market.floor.fill(await orderOf(seq), { amount: TENTH, offer: PAID });
  const hash = await fill(first.seq);
  const looks = toldAsOne(hash, await fill(second.seq));
  const service = { hasForgotten: false, hasTold: false, isOfBoth: false, received: `${GOT}` as string | null };
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: { path: string }) => {
    const isOf = ({ orderId }: typeof first) => question.path.endsWith(`/orders/${orderId}`);
    if (service.hasForgotten && question.path.endsWith('/orders'))
      return { data: [], total: 0, page: 1, limit: 1_000, hasMore: false };
    if (service.hasForgotten && isOf(first)) {
      throw new ServiceFault('unknown_order', 'Order not found', { fate: 'refused', status: 404 });
    }
    const answer = (await get(question as never)) as object;
    const amounts = { spentAmount: `${TENTH}`, receivedAmount: service.received };
    const told = { ...answer, transactions: [{ originTx: hash, ...amounts }] };
    if (service.hasTold && isOf(second)) return { ...told, status: 'COMPLETED' };
    return service.isOfBoth && isOf(first) ? told : answer;
  }) as never);
  return { first: first.seq, second: second.seq, service, looks };
}

/** Each has its own part of the settlement once the service tells of the second one. */
async function eachHasItsPart({ first, second, service }: Awaited<ReturnType<typeof filledTogether>>) {
  expect(await desk.record(first), 'what of it is of the other is not known yet').toMatchObject({ spent: '0' });
  service.hasTold = true;
  expect(await desk.reached(second, 'done')).toMatchObject({ spent: `${TENTH}`, received: `${GOT}` });
  await vi.waitFor(async () => expect((await desk.record(first)).spent).toBe(`${TENTH}`), SOON);
  expect(await desk.record(first)).toMatchObject({ received: `${GOT}` });
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([-2n * TENTH, 2n * GOT]);
}

test('an order that the service has forgotten takes its own part of a settlement that fills another order too', async () => {
  const settled = await filledTogether();
  settled.service.hasForgotten = true;
  const { first } = settled;
  await vi.waitFor(async () => expect((await desk.record(first)).note).toMatch(/does not know the order/), SOON);
  await eachHasItsPart(settled);
});

test('an order whose hedge was given up takes its own part of a settlement that fills another order too', async () => {
  const settled = await filledTogether();
  const { first, looks } = settled;
  await desk.hedging.engine.giveUp(first, 'a test', 'trader');
  const before = looks();
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 10), SOON);
  await eachHasItsPart(settled);
});

test.each([
  ['does not say what it brought', null],
  ['says that it brought all of it', `${2n * GOT}`],
])(
  'each of two orders has its own part of the settlement that fills both where the service %s',
  async (_, received) => {
    const settled = await filledTogether();
    Object.assign(settled.service, { hasTold: true, isOfBoth: true, received });
    expect(await desk.reached(settled.second, 'done')).toMatchObject({ spent: `${TENTH}`, received: `${GOT}` });
    await vi.waitFor(async () => expect((await desk.record(settled.first)).received).toBe(`${GOT}`), SOON);
    expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([-2n * TENTH, 2n * GOT]);
  },
);

/** A limit order, good for an hour, whose hedge was given up; no solver takes it. */
async function givenUp(fillSeqs: number[] = []): Promise<number> {
  vi.restoreAllMocks();
  await market.restart();
  const way = { mode: 'limit' as const, limitAmount: '300' };
  const seq = await desk.place(desk.wish({ way, ask: { amount: '0.1' }, fillSeqs, deadlineSeconds: 3_600 }));
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.giveUp(seq, 'a test', 'trader');
  return seq;
}

/** What the next desk looks for, by the word of this one. */
const noted = () => desk.rooms.journal.read.setting('outliving-orders');
const notedSince = async () => ((await noted()) as { since: number }[])[0]?.since;
/** By their own rows these, and beside them nothing whose deadline is not before `since`. */
const notedRows = (rows: number[]) => [{ chainId: 31337, since: expect.any(Number), rows }];

const underWay = async () => (await desk.hedging.engine.underWay()).map(({ seq }) => seq);

test('an order that was filled while no desk ran, until days past its deadline, is booked to its hedge, and meanwhile nothing else closes its fills', async () => {
  const seq = await givenUp([await desk.filled('bids', TENTH, 339n * 10n ** 6n)]);
  const order = await orderOf(seq);
  await desk.close();
  await market.floor.fill(order, { amount: TENTH, offer: PAID });
  const now = () => Date.now() + 2 * DAY_MS;
  desk = await openHedgingDesk(market, { ...home, now });
  expect(await underWay()).toEqual([seq]);
  await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${TENTH}`), SOON);
  expect(await desk.record(seq)).toMatchObject({ received: `${GOT}` });
  expect((await desk.rooms.journal.read.hedgedFills({ limit: 1, now: now() }))[0]?.cover).toBe('hedged');
});

test('an order that was looked for behind its deadline is looked for no more by the desk after that', async () => {
  const seq = await givenUp();
  await desk.close();
  let later = 2 * DAY_MS;
  const now = () => Date.now() + later;
  desk = await openHedgingDesk(market, { ...home, now });
  expect(await underWay()).toEqual([seq]);
  desk.rooms.guard.orders.tick(); // its deadline is past by both clocks
  await vi.waitFor(async () => expect(await underWay()).toEqual([]), SOON);
  // It is noted every hour how far back the next desk has to look.
  later += DAY_MS / 12;
  const { deadline } = (await desk.record(seq)).opened;
  await vi.waitFor(async () => {
    expect(await noted()).toEqual(notedRows([]));
    expect(await notedSince()).toBeGreaterThan(deadline);
  }, SOON);
  await desk.close();
  desk = await openHedgingDesk(market, { ...home, now });
  expect(await underWay()).toEqual([]);
});

test('an order whose chain cannot be asked is looked for by its own row by each desk behind it, which draws no others of that time', async () => {
  const node = await openNodeProxy(() => market.floor.rpcUrl);
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { rpcUrl: node.url } });
  const seq = await givenUp();
  const order = await orderOf(seq);
  const { deadline } = (await desk.record(seq)).opened;
  await node.down();
  let later = 0;
  const now = () => Date.now() + later;
  for (later = 2 * DAY_MS; later < 7 * DAY_MS; later += 2 * DAY_MS) {
    await desk.close();
    desk = await openHedgingDesk(market, { ...home, now });
    expect([await underWay(), await noted()]).toEqual([[seq], notedRows([seq])]);
    expect(await notedSince()).toBeGreaterThan(deadline);
  }
  await market.floor.fill(order, { amount: TENTH, offer: PAID });
  await node.up();
  try {
    await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${TENTH}`), SOON);
    desk.rooms.guard.orders.tick();
    await vi.waitFor(async () => expect(await underWay()).toEqual([]), SOON);
    later += DAY_MS / 12;
    await vi.waitFor(async () => expect(await noted()).toEqual(notedRows([])), SOON);
  } finally {
    await desk.close();
    await node.down();
  }
});

test('an order that cannot be read is looked for by the first desk that can read it, however late', async () => {
  const seq = await givenUp();
  const steps = await desk.rooms.journal.read.hedgeSteps(seq);
  const { seq: row } = steps.find(({ step }) => step.step === 'order_signed') ?? { seq: 0 };
  const reopened = async (days: number, body: string): Promise<string> => {
    await desk.close();
    const db = new Database(join(home.folder, 'journal.db'));
    const before = db.prepare<[number], string>('SELECT body FROM journal WHERE seq = ?').pluck().get(row) ?? '';
    db.prepare('UPDATE journal SET body = ? WHERE seq = ?').run(body, row);
    db.close();
    desk = await openHedgingDesk(market, { ...home, now: () => Date.now() + days * DAY_MS });
    return before;
  };
  const body = await reopened(2, '{');
  expect([await underWay(), await noted()]).toEqual([[], notedRows([seq])]);
  await reopened(4, '{');
  expect([await underWay(), await noted()]).toEqual([[], notedRows([seq])]);
  await reopened(6, body);
  expect([await underWay(), await noted()]).toEqual([[seq], notedRows([seq])]);
});
