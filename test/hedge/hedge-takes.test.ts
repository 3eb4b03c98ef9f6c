import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { HedgeTakes } from '../../electron/guard/hedge-takes.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { ServiceFault } from '../../electron/service/service-fault.ts';
import { asked } from '../guard/asked.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const CHAIN = 31337;
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const SOON = { interval: 50 };
const HELD = { WETH: 10n * ETHER, USDC: 50_000n * DOLLAR };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
const now = () => market.now() * 1_000;
/** When the chain was looked at last; null: at this moment. */
let seenAt: number | null = null;
/** How far the chain's clock is behind ours, seconds. */
let chainBehind = 0;
const view = (): ChainView => ({
  block: { number: 1_000_000, hash: `0x${'1'.repeat(64)}`, timestamp: market.now() - chainBehind },
  seenAt: seenAt ?? now(),
  balances: new Map(
    (['WETH', 'USDC'] as const).map((symbol) => {
      return [market.token(symbol), { balance: HELD[symbol], allowance: 2n ** 255n }];
    }),
  ),
  unreadable: [],
  fault: null,
});
const open = () => openHedgingDesk(market, { ...home, now, view });
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  chainBehind = 0;
  seenAt = null;
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

/** What quotes may still be signed for. */
function spendable(symbol: 'WETH' | 'USDC'): bigint {
  const { book, guard } = desk.rooms;
  const chain = book.chain(CHAIN);
  if (chain === undefined) throw new Error('no chain');
  return guard.orders.of(CHAIN).spendable(chain, market.token(symbol));
}
const refused = (makerAmount: bigint) => {
  const { book, guard } = desk.rooms;
  const chain = book.chain(CHAIN);
  const nobody: Address = `0x${'9'.repeat(40)}`;
  const [makerAsset, takerAsset] = [market.token('WETH'), market.token('USDC')];
  const ask = asked({ user: nobody, taker: nobody, makerAsset, takerAsset, makerAmount });
  return chain === undefined ? 'unknown_pair' : guard.refusal(chain, ask);
};

const limitOf = (amount: string) => desk.wish({ way: { mode: 'limit', limitAmount: '900000' }, ask: { amount } });
/** A firm quote that gives so much WETH was signed; gives what withdraws it. */
const promise = (amount: bigint) => {
  const { exposure } = desk.rooms.guard.orders.of(CHAIN);
  const orderHash = `0x${`${amount}`.padStart(64, '0')}` as const;
  const terms = asked({ makerAsset: market.token('WETH'), makerAmount: amount });
  const reservation = exposure.reserve({ orderHash, terms, expiry: market.now() + 150 });
  return () => exposure.withhold(reservation);
};
const auto = (threshold: string) => ({
  on: true,
  threshold,
  capPerDay: '100',
  slippageBps: 100,
  maxDistanceBps: 300,
  lossCapPerDay: '0',
  mode: 'market' as const,
  dryRun: false,
});

test('what an order under way may sell is quoted by nobody, also after a restart, until the chain shows that it was cancelled', async () => {
  expect(spendable('WETH')).toBe(HELD.WETH - 1n);
  const wish = desk.wish({ way: { mode: 'limit', limitAmount: '900000' }, ask: { amount: '4' } });
  const order = await desk.place(wish);
  expect(spendable('WETH'), 'from the moment it is placed').toBe(HELD.WETH - 4n * ETHER - 1n);
  await desk.reached(order, 'submitted');
  expect(refused(7n * ETHER)).toBe('insufficient_balance');
  expect(refused(5n * ETHER)).toBeNull();
  expect(spendable('USDC')).toBe(HELD.USDC - 1n);
  await desk.close();
  desk = await open();
  expect(spendable('WETH')).toBe(HELD.WETH - 4n * ETHER - 1n);
  await desk.hedging.engine.cancel(order, 'trader');
  const { note } = await desk.reached(order, 'cancelled');
  expect(note).toMatch(/cancelled at the service.* Its signature is good until 20\d\d-.* UTC, and counts until then\./);
  expect(spendable('WETH'), 'a reorganisation may take the cancellation back').toBe(HELD.WETH - 4n * ETHER - 1n);
  await desk.close();
  desk = await open();
  expect(spendable('WETH'), 'also after a restart').toBe(HELD.WETH - 4n * ETHER - 1n);
  await market.floor.control.mine({ blocks: 70 });
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n));
});

test('an order that a person gave up counts until the clocks of the chain and of the desk agree that its deadline is past', async () => {
  const order = await desk.place(limitOf('4'));
  await desk.reached(order, 'submitted');
  await desk.hedging.engine.giveUp(order, 'the service does not answer', 'trader');
  expect((await desk.record(order)).note).toMatch(/does not answer\. Its signature is good until/);
  const counts = HELD.WETH - 4n * ETHER - 1n;
  expect(spendable('WETH')).toBe(counts);
  const { deadline } = (await desk.record(order)).opened;
  chainBehind = deadline - market.now() + 100;
  market.shiftClock((deadline - market.now() + 10) * 1_000);
  desk.rooms.guard.orders.tick();
  expect(spendable('WETH'), 'our clock alone ends nothing').toBe(counts);
  await desk.close();
  desk = await open();
  expect(spendable('WETH'), 'nor does a restart').toBe(counts);
  chainBehind = 0;
  desk.rooms.guard.orders.tick();
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n));
});

test('an order that was filled leaves nothing that counts', async () => {
  const order = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '1' } }));
  expect(spendable('WETH')).toBe(HELD.WETH - ETHER - 1n);
  const { note } = await desk.reached(order, 'done');
  expect(note).toBeNull();
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n));
});

test('what a purchase under way may spend at most is quoted by nobody', async () => {
  const [destToken, srcToken] = [market.token('WETH'), market.token('USDC')];
  const ask = { srcToken, destToken, side: 'BUY' as const, amount: '2' };
  const order = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '30' }, ask }));
  await desk.reached(order, 'submitted');
  await vi.waitFor(() => expect(spendable('USDC')).toBe(HELD.USDC - 30n * DOLLAR - 1n));
  await desk.close();
  desk = await open();
  await vi.waitFor(() => expect(spendable('USDC')).toBe(HELD.USDC - 30n * DOLLAR - 1n));
});

test('what was spent is gone once the balance is of its block, whenever a node that is behind is looked at', () => {
  const [WETH, seen] = [market.token('WETH'), { at: 1_000, block: 7, now: 1_000 }];
  const takes = new HedgeTakes({ seenAt: () => seen.at, seenBlock: () => seen.block, now: () => seen.now });
  takes.set(1, { token: WETH, amount: 60n, until: null });
  takes.set(1, { token: WETH, amount: 0n, until: null, block: 9 });
  expect(takes.sum(WETH)).toBe(60n);
  for (const [at, block, counted] of [
    [1_500, 7, 60n],
    [2_000, 8, 60n],
    [2_500, 9, 0n],
  ] as const) {
    Object.assign(seen, { at, block, now: at });
    // What the end of the hedge says once more is of that block too.
    if (block === 8) takes.set(1, { token: WETH, amount: 0n, until: null });
    expect([block, takes.sum(WETH)]).toEqual([block, counted]);
  }
  takes.set(2, { token: WETH, amount: 5n, until: null });
  takes.set(2, { token: WETH, amount: 0n, until: null });
  expect(takes.sum(WETH)).toBe(5n);
  seen.at = 3_000;
  expect(takes.sum(WETH)).toBe(0n);
});

test('a swap takes what it was placed for until it is mined and the chain was looked at after that', async () => {
  const swap = await desk.place(desk.wish({ ask: { amount: '1' } }));
  expect(spendable('WETH')).toBe(HELD.WETH - ETHER - 1n);
  seenAt = now();
  await desk.reached(swap, 'done');
  expect(spendable('WETH'), 'the balance that is known is from before').toBe(HELD.WETH - ETHER - 1n);
  seenAt = null;
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n));
});

test('a hedge by hand that takes what quotes or other hedges promise is a question with what mends it, and done once it is answered', async () => {
  const withdraw = promise(4n * ETHER);
  const wish = limitOf('7');
  expect(await desk.hedging.prepare(wish)).toMatchObject({
    refusal: null,
    promised: expect.stringMatching(/promise WETH/),
  });
  await expect(desk.place(wish)).rejects.toMatchObject({
    code: 'promised_unconfirmed',
    message: expect.stringMatching(/Signed quotes and other hedges still promise WETH/),
    remedy: expect.stringMatching(/Hedge less, wait/),
  });
  withdraw();
  expect((await desk.hedging.prepare(wish)).promised).toBeNull();
  await desk.place(limitOf('6'));
  await expect(desk.place(limitOf('5')), 'the other hedge').rejects.toMatchObject({ code: 'promised_unconfirmed' });
  const seq = await desk.place({ ...limitOf('5'), acceptPromised: true });
  await desk.reached(seq, 'submitted');
  expect(spendable('WETH'), 'and counts').toBe(0n);
});

test('two hedges that are placed at once do not take the same balance', async () => {
  const both = await Promise.allSettled([desk.place(limitOf('6')), desk.place(limitOf('6'))]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a purchase is held against what quotes promise of the token that it spends', async () => {
  const { exposure } = desk.rooms.guard.orders.of(CHAIN);
  const terms = asked({ makerAsset: market.token('USDC'), makerAmount: 49_990n * DOLLAR });
  exposure.reserve({ orderHash: `0x${'7'.repeat(64)}`, terms, expiry: market.now() + 150 });
  const [destToken, srcToken] = [market.token('WETH'), market.token('USDC')];
  const ask = { srcToken, destToken, side: 'BUY' as const, amount: '2' };
  await expect(desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '30' }, ask }))).rejects.toMatchObject({
    code: 'promised_unconfirmed',
  });
  // Nothing on the screen said what it takes: what is built says it.
  const seq = await desk.place(desk.wish({ ask }));
  const { note, transactions } = await desk.reached(seq, 'failed');
  expect(note).toMatch(/promise USDC/);
  expect(transactions.filter(({ purpose }) => purpose === 'swap')).toEqual([]);
});

/** A desk that hedges WETH/USDC by itself, and gave its first order up since the service did not say that it has it; `handOver` brings it there. */
async function autoWithLostOrder(capPerDay: string) {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now, view, chain: TOLD_REFERENCE });
  const post = market.client.post.bind(market.client);
  let lost: (() => Promise<unknown>) | null = null;
  const posting = vi.spyOn(market.client, 'post').mockImplementation((async (question: { path: string }) => {
    if (!question.path.endsWith('/orders')) return post(question as never);
    lost ??= () => post(question as never); // it is handed over again and again until it is given up
    throw new ServiceFault('service_unreachable', 'The service hung up.', { fate: 'unknown' });
  }) as never);
  desk.refers((await desk.poolMid()).toFixed(2));
  await desk.hedging.auto.set(CHAIN, 'WETH/USDC', { ...auto('0.5'), capPerDay, mode: 'intent' }, 'trader');
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const first = await vi.waitFor(async () => {
    const [hedge] = await hedges();
    expect(hedge?.state).toBe('signed');
    expect(lost).not.toBeNull();
    return hedge?.seq ?? 0;
  }, SOON);
  await desk.hedging.engine.giveUp(first, 'the service does not have it', 'trader');
  posting.mockRestore();
  return { first, fill, handOver: async () => lost?.() };
}
const hedges = () => desk.rooms.journal.read.hedges({ limit: 100 });
const autoRow = async () => (await desk.hedging.auto.rows())[0];
/** Time goes by for the desk and its chain; the reference goes with it. */
async function pass(seconds: number) {
  market.shiftClock(seconds * 1_000);
  desk.refers((await desk.poolMid()).toFixed(2));
}

test('what an order may still close whose hedge has ended is hedged no second time, by the desk or by the next one, and counts against the cap', async () => {
  const { first, fill, handOver } = await autoWithLostOrder('1.5');
  await pass(62);
  const waits =
    /^It waits to sell 1 WETH\. Hedge \d+ has ended, but its signature is good until 20\d\d-.* UTC: it may still be filled/;
  await vi.waitFor(async () => expect((await autoRow())?.last?.sentence).toMatch(waits), SOON);
  const alert = { kind: 'refused', sentence: expect.stringMatching(waits) };
  await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toMatchObject([alert]), SOON);
  expect(await autoRow(), 'all that it placed').toMatchObject({ unhedged: '0', hedgedToday: `${ETHER}` });
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const [second] = await vi.waitFor(async () => {
    const found = await hedges();
    expect(found).toHaveLength(2);
    return found;
  }, SOON);
  expect(second?.opened, 'the new fill alone, as far as the cap goes').toMatchObject({ amount: `${ETHER / 2n}` });
  expect(second?.opened.fillSeqs).not.toContain(fill);
  await desk.reached(second?.seq ?? 0, 'done');
  await desk.close();
  desk = await openHedgingDesk(market, { ...home, now, view, chain: TOLD_REFERENCE });
  expect(await autoRow(), 'also after a restart').toMatchObject({ hedgedToday: `${(ETHER * 3n) / 2n}` });
  expect((await autoRow())?.unhedged).toBe(`${ETHER / 2n}`);
  await handOver();
  await vi.waitFor(async () => expect((await desk.record(first)).spent).toBe(`${ETHER}`), SOON);
  expect(await desk.net('WETH')).toBe(ETHER / 2n);
  expect(await autoRow()).toMatchObject({ hedgedToday: `${(ETHER * 3n) / 2n}`, unhedged: `${ETHER / 2n}` });
});

test('once the order of an ended hedge can be filled no more its fill is hedged at once', async () => {
  const { first } = await autoWithLostOrder('10');
  await pass((await desk.record(first)).opened.deadline - market.now() + 5);
  desk.rooms.guard.orders.tick();
  await vi.waitFor(async () => expect(await hedges()).toHaveLength(2), SOON);
  const [second] = await hedges();
  await desk.reached(second?.seq ?? 0, 'done');
  expect(await desk.net('WETH')).toBe(0n);
});

test('whoever hedges by hand what is being closed already, or may still be, is asked first; other fills are not asked about', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const order = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '900000' } }));
  await desk.reached(order, 'submitted');
  const again = () => desk.place(desk.wish({ acceptDistance: true }));
  expect((await desk.hedging.prepare(desk.wish())).covered).toMatch(
    /^Hedge \d+ is on its way\. .*close the position twice/,
  );
  await expect(again()).rejects.toMatchObject({
    code: 'covered_unconfirmed',
    message: expect.stringMatching(/on its way/),
  });
  await desk.hedging.engine.giveUp(order, 'nobody takes it', 'trader');
  const isAsked = {
    code: 'covered_unconfirmed',
    message: expect.stringMatching(/has ended, but its signature is good until/),
  };
  await expect(again()).rejects.toMatchObject(isAsked);
  await expect(desk.place(desk.wish({ fillSeqs: [fill] }))).rejects.toMatchObject(isAsked);
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
  await expect(desk.place(desk.wish(), true), 'it would close it twice').rejects.toMatchObject(isAsked);
  await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'over' });
  const other = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await again();
  expect((await desk.reached(seq, 'done')).opened.fillSeqs, 'the fill that nothing closes').toEqual([other]);
  const twice = await desk.place(desk.wish({ acceptCovered: true }));
  expect((await desk.reached(twice, 'done')).opened.fillSeqs).toEqual([fill]);
});

test('a halted desk says what may close a position already, and closes it all the same where a person wants that', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const order = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '900000' } }));
  await desk.reached(order, 'submitted');
  await desk.hedging.engine.giveUp(order, 'nobody takes it', 'trader');
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
  const again = (said: Parameters<HedgingDesk['wish']>[0] = {}, confirmed = true) =>
    desk.place(desk.wish({ acceptDistance: true, ...said }), confirmed);
  const why = expect.stringMatching(/^Hedge \d+ has ended, but its signature is good until/);
  expect(await desk.hedging.prepare(desk.wish())).toMatchObject({
    refusal: null,
    needsConfirmation: true,
    covered: why,
    covering: [order],
  });
  const isAsked = { code: 'covered_unconfirmed', message: why, fields: { covering: [order] } };
  await expect(again()).rejects.toMatchObject(isAsked);
  await expect(again({ acceptCovered: true }, false)).rejects.toMatchObject({ code: 'halted_unconfirmed' });
  await expect(again({ acceptCovered: true, ask: { amount: '2' } })).rejects.toMatchObject({
    code: 'halted',
    message: expect.stringMatching(/it would open one/),
  });
  await desk.reached(await again({ acceptCovered: true }), 'done');
  expect(await desk.net('WETH')).toBe(0n);
});

test('a halted desk says so where it is not known how much of a position is closed already', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const limit = { way: { mode: 'limit' as const, limitAmount: '0.001' }, ask: { side: 'BUY' as const, amount: '900' } };
  await desk.reached(await desk.place(desk.wish({ ...limit, acceptDistance: true })), 'submitted');
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
  await expect(desk.place(desk.wish({ acceptDistance: true }), true)).rejects.toMatchObject({
    code: 'covered_unconfirmed',
    message: expect.stringMatching(/closed by what is under way is not known\. Hedge \d+ is on its way/),
  });
});

test('a yes to what was shown to close a position already is none to a hedge that was placed since', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const waiting = { way: { mode: 'limit' as const, limitAmount: '900000' }, acceptDistance: true };
  const first = await desk.place(desk.wish(waiting));
  const { covering: shown } = await desk.hedging.prepare(desk.wish());
  expect(shown).toEqual([first]);
  const yes = { ...waiting, acceptCovered: true };
  const second = await desk.place(desk.wish({ ...yes, seenCovering: shown }));
  await expect(desk.place(desk.wish({ ...yes, seenCovering: shown }))).rejects.toMatchObject({
    code: 'covered_unconfirmed',
    message: `Hedge ${second} is on its way. Another hedge of the same would close the position twice.`,
    fields: { covering: [first, second] },
  });
  await desk.place(desk.wish({ ...yes, seenCovering: [first, second] }));
  await desk.place(desk.wish(yes));
});

test('automatic hedging takes nothing that signed quotes promise: it hedges what is left, else it waits and says so', async () => {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now, view, chain: TOLD_REFERENCE });
  desk.refers((await desk.poolMid()).toFixed(2));
  const row = async () => (await desk.hedging.auto.rows())[0];
  const withdraw = promise(8n * ETHER);
  await desk.hedging.auto.set(CHAIN, 'WETH/USDC', auto('3'), 'trader');
  await desk.filled('bids', 5n * ETHER, 16_900n * DOLLAR);
  await vi.waitFor(
    async () => expect((await row())?.last?.sentence).toMatch(/^It waits to sell 5 WETH\. .*promise WETH/),
    SOON,
  );
  await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused' }]), SOON);
  expect(await desk.rooms.journal.read.hedges({ limit: 5 })).toEqual([]);
  await desk.hedging.auto.set(CHAIN, 'WETH/USDC', auto('1'), 'trader');
  await desk.filled('bids', 5n * ETHER, 16_900n * DOLLAR);
  await vi.waitFor(async () => expect(await desk.rooms.journal.read.hedges({ limit: 5 })).toHaveLength(1), SOON);
  const [hedge] = await desk.rooms.journal.read.hedges({ limit: 5 });
  expect(hedge?.opened).toMatchObject({ automatic: true, amount: `${2n * ETHER - 1n}` });
  withdraw();
});
