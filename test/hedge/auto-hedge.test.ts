import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AutoHedge } from '../../electron/contract/hedge-terms.ts';
import { askForFills } from '../../electron/hedge/fills-to-hedge.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { fromRaw } from '../../electron/protocol/decimal.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const CHAIN = 31337;
const PAIR = 'WETH/USDC';
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { interval: 30 };

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
  desk = await openHedgingDesk(market, { ...home, chain: TOLD_REFERENCE });
  desk.refers((await desk.poolMid()).toFixed(6));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const bought = (base: bigint) => desk.filled('bids', base, (base * 3_390n * DOLLAR) / ETHER);
const set = (change: Partial<AutoHedge> = {}) => {
  const limits = { threshold: '0.5', capPerDay: '100', slippageBps: 100, maxDistanceBps: 100, lossCapPerDay: '0' };
  const settings = { on: true, ...limits, mode: 'market' as const, dryRun: false, ...change };
  return desk.hedging.auto.set(CHAIN, PAIR, settings, 'trader');
};
const row = async () => (await desk.hedging.auto.rows()).find(({ pair }) => pair === PAIR);
const hedges = () => desk.rooms.journal.read.hedges({ limit: 100 });
const fills = () => desk.rooms.journal.read.hedgedFills({ limit: 100, now: Date.now() });
/** The automatic hedge that was placed last, once it is done. */
const hedged = () =>
  vi.waitFor(async () => {
    const found = (await hedges()).find(({ opened }) => opened.automatic);
    expect(found?.state, found?.note ?? '').toBe('done');
    return found;
  }, PATIENT);

test('after the base of a pair got another address automatic hedging hedges what is filled of it once, leaves what was filled before out, and says so', async () => {
  await set();
  const before = await bought(ETHER / 10n);
  const { book, journal } = desk.rooms;
  const other = market.token('DAI');
  await market.floor.call(market.floor.owner, TEST_TOKEN, other, 'mint', [desk.maker, 10n * ETHER]);
  await book.removeToken(CHAIN, 'DAI', 'trader');
  await book.saveToken(CHAIN, 'WETH', { ...book.chain(CHAIN)?.tokens.get('WETH'), address: other }, 'trader');
  desk.refers('1');
  const after = await desk.filled('bids', ETHER, DOLLAR, other);
  expect((await hedged())?.opened).toMatchObject({ fillSeqs: [after], src: { address: other }, amount: `${ETHER}` });
  // It looks again at every fill; where a hedge covered nothing it would begin the same again.
  const dust = await desk.filled('bids', ETHER / 10n, DOLLAR / 10n, other);
  const said = `1 open fill of ${PAIR} is of ${market.token('WETH')}, which is no longer its base token, so left out: hedge by hand. There is nothing else to hedge.`;
  await vi.waitFor(async () => expect((await row())?.last?.sentence).toBe(said), PATIENT);
  await vi.waitFor(
    () => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused', sentence: said }]),
    PATIENT,
  );
  expect(await hedges()).toHaveLength(1);
  expect((await fills()).map(({ seq, cover }) => [seq, cover])).toEqual([
    [dust, 'unhedged'],
    [after, 'hedged'],
    [before, 'unhedged'],
  ]);
  expect(await row()).toMatchObject({ unhedged: `${ETHER / 10n}`, hedgedToday: `${ETHER}` });
  const twoTokens = { code: 'bad_fills', message: expect.stringMatching(/^These fills are of two tokens/) };
  const fillSeqs = [before, dust];
  await expect(desk.place(desk.wish({ fillSeqs, ask: { srcToken: other } }))).rejects.toMatchObject(twoTokens);
  const asked = { chainId: CHAIN, pair: PAIR, fillSeqs };
  await expect(askForFills({ journal, now: Date.now }, asked)).rejects.toMatchObject(twoTokens);
  const elsewhere = { mode: 'by-hand' as const, other: '0.2', where: 'Kraken' };
  const byHand = await desk.place(desk.wish({ way: elsewhere, ask: { srcToken: other, amount: '0.2' } }));
  expect((await desk.record(byHand)).opened.fillSeqs, 'of the token that is sold').toEqual([dust]);
});

/** From here on this token of the pair is another contract, of 18 decimals. */
async function tokenIsOther(symbol: 'WETH' | 'USDC'): Promise<void> {
  const { book } = desk.rooms;
  await book.removeToken(CHAIN, 'DAI', 'trader');
  const other = { ...book.chain(CHAIN)?.tokens.get(symbol), address: market.token('DAI'), decimals: 18 };
  await book.saveToken(CHAIN, symbol, other, 'trader');
}
const lostToday = async () => BigInt((await row())?.lostToday ?? 0);

test.each([
  ['base', 'WETH', 1n],
  ['quote', 'USDC', 10n ** 12n],
] as const)(
  'what a pair lost today counts on by whole tokens after its %s became another token, and switches it off',
  async (_, symbol, units) => {
    await set({ lossCapPerDay: '1000' });
    await bought(ETHER);
    await hedged();
    const before = await lostToday();
    expect(before).toBeGreaterThan(0n);
    await tokenIsOther(symbol);
    // Its gas is reckoned down to the finer unit.
    expect(((await lostToday()) + units - 1n) / units).toBe(before);
    await set({ lossCapPerDay: fromRaw(before / 2n, 6) });
    const sentence = expect.stringMatching(
      new RegExp(
        `^It is switched off: it lost ${fromRaw(before, 6).slice(0, -2)}\\d* USDC against the reference today`,
      ),
    );
    await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'stopped', sentence }]), PATIENT);
  },
);

test('what a pair gained today in a token that it has no more is no room to lose in the one that it has', async () => {
  desk.refers(((await desk.poolMid()) * 0.98).toFixed(6));
  await set();
  await bought(ETHER);
  await hedged();
  expect(await lostToday()).toBeLessThan(0n);
  await tokenIsOther('USDC');
  expect(await lostToday()).toBe(0n);
});

test('while a hedge that a person placed waits, automatic hedging goes on with the fills that it is not for', async () => {
  const first = await bought(ETHER);
  await set();
  const limit = { way: { mode: 'limit' as const, limitAmount: '900000' }, acceptDistance: true };
  const order = await desk.place(desk.wish(limit));
  expect((await desk.reached(order, 'submitted')).opened).toMatchObject({ pair: PAIR, fillSeqs: [first] });
  const second = await bought(ETHER);
  expect((await hedged())?.opened.fillSeqs).toEqual([second]);
  await desk.hedging.engine.cancel(order, 'trader');
});

test('automatic hedging says for which of its hedges it waits once that waits itself and enough is open beside it', async () => {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { ...TOLD_REFERENCE, hedgeMostGwei: 50 } });
  desk.refers((await desk.poolMid()).toFixed(6));
  const gas = async (gwei: bigint) => {
    await market.floor.control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * 10n ** 9n });
    await market.floor.control.mine({ blocks: 1 });
  };
  await set();
  await gas(400n);
  try {
    await bought(ETHER);
    const waiting = await vi.waitFor(async () => {
      const [hedge] = await hedges();
      expect(hedge?.note).toMatch(/a hedge pays 50 at most/);
      return hedge;
    }, PATIENT);
    const second = await bought(ETHER);
    const sentence = `It waits for hedge ${waiting?.seq}, which waits itself and says for what.`;
    await vi.waitFor(() => expect(desk.hedging.auto.alerts()).toMatchObject([{ kind: 'refused', sentence }]), PATIENT);
    expect(await hedges()).toHaveLength(1);
    await gas(1n);
    await desk.reached(waiting?.seq ?? 0, 'done');
    await bought(ETHER / 1_000n);
    await vi.waitFor(async () => expect(await hedges()).toHaveLength(2), PATIENT);
    expect((await hedged())?.opened.fillSeqs[0]).toBe(second);
  } finally {
    await gas(1n);
  }
});
