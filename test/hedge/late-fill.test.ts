import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
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
