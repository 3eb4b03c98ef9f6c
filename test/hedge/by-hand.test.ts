import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { entryOf } from '../../electron/contract/hedge-steps.ts';
import type { HedgeCorrection } from '../../electron/contract/hedge-terms.ts';
import { hedgeDetail } from '../../electron/hedge/hedge-view.ts';
import { openedHedge } from '../../electron/journal/hedges/fold.ts';
import { asked } from '../guard/asked.ts';
import { type HedgingDesk, hedgeFolder, NOBODYS_MARKET as market, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeEach(async () => {
  home = hedgeFolder();
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

/** Whoever asks the service, or for a key, would be found out: an entry needs neither. */
const open = (view?: () => ChainView) => {
  const nobody = () => {
    throw new Error('an entry asks nobody');
  };
  return openHedgingDesk(market, { ...home, view, parts: { service: nobody, signerFor: () => null } });
};
const entry = (way: object = {}, changes: Parameters<HedgingDesk['wish']>[0] = {}) =>
  desk.wish({ way: { mode: 'by-hand', other: '3400', where: 'Kraken', ...way }, ...changes });
const correct = (seq: number, amounts: HedgeCorrection['amounts'], done: Partial<HedgeCorrection> = {}) =>
  desk.hedging.engine.correct(seq, { amounts, reason: 'the statement says so', ...done }, 'trader');
const positions = async () => [await desk.net('WETH'), await desk.net('USDC')];
const cover = async () => {
  const [fill] = await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() });
  return [fill?.cover, fill?.unhedgedBase];
};

test('an order that was done elsewhere is over once it is entered, and counts in positions, fills and fees', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(entry({ feeUsd: '1.25', note: 'by phone', at: '2026-01-02T03:04:05Z' }));
  expect(await desk.record(seq)).toMatchObject({ state: 'done', spent: `${ETHER}`, received: `${3_400n * DOLLAR}` });
  expect(await desk.steps(seq)).toEqual(['entered']);
  expect((await desk.record(seq)).opened.fillSeqs).toEqual([fill]);
  expect(await positions()).toEqual([0n, 10n * DOLLAR]);
  expect(await cover()).toEqual(['hedged', '0']);
  // Ten dollars less what it cost beside them.
  const { read } = desk.rooms.journal;
  expect(await read.hedgeNets([seq])).toEqual(['8.75']);
  const shown = hedgeDetail(await desk.record(seq), await read.hedgeSteps(seq), null);
  expect(shown).toMatchObject({ way: 'By hand', feeUsd: '1.25', correctable: true, cancellable: false });
});

test('what was bought elsewhere counts the other way round', async () => {
  const { USDC = '0x', WETH = '0x' } = Object.fromEntries(
    ['USDC', 'WETH'].map((name) => [name, market.token(name)] as const),
  );
  await desk.place(entry({ other: '6800.5' }, { ask: { side: 'BUY', amount: '2', srcToken: USDC, destToken: WETH } }));
  expect(await positions()).toEqual([2n * ETHER, -6_800_500_000n]);
});

test('it is corrected by another event as often as needed, and what counted before counts no more', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(entry());
  await correct(seq, { gave: '0.4', got: '1360', feeUsd: '0' });
  expect(await positions()).toEqual([(6n * ETHER) / 10n, -2_030n * DOLLAR]);
  expect(await cover()).toEqual(['part_hedged', `${(6n * ETHER) / 10n}`]);
  await correct(seq, { gave: '1', got: '3399', feeUsd: '2' });
  expect(await positions()).toEqual([0n, 9n * DOLLAR]);
  expect(await cover()).toEqual(['hedged', '0']);
  expect(await desk.steps(seq)).toEqual(['entered', 'corrected', 'corrected']);
});

test('where, when and with what note it was done is corrected too; what is left out stays, and what was before is in the journal', async () => {
  const seq = await desk.place(entry({ feeUsd: '1.25', note: 'by phone', at: '2026-01-02T03:04:05Z' }));
  const steps = async () => (await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step);
  const entered = entryOf(await steps());
  expect(entered).toMatchObject({ where: 'Kraken', at: Date.UTC(2026, 0, 2, 3, 4, 5), note: 'by phone' });
  await correct(seq, {}, { where: 'Coinbase', note: '' });
  expect(entryOf(await steps())).toEqual({ ...entered, where: 'Coinbase', note: '' });
  await correct(seq, { got: '3399' }, { at: '2026-01-02T04:00:00+01:00' });
  const last = { where: 'Coinbase', note: '', at: Date.UTC(2026, 0, 2, 3), received: `${3_399n * DOLLAR}` };
  expect(entryOf(await steps())).toEqual({ ...entered, ...last });
  expect((await steps()).slice(1)).toMatchObject([
    { step: 'corrected', before: entered },
    { step: 'corrected', before: { where: 'Coinbase', note: '', at: entered?.at, received: `${3_400n * DOLLAR}` } },
  ]);
  expect(await positions()).toEqual([-ETHER, 3_399n * DOLLAR]);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await expect(correct(seq, {}, { at: tomorrow })).rejects.toMatchObject({ code: 'bad_terms' });
  await expect(correct(seq, {}, { where: 'Coinbase' }), 'nothing new').rejects.toMatchObject({ code: 'bad_terms' });
});

test('what somebody else corrected meanwhile is not corrected over, nor struck out: who saw it otherwise is told what it is now', async () => {
  const seq = await desk.place(entry());
  const { engine } = desk.hedging;
  const entered = async () =>
    entryOf((await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step)) ?? undefined;
  const seen = await entered();
  await engine.correct(seq, { amounts: { got: '3399' }, where: 'Coinbase', reason: 'a slip' }, 'jon', seen);
  const stale = {
    code: 'changed_meanwhile',
    message: `Hedge ${seq} was changed meanwhile by jon, so yours was not saved.`,
    faults: [
      { path: 'got', message: 'is 3399 now' },
      { path: 'where', message: 'is Coinbase now' },
    ],
  };
  const mine = { amounts: { gave: '0.9' }, reason: 'the statement' };
  await expect(engine.correct(seq, mine, 'mara', seen)).rejects.toMatchObject(stale);
  await expect(engine.correct(seq, { ...mine, amounts: null }, 'mara', seen)).rejects.toMatchObject(stale);
  expect(await desk.steps(seq)).toEqual(['entered', 'corrected']);
  await engine.correct(seq, mine, 'mara', await entered());
  expect(await entered()).toMatchObject({ spent: `${(9n * ETHER) / 10n}`, received: `${3_399n * DOLLAR}` });
});

test('an entry of before, corrected without a word of where it was done, stays where it was', () => {
  const amounts = { spent: '1', received: '2', feeUsd: '0' };
  const entered = { ...amounts, where: 'Kraken', at: 5, note: 'by phone' };
  expect(
    entryOf([
      { step: 'entered', ...entered },
      { step: 'corrected', ...amounts, received: '3', reason: 'a slip' },
    ]),
  ).toEqual({ ...entered, received: '3' });
});

test('struck out it counts nowhere, its fills are open again, and it stays struck out', async () => {
  await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(entry());
  await correct(seq, null);
  expect(await desk.record(seq)).toMatchObject({ state: 'cancelled', note: 'the statement says so' });
  expect(await positions()).toEqual([ETHER, -3_390n * DOLLAR]);
  expect(await cover()).toEqual(['unhedged', `${ETHER}`]);
  await expect(correct(seq, { gave: '1', got: '1', feeUsd: '0' })).rejects.toMatchObject({ code: 'not_correctable' });
  await expect(correct(seq, null)).rejects.toMatchObject({ code: 'not_correctable' });
});

test('amounts that a token cannot hold, nothing, a moment to come and a receiver are refused, and nothing is written', async () => {
  const refused = async (way: object, changes: Parameters<typeof entry>[1] = {}) =>
    expect(desk.place(entry(way, changes))).rejects.toMatchObject({ code: 'bad_terms' });
  await refused({ other: '3400.0000001' });
  await refused({ other: '0' });
  await refused({ at: new Date(Date.now() + 60_000).toISOString() });
  await refused({ where: ' ' });
  await refused({ slices: 3 });
  await refused({}, { ask: { beneficiary: `0x${'1'.repeat(40)}` } });
  const seq = await desk.place(entry());
  await expect(correct(seq, { gave: '0', got: '1', feeUsd: '0' })).rejects.toMatchObject({ code: 'bad_terms' });
  await expect(correct(seq, { gave: '1', got: '0.0000001', feeUsd: '0' })).rejects.toMatchObject({ code: 'bad_terms' });
  expect(await desk.rooms.journal.read.hedges({ limit: 9 })).toHaveLength(1);
});

test('a halted desk takes it, since nothing is sent; what it said is not promised to anybody', async () => {
  await desk.rooms.guard.trading.halt({}, { actor: 'test', reason: 'a test' });
  const seq = await desk.place(entry());
  expect((await desk.record(seq)).state).toBe('done');
  expect((await desk.hedging.prepare(entry())).refusal).toBeNull();
  expect(desk.rooms.guard.orders.of(31337).hedges.sum(market.token('WETH'))).toBe(0n);
});

test('it takes nothing of the balance, whatever quotes promise of it: at no moment, not corrected or struck out, and not after a restart', async () => {
  const lookedAt = Date.now(); // what the chain says is from before all of it
  const held = { balance: 10n * ETHER, allowance: 2n ** 255n };
  const view = (): ChainView => ({
    block: { number: 1, hash: `0x${'1'.repeat(64)}`, timestamp: Math.floor(lookedAt / 1_000) },
    seenAt: lookedAt,
    balances: new Map(['WETH', 'USDC'].map((symbol) => [market.token(symbol), held])),
    unreadable: [],
    fault: null,
  });
  const free = () => {
    const { book, guard } = desk.rooms;
    const chain = book.chain(31337);
    if (chain === undefined) throw new Error('no chain');
    const orders = guard.orders.of(31337);
    const token = market.token('WETH');
    return [orders.spendable(chain, token), orders.hedgeable(chain, token), orders.hedges.sum(token)];
  };
  await desk.close();
  desk = await open(view);
  const order = {
    terms: asked({ makerAsset: market.token('WETH'), makerAmount: 8n * ETHER }),
    expiry: Math.floor(lookedAt / 1_000) + 150,
  };
  desk.rooms.guard.orders.of(31337).exposure.reserve({ ...order, orderHash: `0x${'8'.repeat(64)}` });
  const before = free();
  expect(before[2]).toBe(0n);
  const seen: unknown[] = [];
  desk.hedging.engine.log.onChange(({ hedge }) => seen.push([hedge.state, ...free()]));
  const wish = entry({}, { ask: { amount: '7' } }); // more than those quotes leave
  expect(await desk.hedging.prepare(wish)).toMatchObject({ refusal: null, promised: null });
  const seq = await desk.place(wish);
  await correct(seq, { gave: '9' });
  await correct(seq, null);
  expect(seen).toEqual(['opened', 'done', 'done', 'cancelled'].map((state) => [state, ...before]));
  expect(free()).toEqual(before);
  await desk.place(wish);
  await desk.close();
  desk = await open(view);
  expect(free()[2], 'also by the next desk').toBe(0n);
});

test('a desk that was killed between the two events of an entry finishes it when it starts', async () => {
  const seq = await desk.place(entry());
  const { opened } = await desk.record(seq);
  const half = await desk.rooms.journal.append({
    time: Date.now(),
    actor: 'trader',
    kind: 'hedge_opened',
    body: { ...opened, pair: null, fillSeqs: [] },
  });
  await desk.close();
  desk = await open();
  await desk.reached(half, 'done');
  expect(await desk.record(half)).toMatchObject({ spent: `${ETHER}`, received: `${3_400n * DOLLAR}` });
});

test('what the desk itself did is not corrected, and a way of no venue is neither placed nor ended', async () => {
  const { opened } = await desk.record(await desk.place(entry()));
  const body = { ...opened, way: { mode: 'swap-of-tomorrow' }, pair: null, fillSeqs: [] };
  const seq = await desk.rooms.journal.append({ time: Date.now(), actor: 'trader', kind: 'hedge_opened', body });
  await expect(desk.place(desk.wish({ way: body.way }))).rejects.toMatchObject({ code: 'bad_terms' });
  await desk.close();
  desk = await open();
  await expect(correct(seq, null)).rejects.toMatchObject({ code: 'bad_terms' });
  expect(await desk.record(seq)).toMatchObject({ state: 'opened', endedAt: null });
  // What it takes counts all the same.
  expect(desk.rooms.guard.orders.of(31337).hedges.sum(market.token('WETH'))).toBe(ETHER);
  const swap = openedHedge(1, 1, 'trader', { ...opened, way: { mode: 'market' } });
  const stages = (state: 'simulated' | 'failed', ...steps: object[]) =>
    hedgeDetail(
      { ...swap, state, endedAt: state === 'failed' ? 1 : null },
      steps.map((step) => ({ seq: 1, time: 1, actor: 'desk', step })) as Parameters<typeof hedgeDetail>[1],
      null,
    ).stages.map(({ is }) => is);
  // A failure stands at the stage that it could not pass.
  expect(stages('simulated', { step: 'swap_built' }, { step: 'swap_simulated' })).toEqual([
    ...['done', 'done', 'done', 'now', 'to come', 'to come'],
  ]);
  expect(stages('failed', { step: 'swap_built' })).toEqual([
    ...['done', 'done', 'failed', 'to come', 'to come', 'to come'],
  ]);
});
