import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { IntentOrderRecord } from '../../electron/protocol/intent-order-record.ts';
import { ServiceFault } from '../../electron/service/service-fault.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { interval: 30 };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
/** Added to the desk's clock, milliseconds. */
let later = 0;
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  later = 0;
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 + later });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const unknown = () => new ServiceFault('service_unreachable', 'The service hung up.', { fate: 'unknown' });
const refused = (status: number, said: string) =>
  new ServiceFault('service_refused', `The service refused with HTTP ${status}: ${said}`, { fate: 'refused', status });
const submitted = () => market.store.list({ owner: desk.maker, limit: 100, offset: 0 }).total;
const small = () => desk.wish({ way: { mode: 'intent' }, ask: { amount: '0.1' } });

type Question = { path: string; query?: Record<string, string> };
type Meeting = (real: () => Promise<unknown>) => Promise<unknown>;

/** Orders that are handed over, and questions for the list of orders, meet these; then everything is as it is. */
function meeting(posts: Meeting[], lists: Meeting[] = []): { posts: () => number } {
  const [post, get] = [market.client.post.bind(market.client), market.client.get.bind(market.client)];
  let count = 0;
  vi.spyOn(market.client, 'post').mockImplementation((async (question: Question) => {
    const real = () => post(question as never);
    if (!question.path.endsWith('/orders')) return real();
    count += 1;
    return (posts.shift() ?? ((go) => go()))(real);
  }) as never);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: Question) => {
    const real = () => get(question as never);
    const isList = question.path.endsWith('/orders');
    return ((isList ? lists.shift() : undefined) ?? ((go) => go()))(real);
  }) as never);
  return { posts: () => count };
}
const takenAndLost: Meeting = async (real) => {
  await real();
  throw unknown();
};
const fails =
  (fault: ServiceFault): Meeting =>
  () =>
    Promise.reject(fault);
const empty: Meeting = async () => ({ data: [], total: 0, page: 1, limit: 1_000, hasMore: false });

/** The order's record as the service tells it meets a change. */
function telling(
  change: (order: IntentOrderRecord) => IntentOrderRecord | null | Promise<IntentOrderRecord | null>,
): void {
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: Question) => {
    const answer = await get(question as never);
    if (!/\/orders\/[^/]+$/.test(question.path)) return answer;
    return (await change(answer as IntentOrderRecord)) ?? answer;
  }) as never);
}

test('a refusal after an answer that got lost does not end the hedge: the service had the order, and lists it late', async () => {
  const count = submitted();
  const met = meeting([takenAndLost, fails(refused(409, 'there is such an order'))], [empty, empty, empty]);
  const seq = await desk.place(small());
  const done = await desk.reached(seq, 'done');
  expect(done.spent).toBe(`${ETHER / 10n}`);
  expect(met.posts(), 'and it was not handed over again after the refusal').toBe(2);
  expect(submitted()).toBe(count + 1);
});

test('a list that is refused is no refusal of the order', async () => {
  meeting([takenAndLost], [fails(refused(404, 'Cannot GET')), fails(refused(401, 'who are you?'))]);
  const seq = await desk.place(small());
  expect((await desk.reached(seq, 'done')).spent).toBe(`${ETHER / 10n}`);
});

test('an order that is refused in doubt and never listed is given up after half a minute, in the words of the service', async () => {
  const count = submitted();
  meeting([fails(unknown()), fails(refused(400, 'InsufficientBalance'))]);
  const seq = await desk.place(small());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/InsufficientBalance/), PATIENT);
  expect((await desk.record(seq)).state).toBe('signed');
  later = 31_000;
  expect(await desk.reached(seq, 'failed')).toMatchObject({ note: expect.stringMatching(/InsufficientBalance/) });
  expect(submitted()).toBe(count);
});

test('an answer of another order is none: the service is asked for ours', async () => {
  const count = submitted();
  meeting([async (real) => ({ ...((await real()) as object), id: 'of-another', orderHash: `0x${'0e'.repeat(32)}` })]);
  const seq = await desk.place(small());
  const done = await desk.reached(seq, 'done');
  expect(done.orderId).not.toBe('of-another');
  expect(submitted()).toBe(count + 1);
});

test('an order that is said to be completed is not done before a chain shows what it moved', async () => {
  let silent = true;
  telling((order) => (order.status === 'COMPLETED' && silent ? { ...order, transactions: [] } : null));
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, fillSeqs: [fill] }));
  await vi.waitFor(async () => {
    expect(await desk.record(seq)).toMatchObject({ orderStatus: 'COMPLETED', endedAt: null });
    expect((await desk.record(seq)).note).toMatch(/completed/);
  }, PATIENT);
  silent = false;
  vi.restoreAllMocks();
  // The client keeps the record of an order that has ended for a minute.
  later = 61_000;
  market.shiftClock(61_000);
  expect((await desk.reached(seq, 'done')).spent).toBe(`${ETHER}`);
  expect(await desk.net('WETH')).toBe(0n);
});

test('a transaction that the service names twice moved once, and one that brought in what it is said to have taken moved nothing', async () => {
  telling((order) => {
    const [first] = order.transactions ?? [];
    if (first === undefined) return null;
    const shouted = `0x${first.originTx?.slice(2).toUpperCase()}`;
    return { ...order, transactions: [first, first, { ...first, originTx: shouted }] };
  });
  const seq = await desk.place(small());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/No chain confirms/), PATIENT);
  expect(await desk.record(seq)).toMatchObject({ spent: `${ETHER / 10n}`, endedAt: null });
  const [bought] = (await desk.record(seq)).transactions;
  vi.restoreAllMocks();
  telling((order) => ({
    ...order,
    transactions: [{ originTx: bought?.hash ?? '', spentAmount: '5', receivedAmount: '5' }],
  }));
  const back = { srcToken: market.token('USDC'), destToken: market.token('WETH'), amount: '100' };
  const other = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: back }));
  await vi.waitFor(async () => expect((await desk.record(other)).note).toMatch(/No chain confirms/), PATIENT);
  expect(await desk.record(other)).toMatchObject({ spent: '0', received: '0' });
});

test('what is of another hedge is no fill of an order, and neither is what was there before it was signed, whatever the service says', async () => {
  const swapOf = async () => {
    const swapped = await desk.reached(await desk.place(desk.wish({ ask: { amount: '0.1' } })), 'done');
    const hash = swapped.transactions.find(({ purpose }) => purpose === 'swap')?.hash ?? '';
    return `0x${hash.slice(2).toUpperCase()}`;
  };
  const said = (originTx: string) =>
    telling((order) => ({ ...order, status: 'COMPLETED', transactions: [{ originTx, destinationTx: null }] }));
  const earlier = await swapOf();
  const seq = await desk.place(waiting());
  await desk.reached(seq, 'submitted');
  said(earlier);
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/of before it was signed/), PATIENT);
  vi.restoreAllMocks();
  said(await swapOf());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/of another hedge/), PATIENT);
  expect(await desk.record(seq)).toMatchObject({ spent: '0', received: '0', endedAt: null });
});

test('what left the maker is no fill of an order that it neither names nor pays for, whoever sent it and whatever the service says', async () => {
  const { floor } = market;
  const weth = market.token('WETH');
  const seq = await desk.place(waiting());
  await desk.reached(seq, 'submitted');
  const own = await floor.call(floor.owner, TEST_TOKEN, weth, 'transfer', [floor.stranger.address, ETHER]);
  await floor.call(floor.owner, TEST_TOKEN, weth, 'approve', [floor.stranger.address, ETHER]);
  const taken = [desk.maker, floor.stranger.address, ETHER];
  const foreign = await floor.call(floor.stranger, TEST_TOKEN, weth, 'transferFrom', taken);
  for (const [originTx, why] of [
    [own, /which the maker sent and which does not name the order/],
    [foreign, /which did not bring what was agreed/],
  ] as const) {
    telling((order) => ({ ...order, status: 'COMPLETED', transactions: [{ originTx, destinationTx: null }] }));
    await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(why), PATIENT);
    expect(await desk.record(seq)).toMatchObject({ spent: '0', received: '0', endedAt: null });
    expect(desk.rooms.guard.orders.of(31_337).hedges.of(seq), 'it counts on').toBe(ETHER);
    vi.restoreAllMocks();
  }
});

test('a fill that names its order moved what the chain shows, also where the service says less', async () => {
  telling((order) => ({
    ...order,
    transactions: (order.transactions ?? []).map((one) => ({ ...one, spentAmount: '1', receivedAmount: '1' })),
  }));
  const before = await market.floor.balance('USDC', desk.maker);
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, fillSeqs: [fill] }));
  const done = await desk.reached(seq, 'done');
  expect(done).toMatchObject({ spent: `${ETHER}`, note: null });
  expect(BigInt(done.received)).toBe((await market.floor.balance('USDC', desk.maker)) - before);
});

test('the fill of one order is none of another one, also where nobody says how much of it is of which', async () => {
  const filled = await desk.reached(await desk.place(small()), 'done');
  const seq = await desk.place(waiting());
  await desk.reached(seq, 'submitted');
  const other = await desk.reached(await desk.place(small()), 'done');
  const hashes = [filled, other].map(({ transactions }) => transactions.at(-1)?.hash ?? '');
  const transactions = hashes.map((originTx) => ({ originTx, destinationTx: null }));
  telling((order) => ({ ...order, status: 'COMPLETED', transactions }));
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/of another hedge/), PATIENT);
  expect(await desk.record(seq)).toMatchObject({ spent: '0', received: '0', endedAt: null });
});

test('an order that is called completed while the chain took a part of it ends as failed, and the rest counts on', async () => {
  const seq = await desk.place(desk.wish({ way: { mode: 'twap', slices: 2, interval: 60 } }));
  await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${ETHER / 2n}`), PATIENT);
  telling((order) => ({ ...order, status: 'COMPLETED' }));
  const ended = await desk.reached(seq, 'failed');
  expect(ended).toMatchObject({ spent: `${ETHER / 2n}`, orderStatus: 'COMPLETED' });
  expect(ended.note).toMatch(
    /up to 0.5 WETH of it may still be taken\. Part of it was filled\. Its signature is good until/,
  );
  const { hedges } = desk.rooms.guard.orders.of(31_337);
  await vi.waitFor(() => expect(hedges.of(seq)).toBe(ETHER / 2n), PATIENT);
  await market.floor.pass(61);
  market.shiftClock(61_000);
  await vi.waitFor(async () => expect((await desk.record(seq)).spent).toBe(`${ETHER}`), PATIENT);
});

test('a market order that the service could not take while its price was good is not handed over any more; a limit order is', async () => {
  const away = () => new ServiceFault('service_unreachable', 'The service is away.', { fate: 'not_sent' });
  const met = meeting(Array(1_000).fill(fails(away())));
  const limit = await desk.place(waiting());
  await vi.waitFor(async () => expect((await desk.record(limit)).state).toBe('signed'), PATIENT);
  const seq = await desk.place(small());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/whether the service has it/), PATIENT);
  expect(met.posts()).toBeGreaterThan(0);
  later = 31_000;
  expect((await desk.reached(seq, 'failed')).note).toMatch(
    /did not take the order while its price was good.*good until/,
  );
  vi.restoreAllMocks();
  await desk.reached(limit, 'submitted');
});

test('a market order that a halt holds says until when it may go on, and at its end that it was held and never handed over; a limit order waits on', async () => {
  const { log } = desk.hedging.engine;
  const step = log.step.bind(log);
  vi.spyOn(log, 'step').mockImplementation(async (...written) => {
    const hedge = await step(...written);
    const isHalting = written[1].step === 'order_signed';
    if (isHalting) await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'in the middle' });
    return hedge;
  });
  const held = async (wish: ReturnType<typeof small>) => {
    const seq = await desk.place(wish);
    await vi.waitFor(
      async () => expect(await desk.record(seq)).toMatchObject({ state: 'signed', held: true }),
      PATIENT,
    );
    return seq;
  };
  const met = meeting([]);
  const seq = await held(small());
  expect((await desk.record(seq)).note).toMatch(
    /or when the desk resumes, until 20\d\d-.* UTC: then its price is too old\.$/,
  );
  await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'for the next one' });
  await desk.reached(seq, 'done');
  const late = await held(small());
  later = 31_000;
  expect((await desk.reached(late, 'failed')).note).toMatch(
    /^It was held until its price was too old, and was never handed over to the service\. .*good until/,
  );
  await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'for the next one' });
  const limit = await held(waiting());
  expect((await desk.record(limit)).note).toMatch(/or when the desk resumes\.$/);
  expect(met.posts()).toBe(1);
});

test('whoever cancels every intent ends what is signed and not handed over yet, too', async () => {
  meeting(Array(1_000).fill(fails(new ServiceFault('service_unreachable', 'Away.', { fate: 'not_sent' }))));
  const seq = await desk.place(waiting());
  await vi.waitFor(async () => expect((await desk.record(seq)).state).toBe('signed'), PATIENT);
  const { orderHash } = await desk.record(seq);
  const asked = { chainId: 31_337, actor: 'trader' };
  const dry = await desk.hedging.engine.cancelIntents({ ...asked, dryRun: true });
  expect(dry).toContainEqual({ chainId: 31_337, orderIds: [orderHash], outcome: 'dry_run', reason: null });
  expect((await desk.record(seq)).endedAt).toBeNull();
  await desk.hedging.engine.cancelIntents({ ...asked, dryRun: false });
  expect((await desk.reached(seq, 'cancelled')).note).toMatch(/cancelled before it was handed over/);
});

test('where it cannot be written down that an order is to be cancelled, that is said of it, and the others are asked for all the same', async () => {
  const open = await desk.place(waiting());
  const { orderId } = await desk.reached(open, 'submitted');
  meeting(Array(1_000).fill(fails(new ServiceFault('service_unreachable', 'Away.', { fate: 'not_sent' }))));
  const seq = await desk.place(waiting());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/whether the service has it/), PATIENT);
  vi.spyOn(desk.hedging.engine.log, 'step').mockRejectedValueOnce(new Error('the disk is full'));
  const said = await desk.hedging.engine.cancelIntents({ chainId: 31_337, actor: 'trader', dryRun: false });
  const { orderHash } = await desk.record(seq);
  expect(said).toContainEqual({
    chainId: 31_337,
    orderIds: [orderHash],
    outcome: 'failed',
    reason: 'the disk is full',
  });
  expect(said.some(({ orderIds, outcome }) => outcome === 'asked' && orderIds.includes(orderId ?? ''))).toBe(true);
});

test('an order that is being handed over while every intent is cancelled is cancelled at the service as soon as it has it', async () => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const met = meeting([
    async (real) => {
      const answer = await real();
      await arrived;
      return answer;
    },
  ]);
  const seq = await desk.place(waiting());
  await vi.waitFor(() => expect(met.posts()).toBe(1), PATIENT);
  // The service has the order and does not list it yet.
  vi.restoreAllMocks();
  meeting([], [empty]);
  await desk.hedging.engine.cancelIntents({ chainId: 31_337, actor: 'trader', dryRun: false });
  expect((await desk.record(seq)).cancel).toBe('wanted');
  arrive();
  expect(await desk.reached(seq, 'cancelled')).toMatchObject({ orderStatus: 'CANCELLED', spent: '0' });
});

test('an order of which nobody knows whether the service has it is not handed over again once its cancellation is wanted, also by the next desk', async () => {
  // Until its cancellation is wanted the service does not say what it has: it would rightly be handed over again.
  let isWanted = false;
  const met = meeting(
    [takenAndLost],
    Array<Meeting>(10_000).fill((real) => (isWanted ? empty(real) : Promise.reject(unknown()))),
  );
  const seq = await desk.place(waiting());
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/not known/), PATIENT);
  await desk.hedging.engine.cancel(seq, 'trader');
  isWanted = true;
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/It is cancelled, and whether/), PATIENT);
  expect([met.posts(), (await desk.record(seq)).state]).toEqual([1, 'signed']);
  await desk.close();
  vi.restoreAllMocks();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 + later });
  expect(await desk.reached(seq, 'cancelled')).toMatchObject({ orderStatus: 'CANCELLED', spent: '0' });
});

/** Does it the first time, and gives what came of it ever after: what comes back comes after the fill. */
function once<T>(act: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null;
  return () => (done ??= act());
}

/** A limit order that no solver takes. */
const waiting = () => desk.wish({ way: { mode: 'limit', limitAmount: '9000' } });

test('a cancellation that the service has no time for is asked for again until the order is cancelled', async () => {
  const post = market.client.post.bind(market.client);
  let busy = 3;
  const asked: string[] = [];
  vi.spyOn(market.client, 'post').mockImplementation((async (question: Question) => {
    if (!/cancel/.test(question.path)) return post(question as never);
    asked.push(question.path);
    busy -= 1;
    if (busy >= 0) throw refused(429, 'Too many requests');
    return post(question as never);
  }) as never);
  const seq = await desk.place(waiting());
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.cancel(seq, 'trader');
  expect(await desk.record(seq)).toMatchObject({ cancel: 'wanted', note: expect.stringMatching(/asked for again/) });
  // Refused three times, when it was first asked and at later looks; the next is answered, whichever look that is.
  while (asked.length < 4) {
    const before = asked.length;
    later += 61_000;
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before), PATIENT);
  }
  expect(await desk.reached(seq, 'cancelled')).toMatchObject({ orderStatus: 'CANCELLED', cancel: 'asked' });
});

test('a cancellation that the service took and lost is asked for again by the next desk', async () => {
  const post = market.client.post.bind(market.client);
  // However often this desk asks.
  let isLosing = true;
  vi.spyOn(market.client, 'post').mockImplementation((async (question: Question & { body: { orderIds: string[] } }) => {
    if (!question.path.endsWith('/orders/cancel') || !isLosing) return post(question as never);
    return { cancelled: question.body.orderIds };
  }) as never);
  const seq = await desk.place(waiting());
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.cancel(seq, 'trader');
  expect(await desk.record(seq)).toMatchObject({
    cancel: 'asked',
    orderStatus: expect.stringMatching(/PENDING|ACTIVE/),
  });
  await desk.close();
  isLosing = false;
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 + later });
  expect((await desk.reached(seq, 'cancelled')).orderStatus).toBe('CANCELLED');
});

/** The service knows nothing of the desk's orders any more. */
function forgetting(): void {
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: Question) => {
    if (question.path.endsWith('/orders')) return empty(async () => null);
    if (!/\/orders\/[^/]+$/.test(question.path)) return get(question as never);
    throw new ServiceFault('unknown_order', 'The service does not know it: Order not found', {
      fate: 'refused',
      status: 404,
    });
  }) as never);
}

test('an order that the service has forgotten and the chain shows filled is booked from the chain and done', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const before = await market.floor.balance('USDC', desk.maker);
  const post = market.client.post.bind(market.client);
  vi.spyOn(market.client, 'post').mockImplementation((async (question: Question) => {
    const answer = await post(question as never);
    if (question.path.endsWith('/orders')) forgetting();
    return answer;
  }) as never);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, fillSeqs: [fill] }));
  const done = await desk.reached(seq, 'done');
  expect(done).toMatchObject({ spent: `${ETHER}`, note: expect.stringMatching(/does not know the order any more/) });
  expect(BigInt(done.received)).toBe((await market.floor.balance('USDC', desk.maker)) - before);
  expect(await desk.net('WETH')).toBe(0n);
});

test('a forgotten order of which nothing was filled ends once the chain is past its deadline, not before', async () => {
  const seq = await desk.place({ ...waiting(), deadlineSeconds: 60 });
  await desk.reached(seq, 'submitted');
  forgetting();
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/may still be filled/), PATIENT);
  // Our own clock alone proves nothing.
  later = 1_000_000;
  const { read } = desk.rooms.journal;
  const steps = (await read.hedgeSteps(seq)).length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await desk.record(seq)).toMatchObject({ endedAt: null });
  expect((await read.hedgeSteps(seq)).length).toBe(steps);
  await market.floor.pass(200);
  market.shiftClock(200_000);
  expect(await desk.reached(seq, 'failed')).toMatchObject({ note: expect.stringMatching(/nothing of it was filled/) });
});

test('a forgotten order is not taken for unfilled when the source left the maker in a way that nothing explains', async () => {
  const seq = await desk.place({ ...waiting(), deadlineSeconds: 60 });
  await desk.reached(seq, 'submitted');
  forgetting();
  const { floor } = market;
  await floor.call(floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [floor.stranger.address, ETHER]);
  const args = [desk.maker, floor.stranger.address, 5n];
  await floor.call(floor.stranger, TEST_TOKEN, market.token('WETH'), 'transferFrom', args);
  await floor.pass(200);
  market.shiftClock(200_000);
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/left the maker in 0x/), PATIENT);
  expect((await desk.record(seq)).endedAt).toBeNull();
  await desk.hedging.engine.giveUp(seq, 'It was a payment of ours.', 'trader');
  expect(await desk.record(seq)).toMatchObject({
    state: 'failed',
    givenUp: 'It was a payment of ours.',
    note: 'trader gave it up: It was a payment of ours.',
  });
});

test('what can still be cancelled or followed by the desk alone is not given up', async () => {
  const seq = await desk.place(small());
  await desk.reached(seq, 'done');
  await expect(desk.hedging.engine.giveUp(seq, 'no reason', 'trader')).rejects.toMatchObject({ code: 'hedge_ended' });
});

test('a hedge that the bridge gave back in its own token ends, with that token in the positions', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const { floor } = market;
  const dai = market.token('DAI');
  const back = once(() => floor.call(floor.stranger, TEST_TOKEN, dai, 'mint', [desk.maker, 3_300n * ETHER]));
  telling(async (order) =>
    order.status !== 'COMPLETED'
      ? null
      : {
          ...order,
          status: 'REFUNDED',
          transactions: (order.transactions ?? []).map((one) => ({ ...one, receivedAmount: '0' })),
          refunds: [{ tx: await back(), chainId: 31_337, token: dai, amount: `${3_300n * ETHER}` }],
        },
  );
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, fillSeqs: [fill] }));
  const ended = await desk.reached(seq, 'failed');
  expect(ended).toMatchObject({ orderStatus: 'REFUNDED', spent: `${ETHER}` });
  expect(ended.note).toMatch(/gave back 3300 DAI/);
  expect(await desk.net('WETH')).toBe(0n);
  const positions = await desk.rooms.journal.read.positions(null, market.now() * 1_000);
  expect(positions.find(({ token }) => token.symbol === 'DAI')?.hedged).toBe(`${3_300n * ETHER}`);
  expect(await desk.rooms.journal.read.unhedgedFills({ chainId: 31_337, pair: 'WETH/USDC', limit: 10 })).toEqual([]);
});

test('a refund in a token that nobody knows proves nothing', async () => {
  const { floor } = market;
  const worthless = await floor.stranger.deploy(TEST_TOKEN, ['Nothing', 'NIL', 18]);
  const tx = await floor.call(floor.stranger, TEST_TOKEN, worthless, 'mint', [desk.maker, ETHER]);
  telling((order) =>
    order.status === 'COMPLETED'
      ? { ...order, status: 'REFUNDED', refunds: [{ tx, chainId: 31_337, token: worthless, amount: `${ETHER}` }] }
      : null,
  );
  const seq = await desk.place(small());
  await vi.waitFor(
    async () => expect((await desk.record(seq)).note).toMatch(/neither of the order nor listed/),
    PATIENT,
  );
  expect((await desk.record(seq)).endedAt).toBeNull();
});

test('what a bridge gave back of the source counts as not spent', async () => {
  const { floor } = market;
  const back = ETHER / 50n;
  const given = once(() => floor.call(floor.stranger, TEST_TOKEN, market.token('WETH'), 'mint', [desk.maker, back]));
  telling(async (order) =>
    order.status !== 'COMPLETED'
      ? null
      : {
          ...order,
          status: 'REFUNDED',
          transactions: (order.transactions ?? []).map((one) => ({ ...one, receivedAmount: '0' })),
          refunds: [{ tx: await given(), chainId: 31_337, token: market.token('WETH'), amount: `${back}` }],
        },
  );
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '0.1' } }));
  expect(await desk.reached(seq, 'failed')).toMatchObject({ spent: `${ETHER / 10n - back}`, orderStatus: 'REFUNDED' });
});

test('what a bridge gave back in the token that was bought counts as received', async () => {
  const { floor } = market;
  const back = 340n * DOLLAR;
  const given = once(() => floor.call(floor.stranger, TEST_TOKEN, market.token('USDC'), 'mint', [desk.maker, back]));
  telling(async (order) =>
    order.status !== 'COMPLETED'
      ? null
      : {
          ...order,
          status: 'REFUNDED',
          refunds: [{ tx: await given(), chainId: 31_337, token: market.token('USDC'), amount: `${back}` }],
        },
  );
  const before = await floor.balance('USDC', desk.maker);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '0.1' } }));
  const { received } = await desk.reached(seq, 'failed');
  expect(BigInt(received)).toBe((await floor.balance('USDC', desk.maker)) - before);
});
