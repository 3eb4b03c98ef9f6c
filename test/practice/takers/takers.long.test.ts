import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openClient } from '../../../electron/practice/chain/sender.ts';
import type { MakerConsumer } from '../../../electron/practice/consumer/maker-consumer.ts';
import { openConsumer } from '../../../electron/practice/consumer/open-consumer.ts';
import { noFaults } from '../../../electron/practice/consumer/surface-client.ts';
import type { Habit } from '../../../electron/practice/takers/habits.ts';
import { startTakers, type Takers } from '../../../electron/practice/takers/takers.ts';
import { openNodeProxy } from '../../chain/node-proxy.ts';
import { armedFolder } from '../../desk/desk-on-chain.ts';
import { type RunningDesk, startDesk } from '../../desk/desk-process.ts';
import { collectLog } from '../collected-log.ts';
import { addressOf, openTradingFloor, type TradingFloor } from './trading-floor.ts';

/** Two cores may be busy with other tests: what is waited for comes when it comes. */
const WAIT = { timeout: 150_000, interval: 100 };
const PATIENT = {
  firmPatience: 30_000,
  patience: 30_000,
  staleAfter: 30_000,
  restrictFor: 1_000,
  restrictAfterSilenceFor: 1_000,
  rest: 1_000,
  reconnectLast: 1_000,
};
const ENOUGH_FOR_ALL = 45; // two rounds of twenty wishes, and some that are on their way

let floor: TradingFloor;
let home: { folder: string; remove(): void };
let desk: RunningDesk;
let consumer: MakerConsumer | null = null;
let takers: Takers | null = null;
let firstBlock = 0n;
const log = collectLog();

beforeAll(async () => {
  floor = await openTradingFloor();
  home = await armedFolder(floor.chain, floor.deskFile);
  desk = await startDesk(home.folder, 'serve');
});
beforeEach(async () => {
  // Whatever the test before left on its way is in a block before the first of this one.
  await floor.chain.control.mine({ blocks: 1 });
  firstBlock = (await floor.chain.client.getBlockNumber()) + 1n;
});
afterEach(async () => {
  await takers?.stop();
  await consumer?.close();
  log.lines.length = 0;
});
afterAll(async () => {
  await desk?.stop();
  await floor?.chain.close();
  home?.remove();
});

function begin(options: {
  asksPerSecond: number;
  seed?: number;
  rpcUrl?: string;
  mids?: Record<string, string>;
}): Takers {
  const { asksPerSecond, seed = 7, rpcUrl = floor.chain.rpcUrl, mids = {} } = options;
  const chain = { ...floor.seen, client: openClient(rpcUrl) };
  const [credentials] = floor.deskFile.counterparties;
  const { domain = '', accessKey = '', secretKey = '' } = credentials ?? {};
  consumer = openConsumer({
    chain,
    surface: { surfaceUrls: [desk.ready.surface], counterparty: { domain, accessKey, secretKey } },
    mode: 'strict',
    intervals: PATIENT,
    faults: noFaults(),
    onOrder: () => {},
    now: Date.now,
    log: collectLog(),
  });
  const { accounts, tokens } = floor;
  const referenceMid = (pairId: string) => mids[pairId] ?? null;
  const { executor } = floor.chain;
  takers = startTakers({
    chain,
    consumer,
    accounts,
    executor,
    tokens,
    referenceMid,
    seed,
    asksPerSecond,
    log,
    orderState: () => 'PENDING',
  });
  return takers;
}

function counts(habit: Habit) {
  const row = takers?.status().habits.find((one) => one.habit === habit);
  if (row === undefined) throw new Error(`nobody counts ${habit}`);
  return row;
}

function total(what: 'asked' | 'quoted' | 'filled' | 'reverted' | 'lost'): number {
  return (takers?.status().habits ?? []).reduce((sum, row) => sum + row[what], 0);
}

test('each does as is their habit, counted as the chain has it', async () => {
  const running = begin({ asksPerSecond: 10, mids: { 'WETH/USDC': '3400' } });
  await vi.waitFor(() => expect(total('asked')).toBeGreaterThan(ENOUGH_FOR_ALL), WAIT);
  running.setSpeed(0);
  await vi.waitFor(() => expect(running.status().underWay).toBe(0), WAIT);

  const { habits } = running.status();
  for (const { asked, quoted, refused, filled, reverted, lost, habit } of habits) {
    expect(asked, habit).toBe(quoted + Object.values(refused).reduce((sum, count) => sum + count, 0));
    expect(lost, habit).toBe(0);
    if (habit === 'looker') expect([quoted > 0, filled, reverted]).toEqual([true, 0, 0]);
    // Whose second leg is not quoted leaves the quote of the first.
    else if (habit === 'two_hop') expect([filled <= quoted, reverted]).toEqual([true, 0]);
    else expect(filled + reverted, habit).toBe(quoted);
  }
  expect(counts('retail').filled).toBeGreaterThan(5);
  expect(counts('retail').reverted).toBe(0);
  expect(counts('two_hop').filled).toBeGreaterThan(2);
  expect(counts('arbitrageur').filled).toBeGreaterThan(0);
  expect(counts('reverting').filled).toBe(0);
  expect(counts('reverting').reverted).toBeGreaterThan(2);
  expect(counts('oversized').refused).toHaveProperty('insufficient_depth');
  expect(counts('oversized').quoted).toBe(0);
  expect(counts('stray').refused).toHaveProperty('unknown_pair');
  expect(counts('stray').quoted).toBe(0);

  const fills = await floor.fills(firstBlock);
  expect(fills).toHaveLength(total('filled'));
  for (const habit of ['retail', 'arbitrageur'] as const) {
    const own = fills.filter(({ taker }) => taker.toLowerCase() === addressOf(floor.accounts[habit]));
    expect(own, habit).toHaveLength(counts(habit).filled);
  }
  // Two hops or three, all of a swap in one transaction.
  const twoHop = fills.filter(({ taker }) => taker.toLowerCase() === addressOf(floor.accounts.two_hop));
  const legs = [...new Set(twoHop.map(({ transactionHash }) => transactionHash))].map(
    (swap) => fills.filter(({ transactionHash }) => transactionHash === swap).length,
  );
  expect(legs.every((count) => count >= 2)).toBe(true);
  expect(legs.reduce((sum, count) => sum + count, 0)).toBe(counts('two_hop').filled);
  const given = new Set(fills.map(({ makerAsset }) => makerAsset.toLowerCase()));
  expect(given).toContain(floor.tokens.WETH);
  expect(given).toContain(floor.tokens.USDC);
  const stale = fills.filter(({ taker }) => taker.toLowerCase() === addressOf(floor.accounts.arbitrageur));
  expect(stale.every(({ takerAsset }) => takerAsset.toLowerCase() === floor.tokens.WETH)).toBe(true);
});

test('both legs of a two-hop swap are in one transaction, and nothing is left with the execution contract', async () => {
  begin({ asksPerSecond: 10 });
  await vi.waitFor(() => expect(counts('two_hop').filled).toBeGreaterThan(0), WAIT);
  await takers?.stop();
  const fills = await floor.fills(firstBlock);
  const first = fills.find(({ transactionHash: hash }, at) => fills[at + 1]?.transactionHash === hash);
  const second = fills.findLast(({ transactionHash }) => transactionHash === first?.transactionHash);
  expect(first?.makerAsset).toBe(second?.takerAsset);
  expect(first?.makerAmount).toBe(second?.takerAmount);
  expect(second?.taker.toLowerCase()).toBe(addressOf(floor.accounts.two_hop));
  for (const token of Object.values(floor.tokens)) {
    expect(await floor.chain.balanceOf(token, floor.chain.executor)).toBe(0n);
  }
});

test('at a slow pace every wish has a line that says what came of it', async () => {
  begin({ asksPerSecond: 2 });
  await vi.waitFor(
    () => expect(log.lines.filter((line) => line.includes(': filled, paid')).length).toBeGreaterThan(4),
    WAIT,
  );
  const said = log.lines.join('\n');
  expect(said).toMatch(
    /^retail user: (sell|buy) \w+\/\w+, (gives|wants) [\d.]+ \w+: filled, paid [\d.]+ \w+, got [\d.]+ \w+ in block \d+ \(0x[0-9a-f]{64}\)$/m,
  );
  expect(said).not.toContain('takers:');
});

test('the speed can be changed while it runs: a hundred a second, many in one block, a line a second', async () => {
  const running = begin({ asksPerSecond: 1 / 60 });
  await vi.waitFor(() => expect(consumer?.cached()).not.toBeNull(), WAIT);
  running.setSpeed(100);
  const from = performance.now();
  await vi.waitFor(() => expect(total('asked')).toBeGreaterThan(600), WAIT);
  expect((performance.now() - from) / 1_000).toBeGreaterThan(3);
  expect(running.status().asksPerSecond).toBe(100);
  running.setSpeed(0);
  await vi.waitFor(() => expect(running.status().underWay).toBe(0), WAIT);
  expect(total('lost')).toBe(0);
  expect(total('filled')).toBe((await floor.fills(firstBlock)).length);
  const perBlock = new Map<string, number>();
  for (const { blockNumber, taker } of await floor.fills(firstBlock)) {
    const key = `${blockNumber} ${taker}`;
    perBlock.set(key, (perBlock.get(key) ?? 0) + 1);
  }
  expect(Math.max(...perBlock.values())).toBeGreaterThan(10);
  const summaries = log.lines.filter((line) => /^takers: \d+ asked, \d+ quoted, \d+ filled/.test(line));
  expect(summaries.length).toBeGreaterThan(3);
  expect(log.lines.filter((line) => line.includes('retail user'))).toEqual([]);
});

test('they outlive a desk that is killed, say so once, and go on when it is back', async () => {
  begin({ asksPerSecond: 20 });
  await vi.waitFor(() => expect(total('filled')).toBeGreaterThan(5), WAIT);
  const port = new URL(desk.ready.surface).port;
  await desk.kill();
  await vi.waitFor(() => expect(takers?.status().waits).toBe('there are no fresh prices'), WAIT);
  desk = await startDesk(home.folder, 'serve', ['--surface-port', port]);
  const before = total('filled');
  await vi.waitFor(() => expect(total('filled')).toBeGreaterThan(before + 5), WAIT);
  expect(takers?.status().waits).toBeNull();
  expect(log.lines.filter((line) => line.includes('there are no fresh prices'))).toHaveLength(1);
});

test('they outlive a node that goes away, say so once, and lose no nonce over it', async () => {
  const proxy = await openNodeProxy(() => floor.chain.rpcUrl);
  begin({ asksPerSecond: 20, rpcUrl: proxy.url });
  await vi.waitFor(() => expect(total('filled')).toBeGreaterThan(5), WAIT);
  await proxy.down();
  await vi.waitFor(() => expect(takers?.status().waits).toMatch(/^the node does not answer/), WAIT);
  const before = total('filled');
  await proxy.up();
  await vi.waitFor(() => expect(total('filled')).toBeGreaterThan(before + 10), WAIT);
  expect(log.lines.filter((line) => line.includes('the node does not answer'))).toHaveLength(1);
  await proxy.down();
});

test('stopping leaves nothing on its way', async () => {
  const running = begin({ asksPerSecond: 50 });
  await vi.waitFor(() => expect(total('filled')).toBeGreaterThan(5), WAIT);
  await running.stop();
  expect(running.status().underWay).toBe(0);
  const asked = total('asked');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(total('asked')).toBe(asked);
});
