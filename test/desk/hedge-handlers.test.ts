import { call } from '@orpc/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { hedgeHandlers } from '../../electron/desk/handlers/hedge.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from '../hedge/hedging-desk.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const KEY = { chainId: 31337, pair: 'WETH/USDC' };
const AS = { context: asOwner('mara') };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
let hedge: ReturnType<typeof hedgeHandlers>;
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, home);
  hedge = hedgeHandlers(desk.rooms, desk.hedging);
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

const bought = () => desk.filled('bids', ETHER, 3_390n * DOLLAR);

test('a fill is asked for, hedged and shown with its net, which is that of the hedge', async () => {
  const fill = await bought();
  const asked = await call(hedge.askFor, { ...KEY, fillSeqs: [fill] }, AS);
  expect(asked).toMatchObject({ side: 'SELL', srcToken: market.token('WETH'), amount: '1', amountRaw: `${ETHER}` });
  const { amountRaw: _, ...ask } = asked;
  const wish = { ask: { ...ask, slippageBps: 100 }, way: { mode: 'market' as const }, fillSeqs: [fill] };
  expect(await call(hedge.prepare, wish, AS)).toMatchObject({ refusal: null, needsConfirmation: false });
  const row = await call(hedge.place, wish, AS);
  expect(row).toMatchObject({ actor: 'mara', fillSeqs: [fill], state: 'opened', netUsd: null });
  await desk.reached(row.seq, 'done');
  const [shown] = await call(hedge.fills, { chainId: 31337 }, AS);
  const { rows, more } = await call(hedge.list, { limit: 1 }, AS);
  expect(rows[0]).toMatchObject({ seq: row.seq, state: 'done', netUsd: shown?.resultUsd });
  expect([shown?.cover, more]).toEqual(['hedged', false]);
  const detail = await call(hedge.get, { seq: row.seq }, AS);
  expect(detail).toMatchObject({ netUsd: shown?.resultUsd, terms: {}, calldata: [] });
  expect(detail.steps.at(-1)?.step).toMatchObject({ step: 'ended', outcome: 'done' });
  expect(await call(hedge.positions, {}, AS)).toContainEqual(
    expect.objectContaining({ token: expect.objectContaining({ symbol: 'WETH' }), net: '0', unhedgedFills: 0 }),
  );
});

test('fills that are not of the pair, not known, or hedged already are not asked for', async () => {
  const fill = await bought();
  const ask = (fillSeqs: number[], key = KEY) => call(hedge.askFor, { ...key, fillSeqs }, AS);
  await expect(ask([fill], { ...KEY, pair: 'DAI/USDC' })).rejects.toMatchObject({ code: 'bad_fills' });
  await expect(ask([fill], { ...KEY, chainId: 1 })).rejects.toMatchObject({ code: 'bad_fills' });
  await expect(ask([fill, 99_999])).rejects.toMatchObject({ code: 'bad_fills', message: /not known/ });
  const sold = await desk.filled('asks', ETHER, 3_410n * DOLLAR);
  await expect(ask([fill, sold])).rejects.toMatchObject({ message: /Nothing of these fills is open/ });
});

test('hedges are listed newest first, a page after the other, and by whether they run', async () => {
  const seqs: number[] = [];
  for (const slice of ['9000', '9001', '9002']) {
    const wish = desk.wish({ way: { mode: 'limit', limitAmount: slice }, ask: { amount: '0.1' } });
    seqs.push((await call(hedge.place, wish, AS)).seq);
  }
  for (const seq of seqs) await desk.reached(seq, 'submitted');
  const first = await call(hedge.list, { limit: 2 }, AS);
  expect([first.rows.map(({ seq }) => seq), first.more]).toEqual([[seqs[2], seqs[1]], true]);
  const second = await call(hedge.list, { limit: 2, before: seqs[1] }, AS);
  expect([second.rows.map(({ seq }) => seq), second.more]).toEqual([[seqs[0]], false]);
  const detail = await call(hedge.get, { seq: seqs[0] ?? 0 }, AS);
  expect(detail.terms).toEqual({ limitAmount: '9000' });
  await call(hedge.cancel, { seq: seqs[0] ?? 0 }, AS);
  await desk.reached(seqs[0] ?? 0, 'cancelled');
  const open = async (which: boolean) => (await call(hedge.list, { open: which }, AS)).rows.map(({ seq }) => seq);
  expect([await open(true), await open(false)]).toEqual([[seqs[2], seqs[1]], [seqs[0]]]);
});

test('a held hedge is sent by who says that it closes a position, and by nobody else', async () => {
  await bought();
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'a drill' });
  const { ask, way } = desk.wish();
  expect(await call(hedge.prepare, { ask, way }, AS)).toMatchObject({ needsConfirmation: true, refusal: null });
  await expect(call(hedge.place, { ask, way }, AS)).rejects.toMatchObject({ code: 'halted_unconfirmed' });
  const row = await call(hedge.place, { ask, way, confirmed: true }, AS);
  await desk.reached(row.seq, 'done');
  await expect(call(hedge.send, { seq: row.seq, confirmed: true }, AS)).rejects.toMatchObject({ code: 'hedge_ended' });
  await expect(call(hedge.cancel, { seq: row.seq }, AS)).rejects.toMatchObject({ code: 'hedge_ended' });
});

test('automatic hedging is set for a pair, and answered with every pair as it is then, or with those alone that are set', async () => {
  expect(await call(hedge.auto, undefined, AS)).toMatchObject([{ pair: 'WETH/USDC', settings: { on: false } }]);
  expect(await call(hedge.auto, { set: true }, AS)).toEqual([]);
  const settings = {
    on: true,
    threshold: '0.5',
    capPerDay: '1',
    slippageBps: 50,
    mode: 'intent' as const,
    dryRun: true,
  };
  expect(await call(hedge.setAuto, { ...KEY, settings }, AS)).toMatchObject([{ settings, unhedged: '0' }]);
  expect(await call(hedge.auto, { set: true }, AS)).toMatchObject([{ pair: 'WETH/USDC', settings }]);
  const none = { ...settings, capPerDay: '0.0' };
  await expect(call(hedge.setAuto, { ...KEY, settings: none }, AS)).rejects.toMatchObject({ code: 'bad_terms' });
  await expect(call(hedge.setAuto, { ...KEY, pair: 'NO/PAIR', settings }, AS)).rejects.toMatchObject({
    code: 'unknown_pair',
  });
});

test('automatic hedging is not set over what somebody else, or the desk itself, has set meanwhile: it is told by whom', async () => {
  const [open] = await call(hedge.auto, undefined, AS);
  if (open === undefined) throw new Error('no pair');
  const seen = open.settings;
  const on = { ...seen, on: true, dryRun: true, threshold: '0.5', capPerDay: '1' };
  await call(hedge.setAuto, { ...KEY, settings: on, seen }, { context: asOwner('ops') });
  const mine = { ...on, capPerDay: '50' };
  await expect(call(hedge.setAuto, { ...KEY, settings: mine, seen }, AS)).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringMatching(/WETH\/USDC was changed meanwhile by ops/),
    faults: expect.arrayContaining([
      { path: 'capPerDay', message: 'is 1 now' },
      { path: 'on', message: 'is yes now' },
    ]),
  });
  expect((await call(hedge.auto, undefined, AS))[0]?.settings).toEqual(on);
  expect(await call(hedge.setAuto, { ...KEY, settings: mine, seen: on }, AS)).toMatchObject([{ settings: mine }]);
});

test('without a running desk everything can be read and nothing is placed', async () => {
  const fill = await bought();
  const closed = hedgeHandlers(desk.rooms, null);
  expect(await call(closed.fills, {}, AS)).toMatchObject([{ seq: fill, cover: 'unhedged' }]);
  expect(await call(closed.list, {}, AS)).toEqual({ rows: [], more: false });
  const { ask, way } = desk.wish();
  for (const deed of [
    call(closed.place, { ask, way }, AS),
    call(closed.quote, ask, AS),
    call(closed.cancel, { seq: 1 }, AS),
    call(closed.auto, undefined, AS),
  ]) {
    await expect(deed).rejects.toMatchObject({ code: 'no_hedging' });
  }
  await expect(call(closed.get, { seq: fill }, AS)).rejects.toMatchObject({ code: 'unknown_hedge' });
});
