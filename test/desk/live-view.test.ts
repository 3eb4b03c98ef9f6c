import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeskUpdate } from '../../electron/contract/desk-view.ts';
import { EVERY_RIGHT } from '../../electron/contract/rights.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { LiveView } from '../../electron/desk/live-view.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CHAIN = {
  chainId: 1,
  block: 1,
  blockSeenAt: 0,
  heartbeats: [{ endpoint: 'prices', at: 0, by: 'router', status: 200 }],
};
const PAIR = { chainId: 1, pair: 'WETH/USDC', bestBid: '3410', bestAsk: '3412', closed: null };

function watched() {
  const state = {
    surfaceUrl: 'http://127.0.0.1:1',
    isBroken: false,
    pair: { ...PAIR, closed: null as string | null },
    chain: { ...CHAIN, fault: null as string | null },
  };
  const read = () => {
    if (state.isBroken) throw new Error('The view cannot be read.');
    return { pairs: [{ ...state.pair }], chains: [{ ...state.chain }], surfaceUrl: state.surfaceUrl };
  };
  const nothing = () => {};
  const log = { info: nothing, warn: nothing, error: nothing };
  const view = new LiveView({ read, now: Date.now, log } as unknown as ConstructorParameters<typeof LiveView>[0]);
  const told: DeskUpdate[] = [];
  const stop = new AbortController();
  const close = () => {
    stop.abort();
    view.close();
  };
  void (async () => {
    for await (const update of view.watch(asOwner('mara'), stop.signal)) told.push(update);
  })();
  return { state, told, view, close };
}

test('a desk at which nothing changes is heard every second, with no part but its time', async () => {
  const { told, close } = watched();
  await vi.advanceTimersByTimeAsync(10_500);
  expect(told.length).toBeGreaterThanOrEqual(10);
  expect(told.length).toBeLessThanOrEqual(12);
  expect(Object.keys(told.at(-1) ?? {}).toSorted()).toEqual(['actor', 'time']);
  close();
});

test('a view that cannot be read is not passed off as one that holds', async () => {
  const { state, told, close } = watched();
  await vi.advanceTimersByTimeAsync(1_500);
  const before = told.length;
  state.isBroken = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toHaveLength(before);
  state.isBroken = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.length).toBeGreaterThan(before);
  close();
});

test('a console that was away for a while gets the whole view as it is then, one that was away for a moment what changed', async () => {
  const { state, view, close } = watched();
  const changes = view.watch(asOwner('ben'), undefined);
  expect((await changes.next()).value).toMatchObject({ whole: true, surfaceUrl: 'http://127.0.0.1:1', actor: 'ben' });
  const missing = changes.next();
  const miss = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      state.surfaceUrl = `http://127.0.0.1:${time}`;
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  await miss(1);
  await missing;
  await miss(5);
  expect((await changes.next()).value).toEqual({ actor: 'ben', time: Date.now(), surfaceUrl: 'http://127.0.0.1:4' });
  await miss(25);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await changes.next()).value).toEqual({
    actor: 'ben',
    may: EVERY_RIGHT,
    chains: [{ ...CHAIN, fault: null }],
    token: null,
    time: Date.now(),
    whole: true,
    pairs: [PAIR],
    surfaceUrl: 'http://127.0.0.1:24',
  });
  await changes.return();
  close();
});

test('prices that an engine moves all the time are told twice a second, and that their pair closed with the next update', async () => {
  const { state, told, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  told.length = 0;
  const move = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      state.pair.bestBid = `${Number(state.pair.bestBid) + 1}`;
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  await move(1);
  expect(told, 'the first after a rest').toMatchObject([{ pairs: [{ bestBid: '3411' }] }]);
  await move(30);
  const moves = told.filter(({ pairs }) => pairs !== undefined);
  expect(moves.length).toBeGreaterThanOrEqual(6);
  expect(moves.length).toBeLessThanOrEqual(8);
  await move(1);
  told.length = 0;
  state.pair.closed = 'prices_stale';
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toMatchObject([{ pairs: [{ closed: 'prices_stale', bestBid: state.pair.bestBid }] }]);
  close();
});

test('where a chain is and when it was polled is told with the figures of pairs, and that it is closed or refused with the next update', async () => {
  const { state, told, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  told.length = 0;
  for (let time = 0; time < 30; time += 1) {
    if (time % 10 === 4) state.chain.block += 1;
    state.chain.heartbeats = [{ endpoint: 'prices', at: time, by: 'router', status: 200 }];
    state.pair.bestBid = `${Number(state.pair.bestBid) + 1}`;
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(told.length).toBeLessThanOrEqual(8);
  await vi.advanceTimersByTimeAsync(500);
  expect(told.filter(({ chains }) => chains !== undefined).at(-1)).toMatchObject({
    chains: [{ block: 4, heartbeats: [{ at: 29 }] }],
  });
  told.length = 0;
  state.chain.fault = 'The node does not answer.';
  await vi.advanceTimersByTimeAsync(100);
  state.chain.heartbeats = [{ endpoint: 'prices', at: 30, by: 'router', status: 500 }];
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toMatchObject([
    { chains: [{ fault: state.chain.fault }] },
    { chains: [{ heartbeats: [{ status: 500 }] }] },
  ]);
  close();
});

test('what moves with the figures waits for those that are told next, and not much longer where none come or nobody listens', async () => {
  const { state, told, view, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  const waited = async (signal?: AbortSignal) => {
    const from = Date.now();
    await view.figures(signal);
    return Date.now() - from;
  };
  state.pair.bestBid = '3411';
  await vi.advanceTimersByTimeAsync(100);
  told.length = 0;
  const first = waited();
  state.chain.block += 1;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toBe(500);
  expect(told.find(({ chains }) => chains !== undefined)).toMatchObject({ chains: [{ block: 2 }] });
  const idle = waited();
  const left = waited(AbortSignal.abort());
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await idle, await left]).toEqual([600, 0]);
  close();
});

test('the last move before a rest is told, however soon it came after the one before', async () => {
  const { state, told, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  state.pair.bestBid = '3411';
  await vi.advanceTimersByTimeAsync(100);
  state.pair.bestBid = '3412';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.findLast(({ pairs }) => pairs !== undefined)).toMatchObject({ pairs: [{ bestBid: '3412' }] });
  close();
});

test('what a console that comes was told of a chain ahead of the others is told again where it goes back', async () => {
  const { state, told, view, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  state.chain.block = 2;
  await vi.advanceTimersByTimeAsync(100);
  state.chain.block = 3;
  const ahead = view.watch(asOwner('ben'), undefined);
  expect((await ahead.next()).value).toMatchObject({ chains: [{ block: 3 }] });
  state.chain.block = 2;
  told.length = 0;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.filter(({ chains }) => chains !== undefined)).toMatchObject([{ chains: [{ block: 2 }] }]);
  close();
});

test('what a console that comes was told ahead of the others is told again where it goes back', async () => {
  const { state, view, close } = watched();
  await vi.advanceTimersByTimeAsync(1_000);
  state.pair.bestBid = '3411';
  await vi.advanceTimersByTimeAsync(100);
  state.pair.bestBid = '3412'; // kept back for a moment
  await vi.advanceTimersByTimeAsync(100);
  const later = view.watch(asOwner('ben'), undefined);
  expect((await later.next()).value).toMatchObject({ whole: true, pairs: [{ bestBid: '3412' }] });
  state.pair.bestBid = '3411';
  const next = later.next();
  await vi.advanceTimersByTimeAsync(600);
  expect((await next).value).toMatchObject({ pairs: [{ bestBid: '3411' }] });
  close();
});
