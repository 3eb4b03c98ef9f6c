import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { IntentOrderRecord } from '../../electron/protocol/intent-order-record.ts';
import { ServiceFault } from '../../electron/service/service-fault.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { timeout: 40_000, interval: 30 };

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
function telling(change: (order: IntentOrderRecord) => IntentOrderRecord | null): void {
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: Question) => {
    const answer = await get(question as never);
    if (!/\/orders\/[^/]+$/.test(question.path)) return answer;
    return change(answer as IntentOrderRecord) ?? answer;
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
    return first === undefined ? null : { ...order, transactions: [first, first] };
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
