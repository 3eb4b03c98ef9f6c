import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { type AskedDays, Turns } from '../../electron/service/turns.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { sleptClock } from '../service/slept-clock.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DAY_MS = 86_400_000;
const FOR_ALL = 2_400;

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
let turns: Turns;
const now = () => market.now() * 1_000;
beforeAll(async () => {
  market = await openIntentMarket();
});
afterAll(() => market?.close());
/** A desk whose service is asked without a key. */
beforeEach(async () => {
  home = hedgeFolder();
  const noted: AskedDays = {
    [new URL(market.url).origin]: { day: Math.floor(now() / DAY_MS), asked: FOR_ALL - 1_000 },
  };
  turns = new Turns(sleptClock(), () => false, now, { noted, note: () => {} });
  const service = new ServiceConnection({ serviceUrl: market.url, turns, now });
  desk = await openHedgingDesk(market, { ...home, now, chain: TOLD_REFERENCE, parts: { service: () => service } });
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

const spent = {
  code: 'service_day_spent',
  message:
    'Of the 3000 questions that the service takes a day the last 600 are left: they are kept for orders under way.',
  remedy: expect.stringContaining('00:00 UTC'),
};
/** The rest of what everybody may ask is asked by somebody else. */
async function spendTheDay(): Promise<void> {
  while (turns.budget(market.url).asked < FOR_ALL) await turns.take(market.url);
}

test('once the day is used up to what is kept, tickets, hedges and lists are refused in a sentence, and orders under way are cancelled and followed to their end', async () => {
  const { engine, routes } = desk.hedging;
  const order = () => desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '3000' }, acceptDistance: true }));
  const [followed, cancelled] = [await order(), await order()];
  for (const seq of [followed, cancelled]) await desk.reached(seq, 'submitted');
  await spendTheDay();
  await expect(engine.quote(desk.wish().ask)).rejects.toMatchObject(spent);
  await expect(engine.place(desk.wish(), { actor: 'trader', confirmed: false })).rejects.toMatchObject(spent);
  expect(await desk.hedging.prepare(desk.wish())).toMatchObject({ refusal: spent.message });
  expect(await routes.chains()).toMatchObject([{ isServed: null, lanes: null }]);
  expect(turns.budget(market.url).asked).toBeGreaterThanOrEqual(FOR_ALL);

  await engine.cancel(cancelled, 'trader');
  market.start();
  await desk.reached(cancelled, 'cancelled');
  await desk.reached(followed, 'done');
});

test('automatic hedging says that it waits for the next day, and hedges on that day', async () => {
  await spendTheDay();
  const settings = {
    on: true,
    threshold: '0.1',
    capPerDay: '5',
    slippageBps: 100,
    maxDistanceBps: 200,
    lossCapPerDay: '0',
    mode: 'market' as const,
    dryRun: false,
  };
  desk.refers('3400');
  await desk.hedging.auto.set(31337, 'WETH/USDC', settings, 'trader');
  await desk.filled('bids', ETHER, 3_390n * 10n ** 6n);
  const said = () => desk.hedging.auto.rows().then(([row]) => row?.last);
  await vi.waitFor(async () => expect(await said()).toMatchObject({ sentence: `Not hedged: ${spent.message}` }));
  // It is told once its row is written.
  await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused' }]));

  market.shiftClock(DAY_MS);
  await market.floor.pass(DAY_MS / 1_000);
  desk.refers('3400');
  await desk.filled('bids', ETHER / 2n, 1_695n * 10n ** 6n);
  await vi.waitFor(async () => expect((await said())?.hedgeSeq).toEqual(expect.any(Number)));
  const hedge = (await said())?.hedgeSeq ?? 0;
  expect(await desk.reached(hedge, 'done')).toMatchObject({ opened: { amount: `${(3n * ETHER) / 2n}` } });
});
