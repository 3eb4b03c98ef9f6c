import { formatUnits } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { approveCall } from '../../electron/chain/allowance.ts';
import type { NodeCall } from '../../electron/chain/node-client.ts';
import { sendCalls } from '../../electron/chain/send-calls.ts';
import { hedgeDetail } from '../../electron/hedge/hedge-view.ts';
import { readStillLive } from '../../electron/hedge/still-live.ts';
import { sentAmounts } from '../../electron/hedge/venues/market/swap-amounts.ts';
import { CONTRACT_MAKER, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { ZERO_ADDRESS } from '../../electron/protocol/address.ts';
import { NATIVE_TOKEN } from '../../electron/protocol/route-token.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { inTime } from '../../electron/time/in-time.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;

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

const holds = (symbol: 'WETH' | 'USDC') => market.floor.balance(symbol, desk.maker);
const PATIENT = { interval: 30 };
const nonce = () => market.floor.chain.client.getTransactionCount({ address: desk.maker });
const approve = (symbol: 'WETH' | 'USDC', amount: bigint) => approved(symbol, router(), amount);
const approved = (symbol: string, spender: `0x${string}`, amount: bigint) =>
  market.floor.call(market.floor.owner, TEST_TOKEN, market.token(symbol), 'approve', [spender, amount]);
const router = () => market.desk.chains[0]?.market.addresses.router ?? '0x';

/** Sold and bought back on the market, with balances to compare. */
async function hedged(wish: Parameters<HedgingDesk['wish']>[0]) {
  const before = [await holds('WETH'), await holds('USDC')] as const;
  const seq = await desk.place(desk.wish(wish));
  const done = await desk.reached(seq, 'done');
  return { seq, done, moved: { WETH: (await holds('WETH')) - before[0], USDC: (await holds('USDC')) - before[1] } };
}

test('a fill is hedged on the market: approved, built, tried, signed, sent, and read from its receipt to the last unit', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  expect(await desk.net('WETH')).toBe(ETHER);
  const { seq, done, moved } = await hedged({ fillSeqs: [fill] });
  expect(moved).toEqual({ WETH: -ETHER, USDC: BigInt(done.received) });
  expect(done.spent).toBe(`${ETHER}`);
  expect(await desk.net('WETH')).toBe(0n);
  expect(await desk.net('USDC')).toBe(BigInt(done.received) - 3_390n * DOLLAR);
  expect(await desk.steps(seq)).toEqual([
    ...['transaction_signed', 'transaction_sent', 'transaction_mined', 'swap_built', 'swap_simulated'],
    ...['transaction_signed', 'transaction_sent', 'transaction_mined', 'ended'],
  ]);
  const [shown] = await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() });
  expect(shown).toMatchObject({ cover: 'hedged', hedges: [seq], unhedgedBase: '0', hedgedQuote: done.received });
  expect(Number(shown?.result)).toBeCloseTo(Number(BigInt(done.received) - 3_390n * DOLLAR) / 1e6, 6);
  expect(Number(shown?.resultUsd)).toBeLessThan(Number(shown?.result));
});

test('an allowance that is enough is left as it is, and what is bought is at least what was asked', async () => {
  await approve('USDC', 2n ** 255n);
  const before = await nonce();
  const { done, moved } = await hedged({
    ask: { srcToken: market.token('USDC'), destToken: market.token('WETH'), side: 'BUY', amount: '0.5' },
  });
  expect(moved).toEqual({ WETH: BigInt(done.received), USDC: -BigInt(done.spent) });
  expect(moved.WETH).toBeGreaterThanOrEqual(ETHER / 2n);
  expect(await nonce()).toBe(before + 1);
});

test('a price that moved beyond what stood on the screen is not signed', async () => {
  const seq = await desk.place(desk.wish({ shown: `${5_000n * DOLLAR}` }));
  expect(await desk.reached(seq, 'failed')).toMatchObject({ note: expect.stringMatching(/price moved/), spent: '0' });
  expect(await desk.steps(seq)).toEqual(['ended']);
});

test('what would fail on chain is not signed, and says why', async () => {
  const seq = await desk.place(desk.wish({ ask: { amount: '101' } }));
  const failed = await desk.reached(seq, 'failed');
  expect(failed.note).toMatch(/balance|would fail/i);
  expect(await desk.steps(seq)).not.toContain('swap_simulated');
});

/** A desk of the owner's wallet, which is a contract. */
async function ofWallet(): Promise<void> {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, maker: market.floor.wallet });
}
/** What the owner of the wallet does with the calldata of a hedge. */
async function sentByOwner(seq: number): Promise<`0x${string}`> {
  const { floor } = market;
  const handed = { ...(await desk.record(seq)), state: 'handed_out' as const };
  const { calldata } = hedgeDetail(handed, await desk.rooms.journal.read.hedgeSteps(seq), null);
  let last: `0x${string}` = '0x';
  for (const { to, data } of calldata) {
    last = await floor.call(floor.owner, CONTRACT_MAKER, floor.wallet, 'execute', [to, data]);
  }
  return last;
}

test('a contract maker gets the calldata, and its hedge runs until the chain shows what the owner did with it', async () => {
  await ofWallet();
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(desk.wish({ fillSeqs: [fill] }));
  expect(await desk.reached(seq, 'handed_out')).toMatchObject({ endedAt: null, transactions: [] });
  expect(await desk.steps(seq)).toEqual(expect.arrayContaining(['swap_built', 'handed_out']));
  await expect(desk.place(desk.wish({ fillSeqs: [fill] }))).rejects.toMatchObject({ code: 'bad_fills' });
  await desk.close();
  desk = await openHedgingDesk(market, { ...home, maker: market.floor.wallet });
  const before = await holds('USDC');
  const hash = await sentByOwner(seq);
  const done = await desk.reached(seq, 'done');
  expect(done).toMatchObject({ spent: `${ETHER}`, feeWei: '0', transactions: [{ hash, nonce: null }] });
  expect(BigInt(done.received)).toBe((await holds('USDC')) - before);
  expect(await desk.net('WETH')).toBe(0n);
});

test('no calldata is handed out once the desk is halted, and that of a new price is once it goes on', async () => {
  await ofWallet();
  const { trading } = desk.rooms.guard;
  const post = market.client.post.bind(market.client);
  const halting = vi.spyOn(market.client, 'post').mockImplementation(async (question) => {
    await trading.halt({}, { actor: 'trader', reason: 'in the middle' });
    return post(question as never);
  });
  const seq = await desk.place(desk.wish({}));
  await vi.waitFor(async () => expect((await desk.record(seq)).held).toBe(true), PATIENT);
  expect(await desk.steps(seq)).not.toContain('handed_out');
  halting.mockRestore();
  await trading.resume({}, { actor: 'trader', reason: 'over' });
  await desk.reached(seq, 'handed_out');
  expect((await desk.steps(seq)).filter((step) => step === 'swap_built')).toHaveLength(2);
});

test('of a swap that was sent a desk that is halted says so: it may be mined', async () => {
  await approve('WETH', 2n ** 255n);
  const { control } = market.floor;
  await control.setAutomine(false);
  try {
    const seq = await desk.place(desk.wish({}));
    await desk.reached(seq, 'sent');
    await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'it is on its way' });
    await vi.waitFor(async () => {
      expect((await desk.record(seq)).note).toMatch(/It was sent and may be mined; it is not sent again/);
    }, PATIENT);
    await control.setAutomine(true);
    await control.mine({ blocks: 1 });
    await desk.reached(seq, 'done');
    await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'over' });
  } finally {
    await control.setAutomine(true);
  }
});

test('no calldata is handed out that goes to the zero address, whatever the service calls its router', async () => {
  await ofWallet();
  const { get, post } = market.client;
  const pinned = `${market.desk.chains[0]?.market.addresses.router}`;
  const swapped = <T>(value: T, one: string, other: string): T =>
    JSON.parse(JSON.stringify(value).replaceAll(one, other));
  vi.spyOn(market.client, 'get').mockImplementation(async (question) =>
    swapped(await get.call(market.client, question), pinned, ZERO_ADDRESS),
  );
  vi.spyOn(market.client, 'post').mockImplementation(async (question) => {
    const body = swapped(question.body, ZERO_ADDRESS, pinned);
    return swapped(await post.call(market.client, { ...question, body }), pinned, ZERO_ADDRESS);
  });
  const seq = await desk.place(desk.wish({ ask: { amount: '0.5' } }));
  expect((await desk.reached(seq, 'failed')).note).toContain(`names ${ZERO_ADDRESS} as its router`);
  expect(await desk.steps(seq)).toEqual(['ended']);
});

test('the transaction of a wallet may be named by a person, and is taken only for what the chain shows', async () => {
  await ofWallet();
  const { floor } = market;
  const seq = await desk.place(desk.wish({ ask: { amount: '0.5' } }));
  await desk.reached(seq, 'handed_out');
  const other = await floor.call(floor.stranger, TEST_TOKEN, market.token('WETH'), 'mint', [desk.maker, 1n]);
  await expect(desk.hedging.engine.sentBy(seq, other, 'trader')).rejects.toMatchObject({ code: 'not_this_hedge' });
  const none = `0x${'ab'.repeat(32)}` as const;
  await expect(desk.hedging.engine.sentBy(seq, none, 'trader')).rejects.toMatchObject({ code: 'not_mined' });
  // Half of it, by another calldata of the same kind: the desk does not take it for this hedge, a person does.
  const half = await desk.place(desk.wish({ ask: { amount: '0.25' } }));
  await desk.reached(half, 'handed_out');
  await desk.hedging.engine.giveUp(half, 'not sent', 'trader');
  const hash = await sentByOwner(half);
  expect((await desk.record(seq)).state).toBe('handed_out');
  await desk.hedging.engine.sentBy(seq, hash, 'trader');
  expect(await desk.reached(seq, 'done')).toMatchObject({ spent: `${ETHER / 4n}` });
});

test('calldata that nobody sent is given up with a reason, and its fill may be hedged anew', async () => {
  await ofWallet();
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(desk.wish({ fillSeqs: [fill] }));
  await desk.reached(seq, 'handed_out');
  await desk.hedging.engine.giveUp(seq, 'the owners said no', 'trader');
  expect(await desk.record(seq)).toMatchObject({ state: 'failed', givenUp: 'the owners said no', spent: '0' });
  const [open] = await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() });
  expect(open).toMatchObject({ cover: 'unhedged' });
});

test('while a swap is out that cannot be read, what was done elsewhere is entered, and others are placed', async () => {
  await approve('WETH', 2n ** 255n);
  const { client } = desk.hedging.engine.node(31_337);
  const reading = vi.spyOn(client, 'getTransactionReceipt').mockRejectedValue(new Error('missing trie node'));
  const swap = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
  await vi.waitFor(async () => expect((await desk.record(swap)).note).toMatch(/cannot be asked/), PATIENT);
  const entry = await desk.place(desk.wish({ way: { mode: 'by-hand', other: '3400', where: 'Kraken' } }));
  expect((await desk.record(entry)).state).toBe('done');
  const next = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
  reading.mockRestore();
  for (const seq of [swap, next]) await desk.reached(seq, 'done');
});

test('two hedges of an account come one after the other, each with its own nonce', async () => {
  const before = await nonce();
  const seqs = await Promise.all([0, 1, 2].map(() => desk.place(desk.wish({ ask: { amount: '0.1' } }))));
  for (const seq of seqs) await desk.reached(seq, 'done');
  const nonces = await Promise.all(seqs.map(async (seq) => (await desk.record(seq)).transactions.at(-1)?.nonce));
  expect(new Set(nonces).size).toBe(3);
  expect(await nonce()).toBe(before + (await countOf(seqs)));
});
async function countOf(seqs: number[]): Promise<number> {
  const all = await Promise.all(seqs.map((seq) => desk.record(seq)));
  return all.reduce((sum, { transactions }) => sum + transactions.length, 0);
}

test('while the desk is halted only what closes a position goes out, and only when a person says so', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
  await expect(desk.place(desk.wish({ ask: { amount: '2' } }), true)).rejects.toMatchObject({ code: 'halted' });
  await expect(desk.place(desk.wish())).rejects.toMatchObject({ code: 'halted_unconfirmed' });
  const seq = await desk.place(desk.wish(), true);
  await desk.reached(seq, 'done');
  expect(await desk.net('WETH')).toBe(0n);
});

/** A hedge that is held, for the desk was halted while it asked for its price. */
async function heldInTheMiddle() {
  const price = market.client.get.bind(market.client);
  const halting = vi.spyOn(market.client, 'get').mockImplementation(async (question) => {
    await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'in the middle' });
    return price(question as never);
  });
  const seq = await desk.place(desk.wish());
  const held = await vi.waitFor(async () => {
    const hedge = await desk.record(seq);
    expect(hedge.held).toBe(true);
    return hedge;
  }, PATIENT);
  halting.mockRestore();
  return held;
}

test('a halt in the middle holds what is not signed until somebody lets it go on', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const held = await heldInTheMiddle();
  const { seq } = held;
  expect(held.transactions).toEqual([]);
  await expect(desk.hedging.engine.send(seq, false, 'trader')).rejects.toMatchObject({ code: 'halted_unconfirmed' });
  await desk.hedging.engine.send(seq, true, 'trader');
  await desk.reached(seq, 'done');
});

test('a held hedge is not let go while another one may close the same, which is said', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const { seq } = await heldInTheMiddle();
  const waiting = { way: { mode: 'limit' as const, limitAmount: '900000' }, acceptDistance: true };
  const order = await desk.place(desk.wish({ ...waiting, acceptCovered: true }), true);
  await expect(desk.hedging.engine.send(seq, true, 'trader')).rejects.toMatchObject({
    code: 'halted',
    message: expect.stringContaining(`The desk is halted. Hedge ${order} is on its way`),
  });
  await desk.hedging.engine.cancel(seq, 'trader');
});

test('a held hedge can be given up, and nothing of it was signed', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const { seq } = await heldInTheMiddle();
  await desk.hedging.engine.cancel(seq, 'trader');
  expect(await desk.reached(seq, 'cancelled')).toMatchObject({ transactions: [], spent: '0' });
});

test('whoever cancels every intent ends no hedge on the market', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const { seq } = await heldInTheMiddle();
  const said = await desk.hedging.engine.cancelIntents({ chainId: 31_337, actor: 'trader', dryRun: false });
  expect(said.map(({ reason }) => reason).join()).not.toMatch(/Hedge \d/);
  await desk.hedging.engine.send(seq, true, 'trader');
  await desk.reached(seq, 'done');
});

test('a built transaction that is another than was asked for is not signed', async () => {
  const post = market.client.post.bind(market.client);
  const meddling = vi.spyOn(market.client, 'post').mockImplementation(async (question) => {
    const answer = (await post(question as never)) as { data: string };
    // The least that has to come back, in the fifth word, becomes 1; the word that was there stands behind everything.
    const [least, one] = [answer.data.slice(10 + 4 * 64, 10 + 5 * 64), '1'.padStart(64, '0')];
    return { ...answer, data: `${answer.data.slice(0, 10 + 4 * 64)}${one}${answer.data.slice(10 + 5 * 64)}${least}` };
  });
  const seq = await desk.place(desk.wish());
  const failed = await desk.reached(seq, 'failed');
  meddling.mockRestore();
  expect(failed.note).toMatch(/brings 1 raw units at least/);
  expect(await desk.steps(seq)).not.toContain('swap_built');
});

test('automatic hedging is off, then says what it would do, then does it up to its cap', async () => {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: TOLD_REFERENCE });
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  desk.refers(`${await desk.poolMid()}`);
  const { auto } = desk.hedging;
  const rows = async () => (await auto.rows()).find(({ pair }) => pair === 'WETH/USDC');
  expect(await rows()).toMatchObject({ settings: { on: false }, unhedged: `${ETHER}` });
  const settings = {
    on: true,
    threshold: '0.5',
    capPerDay: '0.75',
    slippageBps: 100,
    maxDistanceBps: 100,
    lossCapPerDay: '0',
    mode: 'market' as const,
  };
  await auto.set(31337, 'WETH/USDC', { ...settings, dryRun: true }, 'trader');
  expect(await rows(), 'what was filled before is not its').toMatchObject({ unhedged: '0' });
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  await vi.waitFor(async () => expect((await rows())?.last?.sentence).toMatch(/would sell 0.75 WETH/), PATIENT);
  expect(desk.hedging.engine.log.all()).toEqual([]);
  await auto.set(31337, 'WETH/USDC', { ...settings, dryRun: false }, 'trader');
  const seq = await vi.waitFor(async () => {
    const [hedge] = await desk.rooms.journal.read.hedges({ limit: 1 });
    expect(hedge?.opened.automatic).toBe(true);
    return hedge?.seq ?? 0;
  }, PATIENT);
  expect(await desk.reached(seq, 'done')).toMatchObject({ spent: `${(ETHER * 3n) / 4n}` });
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  await vi.waitFor(async () => expect((await rows())?.last?.sentence).toMatch(/cap of 0.75 WETH/), PATIENT);
});

test.each(['SELL', 'BUY'] as const)(
  'the bound of a %s that is shown is the one that is built, also where the reference holds it',
  async (side) => {
    await desk.close();
    home.remove();
    home = hedgeFolder();
    desk = await openHedgingDesk(market, { ...home, chain: TOLD_REFERENCE });
    const [srcToken, destToken] = side === 'SELL' ? ['WETH', 'USDC'] : ['USDC', 'WETH'];
    const ends = { srcToken: market.token(`${srcToken}`), destToken: market.token(`${destToken}`), side };
    const wish = desk.wish({ ask: { ...ends, amount: '0.1' } });
    const bySlippage = (await desk.offers(wish.ask)).market.quote;
    expect(bySlippage?.isFenced, 'no reference says anything yet').toBe(false);
    // A fifth of a percent off what is offered: half a percent is where the reference holds it, the slippage is a whole one.
    const price = BigInt(side === 'SELL' ? (bySlippage?.destAmount ?? 0) : (bySlippage?.srcAmount ?? 0)) * 10n;
    const mid = (price * (side === 'SELL' ? 1_002n : 998n)) / 1_000n;
    desk.refers(formatUnits(mid, 6));
    const { market: way } = await desk.offers(wish.ask);
    const isStricter = (bound = '0') =>
      side === 'SELL' ? BigInt(bound) > BigInt(bySlippage?.bound ?? 0) : BigInt(bound) < BigInt(bySlippage?.bound ?? 0);
    expect(way.quote?.isFenced).toBe(true);
    expect(isStricter(way.quote?.bound)).toBe(true);
    const seq = await desk.place(wish);
    await desk.reached(seq, 'done');
    const built = (await desk.rooms.journal.read.hedgeSteps(seq)).find(({ step }) => step.step === 'swap_built')?.step;
    expect(built).toMatchObject(side === 'SELL' ? { least: way.quote?.bound } : { most: way.quote?.bound });
    // Further off it is a question, and whoever says yes to that is held by the slippage alone.
    desk.refers(formatUnits((price * (side === 'SELL' ? 1_020n : 980n)) / 1_000n, 6));
    expect((await desk.offers(wish.ask)).market.quote?.isFenced).toBe(false);
  },
);

/** Nothing is mined but by hand, and the chain asks for this much a unit of gas. */
async function dear(gwei: bigint): Promise<void> {
  const { control } = market.floor;
  await control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * 10n ** 9n });
  await control.mine({ blocks: 1 });
}

test('a swap whose fee became too low is signed again with the same nonce and a higher fee, and others pass meanwhile', async () => {
  const { control } = market.floor;
  await approve('WETH', 2n ** 255n);
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  await control.setAutomine(false);
  try {
    const seq = await desk.place(desk.wish());
    const sent = await desk.reached(seq, 'sent');
    const small = { way: { mode: 'limit', limitAmount: '9000' }, ask: { amount: '0.1' }, acceptCovered: true } as const;
    const intent = await desk.place(desk.wish(small));
    const first = BigInt((await signedSteps(seq))[0]?.perGas ?? 0);
    await dear(first / 10n ** 9n + 1n);
    await dear(first / 10n ** 9n + 1n);
    await vi.waitFor(async () => expect(await desk.steps(seq)).toContain('transaction_replaced'), PATIENT);
    await desk.reached(intent, 'submitted');
    expect((await desk.record(seq)).endedAt, 'the order passed a swap that still waits').toBeNull();
    const all = await signedSteps(seq);
    expect(new Set(all.map((step) => step.nonce)).size).toBe(1);
    expect(new Set(all.map((step) => step.data)).size).toBe(1);
    expect(BigInt(all.at(-1)?.perGas ?? 0)).toBeGreaterThan(first + first / 10n);
    expect(sent.pending?.nonce).toBe(all[0]?.nonce);
    await control.mine({ blocks: 1 });
    const done = await desk.reached(seq, 'done');
    expect(done.spent).toBe(`${ETHER}`);
    const swaps = done.transactions.filter(({ purpose }) => purpose === 'swap');
    expect(swaps.map(({ outcome }) => outcome).sort()).toEqual(
      [...swaps.slice(1).map(() => 'lost'), 'confirmed'].sort(),
    );
    expect(await desk.net('WETH')).toBe(0n);
    await desk.hedging.engine.cancel(intent, 'trader');
  } finally {
    await control.setAutomine(true);
    await dear(1n);
  }
});

test.each([
  ['whatever gas costs', 500],
  ['also where it offers all that a hedge may pay', 11],
])(
  'past its deadline a swap gives its nonce to an empty transaction, and is live without an end until the chain has that: %s',
  async (_, hedgeMostGwei) => {
    const { control } = market.floor;
    await approve('WETH', 2n ** 255n);
    let later = 0;
    await desk.close();
    home.remove();
    home = hedgeFolder();
    desk = await openHedgingDesk(market, { ...home, now: () => Date.now() + later, chain: { hedgeMostGwei } });
    await control.setAutomine(false);
    await dear(8n);
    try {
      const seq = await desk.place({ ...desk.wish({ ask: { amount: '0.1' } }), deadlineSeconds: 60 });
      await desk.reached(seq, 'sent');
      expect(BigInt((await signedSteps(seq))[0]?.perGas ?? 0)).toBeGreaterThan(10n * 10n ** 9n);
      later = 61_000;
      await vi.waitFor(async () => expect(await desk.steps(seq)).toContain('transaction_replaced'), PATIENT);
      const [swap, empty, ...others] = await signedSteps(seq);
      expect(empty).toMatchObject({ nonce: swap?.nonce, to: desk.maker, value: '0', data: '0x' });
      expect(others).toEqual([]);
      const { rooms } = desk;
      const live = await readStillLive({ ...rooms, now: () => Date.now() + later });
      expect(live.chains[0]?.transactions).toMatchObject([{ seq, purpose: 'swap', until: null }]);
      await control.mine({ blocks: 1 });
      const failed = await desk.reached(seq, 'failed');
      expect(failed.note).toContain('an empty transaction took its place: nothing was traded');
      expect(failed).toMatchObject({ spent: '0', received: '0' });
      expect(BigInt(failed.feeWei), 'its gas counts').toBeGreaterThan(0n);
      expect(new Set(failed.transactions.flatMap((one) => (one.purpose === 'swap' ? [one.outcome] : [])))).toEqual(
        new Set(['lost']),
      );
    } finally {
      await control.setAutomine(true);
      await dear(1n);
    }
  },
);

test('a swap whose receipt cannot be read lets the hedges behind it pass', async () => {
  await approve('WETH', 2n ** 255n);
  const { client } = desk.hedging.engine.node(31337);
  const cannot = vi.spyOn(client, 'getTransactionReceipt').mockRejectedValue(new Error('missing trie node'));
  const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/cannot be asked/), PATIENT);
  const other = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '9000' }, ask: { amount: '0.1' } }));
  await desk.reached(other, 'submitted');
  cannot.mockRestore();
  await desk.reached(seq, 'done');
  await desk.hedging.engine.cancel(other, 'trader');
});

test('what a swap moved of the native coin counts as it was tried where the node has dropped the balances around a final block', async () => {
  const { floor } = market;
  const chain = desk.hedging.engine.node(31337);
  const hash = await floor.call(floor.owner, TEST_TOKEN, market.token('WETH'), 'transfer', [
    floor.stranger.address,
    ETHER,
  ]);
  const receipt = await chain.client.getTransactionReceipt({ hash });
  const { src, dest, ...opened } = (await desk.record(await desk.place(desk.wish({ ask: { amount: '0.1' } })))).opened;
  const steps = { swap_built: { least: '8', most: `${ETHER}` }, swap_simulated: { received: '9' } };
  const run = {
    parts: desk.rooms,
    seq: 1,
    node: () => chain,
    log: {
      running: () => ({ opened: { ...opened, src, dest: { ...dest, address: NATIVE_TOKEN.toLowerCase() } } }),
      last: async (_: number, name: keyof typeof steps) => steps[name],
    },
  } as unknown as Parameters<typeof sentAmounts>[0];
  refusing(pastBalance, 'missing trie node');
  await expect(sentAmounts(run, receipt), 'of a young block they may come').rejects.toThrowError(/missing trie node/);
  await floor.control.mine({ blocks: 65 });
  expect(await sentAmounts(run, receipt)).toEqual({ spent: ETHER, received: 9n, isGuess: true });
  const onlyOnce = new Error('the node did not answer in time');
  vi.spyOn(chain.client, 'getBalance').mockRejectedValueOnce(onlyOnce);
  refusing(() => false, '');
  await expect(sentAmounts(run, receipt), 'it answers when it is asked again').rejects.toThrowError(onlyOnce);
  refusing(pastBalance, 'too many requests per second');
  await expect(sentAmounts(run, receipt), 'it is asked too often').rejects.toThrowError(/too many requests/);
  refusing(({ method }) => method === 'eth_getBlockByHash', 'no such block');
  await expect(sentAmounts(run, receipt), 'the balances are there').rejects.toThrowError(/no such block/);
  refusing((call) => pastBalance(call) || call.method === 'eth_getBlockByNumber', 'header not found');
  await expect(sentAmounts(run, receipt), 'it is behind').rejects.toThrowError(/header not found/);
});

const pastBalance = ({ method, params }: NodeCall) => method === 'eth_getBalance' && params[1] !== 'latest';

/** From now on the node of the desk answers these calls, and no others, with an error. */
function refusing(isOne: (call: NodeCall) => boolean, message: string): void {
  const { node } = desk.hedging.engine.node(31337);
  vi.mocked(node.ask).mockRestore?.();
  const ask = node.ask.bind(node);
  vi.spyOn(node, 'ask').mockImplementation(async (calls) => {
    const answers = await ask(calls);
    return answers.map((answer, index) =>
      isOne(calls[index] as NodeCall) ? { ok: false as const, error: { code: -32_000, message } } : answer,
    );
  });
}

test('that the amount of a swap is a guess is also said by the next desk, where this one ended before the hedge did', async () => {
  await approve('WETH', 2n ** 255n);
  refusing(pastBalance, 'missing trie node');
  const { log } = desk.hedging.engine;
  vi.spyOn(log, 'end').mockRejectedValue(new Error('the desk was killed'));
  // Once it is signed it is followed as one that brings the native coin, which the market here has not to give.
  const running = log.running.bind(log);
  vi.spyOn(log, 'running').mockImplementation((seq) => {
    const hedge = running(seq);
    const { opened, state } = hedge;
    if (state !== 'signed' && state !== 'sent') return hedge;
    const dest = { ...opened.dest, address: NATIVE_TOKEN.toLowerCase() as `0x${string}` };
    return { ...hedge, opened: { ...opened, dest } };
  });
  const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/missing trie node/), PATIENT);
  await market.floor.control.mine({ blocks: 65 });
  await desk.reached(seq, 'mined');
  await desk.close();
  vi.restoreAllMocks();
  desk = await openHedgingDesk(market, home);
  expect((await desk.reached(seq, 'done')).note).toMatch(/no longer gives the balances .* compare it with the chain/);
});

test('a fee is raised no further than its limit, which is said, and a later swap takes the next nonce', async () => {
  const { control } = market.floor;
  await approve('WETH', 2n ** 255n);
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { hedgeFeeMultiple: 1 } });
  await control.setAutomine(false);
  try {
    const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
    const { pending } = await desk.reached(seq, 'sent');
    const first = BigInt((await signedSteps(seq))[0]?.perGas ?? 0);
    const other = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
    await dear(first / 10n ** 9n + 1n);
    await dear(first / 10n ** 9n + 1n);
    await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/the limit of 1 times/), PATIENT);
    expect(await desk.steps(seq)).not.toContain('transaction_replaced');
    expect((await desk.reached(other, 'sent')).pending?.nonce).toBe((pending?.nonce ?? 0) + 1);
    // The fee of the chain falls again. This node forgot what it could not mine, so it is sent once more first.
    await vi.waitFor(
      async () => {
        await dear(1n);
        expect([(await desk.record(seq)).state, (await desk.record(other)).state]).toEqual(['done', 'done']);
      },
      { ...PATIENT, interval: 300 },
    );
  } finally {
    await control.setAutomine(true);
    await dear(1n);
  }
});

test('a hedge waits while gas costs more than its limit, asks the service for nothing meanwhile, and goes on when it costs less', async () => {
  await approve('WETH', 2n ** 255n);
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { hedgeMostGwei: 50 } });
  await dear(400n);
  try {
    const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
    await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/a hedge pays 50 at most/), PATIENT);
    const asked = [vi.spyOn(market.client, 'get'), vi.spyOn(market.client, 'post')];
    // Its price is too old by now, and a new one would be too before it is any use.
    market.shiftClock(31_000);
    const looks = vi.spyOn(desk.hedging.engine.node(31337).client, 'estimateFeesPerGas');
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3), PATIENT);
    expect(await desk.steps(seq)).not.toContain('transaction_signed');
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await dear(1n);
    await desk.reached(seq, 'done');
  } finally {
    await dear(1n);
  }
});

test('a hedge signs behind no numbers of which the node alone tells', async () => {
  await approve('WETH', 2n ** 255n);
  const { client } = desk.hedging.engine.node(31337);
  const countOf = client.getTransactionCount.bind(client);
  const lying = vi.spyOn(client, 'getTransactionCount').mockImplementation(async (asked) => {
    return (await countOf(asked)) + (asked.blockTag === 'pending' ? 2 : 0);
  });
  const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/2 transactions of the maker/), PATIENT);
  expect((await desk.record(seq)).pending).toBeNull();
  lying.mockRestore();
  await desk.reached(seq, 'done');
});

test('a hedge keeps no emergency waiting while its node is asked to take what another one signed', async () => {
  const { control, owner, rpcUrl } = market.floor;
  const { accounts } = desk.rooms;
  const { client } = desk.hedging.engine.node(31337);
  await approve('WETH', 2n ** 255n);
  await control.setAutomine(false);
  try {
    const calls = [approveCall(market.token('DAI'), market.floor.addresses.intents, 0n)];
    const common = { rpcUrl, chainId: 31337, maker: owner.address, signer: openSigner(owner.key), turns: accounts };
    const options = { ...common, calls, mostPerGas: 500n * 10n ** 9n, urgent: true, receiptTimeoutMs: 500 };
    const [urgent] = await sendCalls(options);
    await control.dropTransaction({ hash: urgent?.transactionHash ?? '0x' });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const send = client.sendRawTransaction.bind(client);
    const sends = vi.spyOn(client, 'sendRawTransaction').mockImplementation(async (raw) => {
      await answered;
      return send(raw);
    });
    const seq = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
    await vi.waitFor(() => expect(sends).toHaveBeenCalled(), PATIENT);
    const turn = accounts.run(31337, owner.address, async () => 'is free');
    expect(await inTime(turn, 2_000, () => 'is taken'), 'the turn of the account').toBe('is free');
    answer();
    const { pending } = await desk.reached(seq, 'sent');
    expect(pending?.nonce, 'and it signs behind the emergency').toBe((await nonce()) + 1);
    await control.mine({ blocks: 1 });
    await desk.reached(seq, 'done');
  } finally {
    await control.setAutomine(true);
  }
});

test('no swap takes the nonce of an emergency: not with a higher fee, not by being sent again, and not as the next one, also where the node lost the emergency', async () => {
  const { control, chain, owner } = market.floor;
  const { accounts } = desk.rooms;
  const { client } = desk.hedging.engine.node(31337);
  await approve('WETH', 2n ** 255n);
  await approved('DAI', market.floor.addresses.intents, 5n);
  await control.setAutomine(false);
  const looks = vi.spyOn(client, 'getTransactionCount');
  /** Once the swap was looked at as often as makes each of its own deeds due. */
  const lookedAt = async () => {
    looks.mockClear();
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(28), { interval: 200 });
  };
  try {
    const seq = await desk.place(desk.wish());
    const { pending } = await desk.reached(seq, 'sent');
    const first = BigInt((await signedSteps(seq))[0]?.perGas ?? 0);
    const calls = [approveCall(market.token('DAI'), market.floor.addresses.intents, 0n)];
    const maker = owner.address;
    const common = {
      rpcUrl: market.floor.rpcUrl,
      chainId: 31337,
      maker,
      signer: openSigner(owner.key),
      mostPerGas: 500n * 10n ** 9n,
      turns: accounts,
    };
    const [urgent] = await sendCalls({ ...common, calls, urgent: true, receiptTimeoutMs: 500 });
    expect(accounts.emergencies.of(31337, maker)).toMatchObject([{ nonce: pending?.nonce }]);
    // The chain asks for more than the swap and the emergency offer, and this node drops what a block had no place for.
    await dear((first / 10n ** 9n + 1n) * 3n);
    await lookedAt();
    expect(await desk.steps(seq), 'with a higher fee').not.toContain('transaction_replaced');
    await control.dropTransaction({ hash: urgent?.transactionHash ?? '0x' }).catch(() => null);
    await dear(1n);
    await lookedAt();
    const waiting = await chain.client.getTransactionCount({ address: maker, blockTag: 'pending' });
    expect(waiting, 'sent again').toBe(pending?.nonce);
    const next = await desk.place(desk.wish({ ask: { amount: '0.1' } }));
    expect((await desk.reached(next, 'sent')).pending?.nonce, 'as the next one').toBe((pending?.nonce ?? 0) + 1);
    const handed = await chain.client.getTransactionCount({ address: maker, blockTag: 'pending' });
    expect(handed, 'and the emergency before it is with the node again').toBe((pending?.nonce ?? 0) + 2);
    await sendCalls({ ...common, calls, urgent: true, receiptTimeoutMs: 500 });
    const allowed = { abi: TEST_TOKEN.abi, address: market.token('DAI'), functionName: 'allowance' } as const;
    const args = [maker, market.floor.addresses.intents] as const;
    await vi.waitFor(
      async () => {
        await control.mine({ blocks: 1 });
        expect((await desk.record(seq)).state).toBe('failed');
        expect((await desk.record(next)).endedAt).not.toBeNull();
      },
      { ...PATIENT, interval: 300 },
    );
    expect(await chain.client.readContract({ ...allowed, args })).toBe(0n);
  } finally {
    await control.setAutomine(true);
    await dear(1n);
  }
});

/** Everything that was signed for the swap, in order. */
async function signedSteps(seq: number) {
  const steps = (await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step);
  return steps.flatMap((step) =>
    (step.step === 'transaction_signed' || step.step === 'transaction_replaced') && step.purpose === 'swap'
      ? [step]
      : [],
  );
}
