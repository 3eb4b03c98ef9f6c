import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AutoHedge } from '../../electron/contract/hedge-terms.ts';
import { permitWayOf } from '../../electron/hedge/token-permits.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { interval: 30 };
const CHAIN = 31337;
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, home);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

type Question = { path: string };
const bought = () => desk.filled('bids', ETHER, 3_390n * DOLLAR);
const halt = () => desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
const hedges = () => desk.rooms.journal.read.hedges({ limit: 100 });
/** Answers of the service to these questions are changed. */
function changed(which: 'get' | 'post', path: RegExp, change: (answer: never) => unknown): void {
  const ask = market.client[which].bind(market.client);
  vi.spyOn(market.client, which).mockImplementation((async (question: Question) => {
    const answer = await ask(question as never);
    return path.test(question.path) ? change(answer as never) : answer;
  }) as never);
}

test('what was said while the desk was not halted is no answer to the question that a halt asks', async () => {
  changed('get', /^\/prices$/, async (answer) => {
    await halt();
    return answer;
  });
  const seq = await desk.place(desk.wish({ ask: { amount: '5' } }), true);
  await vi.waitFor(async () => expect((await desk.record(seq)).held).toBe(true), PATIENT);
  expect((await desk.record(seq)).transactions).toEqual([]);
  await expect(desk.hedging.engine.send(seq, true, 'trader')).rejects.toMatchObject({ code: 'halted' });
  await desk.hedging.engine.cancel(seq, 'trader');
  await desk.reached(seq, 'cancelled');
});

test('while the desk is halted hedges together close no more than the position, whoever comes first', async () => {
  await bought();
  await halt();
  const placed = await Promise.allSettled([0, 1, 2].map(() => desk.place(desk.wish({ ask: { amount: '0.6' } }), true)));
  const seqs = placed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(seqs).toHaveLength(1);
  const codes = placed.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(codes).toEqual(['covered_unconfirmed', 'covered_unconfirmed']);
  await desk.place(desk.wish({ ask: { amount: '0.4' } }), true).then((seq) => desk.reached(seq, 'done'));
  expect(await desk.net('WETH')).toBe(0n);
  await expect(desk.hedging.prepare(desk.wish({ ask: { amount: '0.6' } }))).resolves.toMatchObject({
    refusal: expect.stringMatching(/would open one/),
  });
});

test('a built swap whose least is a word somewhere else is not signed, also where no slippage is allowed', async () => {
  const word = (amount: bigint) => amount.toString(16).padStart(64, '0');
  let quoted = 0n;
  changed('get', /^\/prices$/, (answer: { priceRoute: { destAmount: string } }) => {
    quoted = BigInt(answer.priceRoute.destAmount);
    return answer;
  });
  const post = market.client.post.bind(market.client);
  vi.spyOn(market.client, 'post').mockImplementation((async (question: Question) => {
    const answer = (await post(question as never)) as { data: string };
    if (!question.path.startsWith('/transactions')) return answer;
    return { ...answer, data: answer.data.replace(word(quoted), word(1n)) + word(quoted) };
  }) as never);
  const seq = await desk.place(desk.wish({ ask: { slippageBps: 0 } }));
  expect((await desk.reached(seq, 'failed')).note).toMatch(/brings 1 raw units at least/);
  expect(await desk.steps(seq)).not.toContain('swap_built');
});

test('a route that moves the price beyond the ceiling of the service is not signed', async () => {
  changed('get', /^\/prices$/, (answer: { priceRoute: object }) => {
    return { ...answer, priceRoute: { ...answer.priceRoute, maxImpactReached: true } };
  });
  const seq = await desk.place(desk.wish());
  expect((await desk.reached(seq, 'failed')).note).toMatch(/ceiling/);
  expect(await desk.steps(seq)).toEqual(['ended']);
  expect((await desk.hedging.prepare(desk.wish())).refusal).toMatch(/ceiling/);
});

test.each(['market', 'intent'] as const)(
  'what a halt holds until its price is too old is priced and built anew by %s, and not at all after its deadline',
  async (mode) => {
    let shift = 0;
    await desk.close();
    desk = await openHedgingDesk(market, { ...home, now: () => Date.now() + shift });
    await bought();
    const holding = async () => {
      changed('post', /^\/transactions|\/build$/, async (answer) => {
        await halt();
        return answer;
      });
      const seq = await desk.place(desk.wish({ way: { mode } }));
      await vi.waitFor(async () => expect((await desk.record(seq)).held).toBe(true), PATIENT);
      vi.restoreAllMocks();
      return seq;
    };
    const built = mode === 'market' ? 'swap_built' : 'order_built';
    const seq = await holding();
    const count = async () => (await desk.steps(seq)).filter((step) => step === built).length;
    expect(await count()).toBe(1);
    shift += 31_000;
    await desk.hedging.engine.send(seq, true, 'trader');
    expect((await desk.reached(seq, 'done')).spent).toBe(`${ETHER}`);
    expect(await count()).toBe(2);
    await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'once more' });
    await bought();
    const late = await holding();
    shift += 601_000;
    expect((await desk.reached(late, 'failed')).note).toMatch(/deadline passed before it was signed/);
    const sent = (await desk.record(late)).transactions.filter(({ purpose }) => purpose !== 'approval');
    expect(sent).toEqual([]);
  },
);

/** A new desk whose chain has a reference. */
async function reopened(now: () => number = Date.now): Promise<void> {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now, chain: TOLD_REFERENCE });
}

const SETTINGS: AutoHedge = {
  on: true,
  threshold: '0.5',
  capPerDay: '100',
  slippageBps: 100,
  mode: 'market',
  dryRun: false,
  maxDistanceBps: 100,
  lossCapPerDay: '0',
} as const;
const set = (change: Partial<AutoHedge> = {}) =>
  desk.hedging.auto.set(CHAIN, 'WETH/USDC', { ...SETTINGS, ...change }, 'trader');
const said = async () => (await desk.hedging.auto.rows()).find(({ pair }) => pair === 'WETH/USDC')?.last?.sentence;

test('automatic hedging that is switched off, or to a dry run, places nothing after the answer', async () => {
  await reopened();
  const place = vi.spyOn(desk.hedging.engine, 'place');
  const { read } = desk.rooms.journal;
  const slow = read.unhedgedFills.bind(read);
  let reached = () => {};
  const underWay = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let goOn = () => {};
  const wait = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  desk.refers('3400');
  await set();
  vi.spyOn(read, 'unhedgedFills').mockImplementation(async (which) => {
    reached();
    await wait;
    return slow(which);
  });
  await bought();
  await underWay;
  let answered = false;
  const switched = set({ dryRun: true }).then(() => {
    answered = true;
    return place.mock.calls.length;
  });
  // What is written after the switch was asked for is durable: so would the switch be.
  await bought();
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered, 'a look is under way').toBe(false);
  goOn();
  const before = await switched;
  await bought();
  await vi.waitFor(async () => expect(await said()).toMatch(/dry run|began/), PATIENT);
  expect(place.mock.calls.length).toBe(before);
});

test('automatic hedging hands no calldata out: without the key of the maker it says what it would do, once', async () => {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, maker: market.floor.wallet });
  await set();
  await bought();
  await vi.waitFor(async () => expect(await said()).toMatch(/does not hold the key/), PATIENT);
  const head = desk.rooms.journal.head().seq;
  await bought();
  await bought();
  await vi.waitFor(async () => expect(await said()).toMatch(/sell 3 WETH/), PATIENT);
  expect(await hedges()).toEqual([]);
  // Three rows of each fill's quote and fill, and one or two sentences.
  expect(desk.rooms.journal.head().seq - head).toBeLessThanOrEqual(6);
});

test('an automatic hedge that a person gave up, or that failed, is not begun again at once, and less often each time', async () => {
  let shift = 0;
  await reopened(() => Date.now() + shift);
  desk.refers('3400');
  changed('get', /^\/prices$/, () => Promise.reject(new Error('no price today')));
  await set();
  const count = async () => (await hedges()).filter(({ state }) => state === 'failed').length;
  await bought();
  await vi.waitFor(async () => expect(await count()).toBe(1), PATIENT);
  const looked = vi.spyOn(desk.rooms.journal.read, 'automaticHedges');
  const look = async () => {
    const before = looked.mock.calls.length;
    await set({ slippageBps: 100 });
    await vi.waitFor(() => expect(looked.mock.calls.length).toBeGreaterThan(before), PATIENT);
    await set();
  };
  await look();
  expect(await count(), 'a minute has not passed').toBe(1);
  shift += 61_000;
  await look();
  await vi.waitFor(async () => expect(await count()).toBe(2), PATIENT);
  shift += 61_000;
  await look();
  expect(await count(), 'two minutes have not passed').toBe(2);
});

test.each(['0.0000001', '1000000'])(
  'the gas of a swap counts at the reference of its coin, not at the %s dollars that the service reckons it at',
  async (gasCostUSD) => {
    await reopened();
    const mid = (await desk.poolMid()).toFixed(6);
    desk.refers(mid);
    let told = '';
    changed('get', /^\/prices$/, (answer: { priceRoute: { gasCostUSD: string } }) => {
      told = answer.priceRoute.gasCostUSD;
      return { ...answer, priceRoute: { ...answer.priceRoute, gasCostUSD } };
    });
    // It builds only what it said itself.
    const post = market.client.post.bind(market.client);
    vi.spyOn(market.client, 'post').mockImplementation((async (question: { body: { priceRoute?: object } }) => {
      const { body } = question;
      const route = body.priceRoute === undefined ? {} : { priceRoute: { ...body.priceRoute, gasCostUSD: told } };
      return post({ ...question, body: { ...body, ...route } } as never);
    }) as never);
    await set();
    await bought();
    const hedge = await vi.waitFor(async () => {
      const [one] = await hedges();
      expect(one?.state, one?.note ?? '').toBe('done');
      return one;
    }, PATIENT);
    expect(hedge).toMatchObject({ nativeUsd: mid, feeWei: expect.stringMatching(/^[1-9]/) });
    const lost = Number((await desk.hedging.auto.rows()).find(({ pair }) => pair === 'WETH/USDC')?.lostToday) / 1e6;
    const moved = Number(mid) - Number(hedge?.received) / 1e6;
    expect(lost - moved).toBeCloseTo((Number(hedge?.feeWei) / 1e18) * Number(mid), 3);
  },
);

/** The pool, with so many basis points under the reference. */
async function skewed(bps: number): Promise<void> {
  await reopened();
  desk.refers(((await desk.poolMid()) * (1 + bps / 10_000)).toFixed(6));
}

test.each(['market', 'intent'] as const)(
  'automatic hedging by %s sells nothing further under the reference than its pair allows, and says so',
  async (mode) => {
    await skewed(150);
    await set({ mode, maxDistanceBps: 50 });
    await bought();
    const hedge = await vi.waitFor(async () => {
      const [one] = await hedges();
      expect(one?.state).toBe('failed');
      return one;
    }, PATIENT);
    expect(hedge?.note).toMatch(
      /^The price is 1\d\d\.?\d* bps under the reference of WETH\/USDC, [\d.]+; the limit is 50 bps/,
    );
    expect(hedge).toMatchObject({ spent: '0', transactions: [] });
    await vi.waitFor(
      () => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused', sentence: /the last one failed/ }]),
      PATIENT,
    );
  },
);

test('an automatic hedge that is near enough is signed with a bound that is no further off', async () => {
  await skewed(0);
  await set({ maxDistanceBps: 80 });
  await bought();
  const seq = await vi.waitFor(async () => {
    const [one] = await hedges();
    expect(one?.state).toBe('done');
    return one?.seq ?? 0;
  }, PATIENT);
  const steps = (await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step);
  const built = steps.find((step) => step.step === 'swap_built');
  const mid = Number((await desk.record(seq)).opened.referenceMid);
  const least = Number(built?.step === 'swap_built' ? built.least : 0) / 1e6;
  expect(least / mid).toBeGreaterThan(0.9919);
  expect(least / mid, 'the slippage alone would allow 1 % and more').toBeLessThan(0.9922);
});

test('without a fresh reference nothing is hedged automatically, and by hand it is a question', async () => {
  let shift = 0;
  await reopened(() => Date.now() + shift);
  await set();
  await bought();
  const refusal = () =>
    expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused', sentence: /no fresh price/ }]);
  await vi.waitFor(refusal, PATIENT);
  expect(await hedges()).toEqual([]);
  await expect(desk.place(desk.wish())).rejects.toMatchObject({ code: 'off_reference_unconfirmed' });
  desk.refers((await desk.poolMid()).toFixed(6));
  shift = 3_601_000;
  await expect(desk.place(desk.wish())).rejects.toMatchObject({ code: 'off_reference_unconfirmed' });
  expect((await desk.hedging.prepare(desk.wish())).farOff).toMatch(/no fresh price/);
});

test('a hedge by hand that is far off the reference is a question, and done once it is answered', async () => {
  await skewed(150);
  const quote = (await desk.offers(desk.wish().ask)).market.quote;
  const shown = quote?.destAmount ?? '';
  expect((await desk.hedging.prepare(desk.wish())).farOff).toMatch(/bps under the reference/);
  await expect(desk.place(desk.wish({ shown }))).rejects.toMatchObject({
    code: 'off_reference_unconfirmed',
    message: expect.stringMatching(/bps under the reference/),
  });
  // Who places without a price on a screen is not asked, and not let through either.
  const blind = await desk.place(desk.wish());
  expect(await desk.reached(blind, 'failed')).toMatchObject({ note: expect.stringMatching(/bps under/), spent: '0' });
  const limit = desk.wish({ way: { mode: 'limit', limitAmount: '3000' } });
  await expect(desk.place(limit)).rejects.toMatchObject({ code: 'off_reference_unconfirmed' });
  const seq = await desk.place(desk.wish({ shown, acceptDistance: true }));
  expect((await desk.reached(seq, 'done')).spent).toBe(`${ETHER}`);
});

test('what automatic hedging lost in a day against the reference switches it off, and only a person switches it on again', async () => {
  await skewed(0);
  await set({ lossCapPerDay: '5' });
  await bought();
  await vi.waitFor(async () => expect((await hedges())[0]?.state).toBe('done'), PATIENT);
  const stopped = await vi.waitFor(() => {
    const [alert] = desk.hedging.auto.alerts();
    expect(alert?.kind).toBe('stopped');
    return alert;
  }, PATIENT);
  expect(stopped?.sentence).toMatch(
    /switched off: it lost \d+\.?\d* USDC against the reference today, and the limit is 5/,
  );
  const [row] = await desk.hedging.auto.rows();
  expect(row).toMatchObject({ stopped: true, settings: { on: false, lossCapPerDay: '5' } });
  const [done] = await hedges();
  const [spent, got] = [Number(done?.spent) / 1e18, Number(done?.received) / 1e6];
  const lost = Number(row?.lostToday) / 1e6;
  expect(lost).toBeGreaterThanOrEqual(spent * Number(done?.opened.referenceMid) - got - 1e-6);
  await bought();
  await set({ lossCapPerDay: '500' });
  await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toEqual([]), PATIENT);
  expect(await hedges()).toHaveLength(1);
});

test('Permit2 is used where it checks what would be signed; on a chain without it, or with something else there, it is not', async () => {
  const { client } = market.floor.chain;
  const node = desk.hedging.engine.node(CHAIN);
  const token = `0x${'ab'.repeat(20)}` as const;
  const way = () => permitWayOf(node, token, desk.maker, { permit2: PERMIT2, nonce: 7n });
  const code = (bytecode: `0x${string}`, address: `0x${string}` = PERMIT2) =>
    market.floor.control.setCode({ address, bytecode });
  // A token without a permit of its own: it answers 1 whatever it is asked.
  await code('0x600160005260206000f3', token);
  expect(await way(), 'nothing is there').toBeNull();
  await code((await client.getCode({ address: market.token('USDC') })) ?? '0x');
  expect(await way(), 'another contract is there').toBeNull();
  await code((await client.getCode({ address: market.floor.permit2 })) ?? '0x');
  expect(await way()).toMatchObject({ kind: 'permit2', contract: PERMIT2, nonce: 7n, allowance: 1n });
  await code('0x');
});
