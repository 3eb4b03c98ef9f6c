import { describe, expect, test, vi } from 'vitest';
import type { ConsumerMode } from '../../../electron/practice/consumer/maker-consumer.ts';
import { noFaults } from '../../../electron/practice/consumer/surface-client.ts';
import type { Counterparty } from '../../../electron/protocol/hmac.ts';
import type { Level, PriceEntry } from '../../../electron/protocol/wire.ts';
import type { ServedGrid } from '../../../electron/quoting/served-grid.ts';
import { aGrid, BAD_USER, FakeChain, USDC } from '../../surface/fake-chain.ts';
import { surfaceOf } from '../../surface/open-surface.ts';
import { consumerOf, stillClock } from './open-test-consumer.ts';
import { CREDENTIALS } from './stub-maker.ts';

const KNOWN = new Map<string, Counterparty>([['practice', { ...CREDENTIALS, signedPath: 'full' }]]);
const bids: Level[] = [['3412.5', '2']];
const asks: Level[] = [['3413.5', '1.5']];

/** The desk's own surface, signed requests only, and a consumer of it. */
async function open(options: Parameters<typeof consumerOf>[1] = {}, grid: ServedGrid = aGrid()) {
  const chain = new FakeChain(31337, '/31337');
  chain.grid = grid;
  const clock = stillClock();
  const made = await surfaceOf([chain], { counterparties: () => KNOWN, now: clock.now });
  const serve = (change: Partial<ServedGrid>) => {
    chain.grid = { ...chain.grid, ...change };
    made.surface.refresh(31337);
  };
  return { ...made, serve, ...consumerOf(made.surface.url, { now: clock.now, ...options }), clock };
}

const HALF_OFF: [ConsumerMode, PriceEntry][] = [
  ['strict', { bids: [], asks }],
  ['spec', { asks }],
];
describe.each(HALF_OFF)('%s', (mode, halfOff) => {
  test('finds nothing to complain about while prices move, sides go off, users are blacklisted and trading stops', async () => {
    const { consumer, serve, complaints, until, untilEnabled, untilDisabled, beats, logged } = await open({ mode });
    await untilEnabled();
    await until(() => expect(consumer.status().socket.connected).toBe(true));
    expect(consumer.cached()).toEqual({
      tokens: aGrid().tokens,
      pairs: aGrid().pairs,
      prices: aGrid().prices,
      blacklist: new Set([BAD_USER]),
    });
    serve({ prices: { 'WETH/USDC': halfOff } });
    await until(() => expect(consumer.cached()?.prices).toEqual({ 'WETH/USDC': halfOff }));
    serve({ prices: { 'WETH/USDC': mode === 'strict' ? { bids: [], asks: [] } : {} } });
    await until(() => expect(consumer.cached()).toBeNull());
    expect(consumer.status().enabled).toBe(true);
    serve({ prices: { 'WETH/USDC': { bids, asks } }, blacklist: [BAD_USER, USDC] });
    await untilEnabled();
    await until(() => expect(consumer.cached()?.blacklist.has(USDC)).toBe(true));
    serve({ closed: 'halted', prices: {} });
    await untilDisabled();
    await until(() => expect(consumer.status().socket.connected).toBe(false));
    await until(() => expect(consumer.status().socket.why).toMatch(/refused with 503: Trading is halted\.$/));
    expect(consumer.status().why).toBe('/prices answers 503: Trading is halted.');
    serve({ closed: null, prices: { 'WETH/USDC': { bids, asks } } });
    await untilEnabled();
    await until(() => expect(consumer.status().socket.connected).toBe(true));
    expect(complaints()).toEqual([]);
    expect(consumer.status().complaints).toEqual({ count: 0, last: [] });
    expect(new Set(beats.map(({ status }) => status))).toEqual(new Set([101, 200, 503]));
    expect(logged(/^! service, Test: the maker is disabled: \/prices answers 503/)).toHaveLength(1);
  });
});

test('a user is blacklisted for a while after the list last named him', async () => {
  const { consumer, serve, until, untilEnabled, beats, clock } = await open();
  await untilEnabled();
  const listed = [{ address: BAD_USER, from: 'list', until: expect.any(Number) }];
  await until(() => expect(consumer.status().blacklist).toEqual(listed));
  serve({ blacklist: [] });
  const polls = () => beats.filter(({ endpoint }) => endpoint === 'blacklist').length;
  const before = polls();
  await until(() => expect(polls()).toBeGreaterThan(before + 2));
  clock.ahead += 599;
  expect(consumer.cached()?.blacklist).toEqual(new Set([BAD_USER]));
  clock.ahead += 1;
  expect(consumer.cached()?.blacklist).toEqual(new Set());
  expect(consumer.status().blacklist).toEqual([]);
});

describe('a fault of the service', () => {
  test('down: nothing leaves it, the channel is closed, the cache is gone; afterwards all is there again', async () => {
    const faults = noFaults();
    const { consumer, beats, surface, until, untilEnabled, complaints } = await open({ faults });
    await untilEnabled();
    await until(() => expect(surface.webSockets(31337)).toBe(1));
    faults.down = true;
    expect(consumer.cached()).toBeNull();
    await until(() => expect(surface.webSockets(31337)).toBe(0));
    await until(() => expect(consumer.status()).toMatchObject({ enabled: false, why: 'the service is down' }));
    // What was on its way arrives, and nothing after it.
    let before: number;
    do {
      before = beats.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    } while (beats.length > before);
    expect(consumer.status().socket.connected).toBe(false);
    expect(consumer.status().blacklist).toEqual([]);
    faults.down = false;
    await untilEnabled();
    await until(() => expect(surface.webSockets(31337)).toBe(1));
    expect(complaints()).toEqual([]);
  });

  test.each([
    ['wrong secret', { wrongSecret: true }, /X-AUTH-SIGNATURE does not match/],
    ['a clock 45 s ahead', { clockOffsetMs: 45_000 }, /X-AUTH-TIMESTAMP is 45 s ahead of our clock/],
    ['a clock 45 s behind', { clockOffsetMs: -45_000 }, /X-AUTH-TIMESTAMP is 45 s behind our clock/],
  ])('%s: refused with 401, which is no complaint, and well again afterwards', async (_, fault, sentence) => {
    const faults = noFaults();
    const { consumer, untilEnabled, untilDisabled, until, complaints } = await open({ faults });
    await untilEnabled();
    Object.assign(faults, fault);
    await untilDisabled();
    expect(consumer.status().why).toMatch(sentence);
    Object.assign(faults, noFaults());
    await untilEnabled();
    await until(() => expect(consumer.status().endpoints.tokens.fault).toBeNull());
    expect(complaints()).toEqual([]);
  });

  test('slow: requests leave late, and signed with the time at which they leave', async () => {
    const faults = { ...noFaults(), slowMs: 300 };
    const from = performance.now();
    const { untilEnabled, until, complaints, beats } = await open({ faults });
    await untilEnabled();
    expect(performance.now() - from).toBeGreaterThan(300);
    await until(() => expect(new Set(beats.map(({ status }) => status))).toEqual(new Set([101, 200])));
    expect(complaints()).toEqual([]);
  });
});

test('a surface that goes away is complained of, and one that comes back is taken up again', async () => {
  const { consumer, surface, chain, untilEnabled, untilDisabled, until, complaints } = await open();
  await untilEnabled();
  const { port } = surface;
  await surface.close();
  await untilDisabled();
  expect(consumer.cached()).toBeNull();
  expect(complaints().some((sentence) => sentence.startsWith('/prices fails: '))).toBe(true);
  // Somebody else may have the port for a moment.
  const again = await vi.waitFor(() => surfaceOf([chain], { counterparties: () => KNOWN, port }), { interval: 100 });
  await untilEnabled();
  await until(() => expect(again.surface.webSockets(31337)).toBe(1));
});
