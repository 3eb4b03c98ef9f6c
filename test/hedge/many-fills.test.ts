import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fromRaw } from '../../electron/protocol/decimal.ts';
import { type HedgingDesk, hedgeFolder, NOBODYS_MARKET, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const TENTH = ETHER / 10n;
const DOLLAR = 10n ** 6n;
const CHAIN = 31337;
const PATIENT = { interval: 30 };

let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(NOBODYS_MARKET, { ...home, chain: TOLD_REFERENCE });
  desk.refers('3400');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const bought = (base: bigint) => desk.filled('bids', base, 1n + (base * 3_390n * DOLLAR) / ETHER);
const sold = (base: bigint) => desk.filled('asks', base, 1n + (base * 3_410n * DOLLAR) / ETHER);
const times = (count: number, one: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const hedge = (change: { threshold?: string; dryRun?: boolean } = {}) => {
  const limits = { threshold: '5', capPerDay: '100000', slippageBps: 50, maxDistanceBps: 50, lossCapPerDay: '0' };
  const settings = { on: true, ...limits, mode: 'market' as const, dryRun: false, ...change };
  return desk.hedging.auto.set(CHAIN, 'WETH/USDC', settings, 'trader');
};
const row = async () => (await desk.hedging.auto.rows()).find(({ pair }) => pair === 'WETH/USDC');
const fills = () => desk.rooms.journal.read.hedgedFills({ limit: 5_000, now: Date.now() });
const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);
const openOf = async () => sum((await fills()).map(({ unhedgedBase }) => unhedgedBase));

test.each([
  ['of dust', 1n],
  ['of a tenth of a WETH', TENTH],
])('a position is hedged by itself, however many older fills %s close each other', async (_, size) => {
  await hedge({ dryRun: true });
  await times(500, (index) => (index % 2 === 0 ? sold(size) : bought(size)));
  await times(300, () => bought(TENTH));
  await vi.waitFor(async () => expect((await row())?.last?.sentence).toMatch(/^It would sell 30 WETH/), PATIENT);
  expect((await row())?.unhedged).toBe(`${30n * ETHER}`);
});

test('a hedge of more fills than it may name is one of those that make it up, in parts if need be, and none of what it moves is of no fill', async () => {
  const place = desk.hedging.engine.place.bind(desk.hedging.engine);
  // In place of a market each hedge is done elsewhere, at 3,400.
  vi.spyOn(desk.hedging.engine, 'place').mockImplementation((wish, by) => {
    const other = fromRaw((BigInt(Math.round(Number(wish.ask.amount) * 1e9)) * 3_400n) / 1_000n, 6);
    return place({ ...wish, way: { mode: 'by-hand', other, where: 'Kraken' } }, by);
  });
  await hedge({ dryRun: true });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  // By itself it looks again, so that a slow machine may see a second hedge before the threshold is up: each is judged by its own words.
  const begun: { sentence: string; hedgeSeq: number; unhedged: string; alert?: string | undefined }[] = [];
  desk.rooms.journal.onAppended((events) => {
    for (const { kind, body } of events) {
      if (kind === 'auto_hedge_said' && body.hedgeSeq !== null) begun.push({ ...body, hedgeSeq: body.hedgeSeq });
    }
  });
  const kinds = () => desk.hedging.auto.alerts().map(({ kind }) => kind);
  const whole: boolean[] = [];
  for (const { count, most, sales } of [
    { count: 600, most: 1_000, sales: 0 },
    { count: 600, most: 1_000, sales: 40 },
    { count: 700, most: 100, sales: 45 },
  ]) {
    // In sizes from a millionth of a WETH on.
    await times(count, () => {
      const size = (BigInt(1 + random(most)) * ETHER) / 1_000n / (random(3) === 0 ? 1_000n : 1n);
      return random(100) < sales ? sold(size) : bought(size);
    });
    for (let net = await desk.net('WETH'); net >= ETHER; net = await desk.net('WETH')) {
      const earlier = begun.length;
      await hedge({ threshold: '1' });
      await vi.waitFor(() => {
        expect(begun.length).toBeGreaterThan(earlier);
        expect(kinds()).toEqual(begun.at(-1)?.alert === undefined ? [] : ['in_parts']);
      }, PATIENT);
      await hedge({ threshold: '1000' });
      expect(begun[earlier]?.unhedged).toBe(`${net}`);
      for (const { sentence, hedgeSeq, unhedged, alert } of begun.slice(earlier)) {
        const { opened, spent } = await desk.record(hedgeSeq);
        expect(opened.fillSeqs.length).toBeLessThanOrEqual(500);
        const isWhole = spent === unhedged;
        whole.push(isWhole);
        expect(sentence).toMatch(
          isWhole
            ? /^It began to sell/
            : /^Not everything .*: one hedge is for at most 500 fills, and \d+ are open\. It began/,
        );
        expect(alert, 'a person is told').toBe(isWhole ? undefined : 'refused');
      }
      expect(await openOf(), 'what is open of the fills is the position').toBe(await desk.net('WETH'));
    }
  }
  expect(new Set(whole), 'of a part, and of all').toEqual(new Set([false, true]));
  const hedges = await desk.rooms.journal.read.hedges({ limit: 100 });
  const quotes = sum((await fills()).map(({ hedgedQuote }) => hedgedQuote));
  expect(quotes, 'nor is a dollar').toBe(sum(hedges.map(({ received }) => received)));
});

test('a hedge by hand is of as many fills as it takes, and every dollar of it is in one of them', async () => {
  await times(500, (index) => (index % 2 === 0 ? sold(TENTH) : bought(TENTH)));
  await times(300, () => bought(TENTH));
  const way = { mode: 'by-hand' as const, other: '187000', where: 'Kraken' };
  const seq = await desk.place(desk.wish({ way, ask: { amount: '55' } }));
  expect((await desk.record(seq)).opened.fillSeqs).toHaveLength(550);
  expect(sum((await fills()).map(({ hedgedQuote }) => hedgedQuote))).toBe(187_000n * DOLLAR);
  expect(await openOf()).toBe(await desk.net('WETH'));
});

test('a hedge that would make chosen fills more open than they are is refused, and so is one of fills that close each other', async () => {
  const long = await bought(ETHER);
  const short = await sold(ETHER);
  const [WETH, USDC] = ['WETH', 'USDC'].map(NOBODYS_MARKET.token);
  const way = { mode: 'by-hand' as const, other: '3400', where: 'Kraken' };
  const buys = { side: 'BUY' as const, srcToken: USDC, destToken: WETH };
  const refused = (ask: Partial<typeof buys>, fillSeqs: number[], message: RegExp) =>
    expect(desk.place(desk.wish({ way, ask, fillSeqs }))).rejects.toMatchObject({
      code: 'bad_fills',
      message: expect.stringMatching(message),
    });
  await refused(buys, [long], /^A hedge of these fills sells WETH, and this one buys it\.$/);
  await refused({}, [short], /^A hedge of these fills buys WETH, and this one sells it\.$/);
  await refused({}, [long, short], /^Nothing of these fills is open\.$/);
  expect(await desk.rooms.journal.read.hedges({ limit: 9 })).toEqual([]);
  await desk.place(desk.wish({ way, fillSeqs: [long] }));
  expect((await fills()).map(({ cover }) => cover)).toEqual(['unhedged', 'hedged']);
});
