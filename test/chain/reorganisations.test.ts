import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { driveMarket, type MarketDriver, ONE, PRICE } from './market-driver.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

let chain: TestChain;
let market: MarketDriver;
let journal: Awaited<ReturnType<typeof testJournal>>;
let watcher: Watched;

beforeAll(async () => {
  chain = await startTestChain();
  market = await driveMarket(chain);
});
afterAll(() => chain?.close());
beforeEach(async () => {
  journal = await testJournal();
  watcher = open();
  watcher.start();
  await watcher.reached(await market.block());
});
afterEach(async () => {
  await watcher.stop();
  await journal.dispose();
});

const open = () => watch(journal, { ...chain, maker: chain.accounts.maker.address });
/** Exactly this block: the newest may be lower than before. */
const at = async () => {
  const { hash } = await market.block();
  return watcher.until(({ block }) => block?.hash === hash);
};
const kinds = () => watcher.events.map(({ kind }) => kind);
const standing = () => journal.read.orderEvents(31337, 0);
const maker = () => watcher.view().balances.get(chain.weth)?.balance ?? 0n;

test('a fill in a dropped block is taken back, and so is its balance', async () => {
  const before = maker();
  await market.fill(market.order(ONE));
  await market.mine(2);
  await at();
  expect(maker()).toBe(before - ONE);
  await market.rollBack(3);
  await market.mine(5);
  await at();
  expect(kinds()).toEqual(['fill', 'reverted']);
  const [fill, reverted] = watcher.events;
  expect(reverted?.body).toMatchObject({ eventSeq: fill?.seq, orderHash: fill?.body.orderHash });
  expect(maker()).toBe(before);
  expect(await standing()).toEqual([]);
});

test('a fill that comes back in another block is taken back and journaled anew', async () => {
  const order = market.order(ONE);
  const first = await market.fill(order);
  await at();
  await market.rollBack(1);
  await market.mine(2);
  const second = await market.fill(order);
  await at();
  expect(kinds()).toEqual(['fill', 'reverted', 'fill']);
  // The very same transaction: only its block tells the two apart.
  expect(second).toBe(first);
  expect(await standing()).toMatchObject([{ transactionHash: first, blockHash: (await market.block()).hash }]);
});

test('a fill that comes back at the same height is told apart by the hash of its block', async () => {
  const order = market.order(ONE);
  await market.fill(order);
  await at();
  await market.rollBack(1);
  await market.fill(order);
  await at();
  expect(kinds()).toEqual(['fill', 'reverted', 'fill']);
});

test('what stands below the fork is left alone', async () => {
  const order = market.order(ONE);
  await market.fill(order, PRICE / 2n);
  await market.fill(order, PRICE / 4n);
  await at();
  await market.rollBack(1);
  await market.mine(2);
  await at();
  expect(kinds()).toEqual(['fill', 'fill', 'reverted']);
  expect(await standing()).toHaveLength(1);
});

test('a cancel in a dropped block is taken back', async () => {
  const order = market.order(ONE);
  await market.cancel(order);
  await at();
  await market.rollBack(1);
  await market.mine(2);
  await at();
  expect(kinds()).toEqual(['cancel', 'reverted']);
});

test('a branch that is shorter than the one it replaces is followed', async () => {
  await market.fill(market.order(ONE));
  await market.mine(6);
  await at();
  await market.rollBack(7);
  await market.mine(2);
  const view = await at();
  expect(kinds()).toEqual(['fill', 'reverted']);
  expect(view.fault).toBeNull();
});

test('a node that goes back without contradicting us is behind: the view gets old and says why', async () => {
  await market.fill(market.order(ONE));
  await market.mine(3);
  const { block } = await at();
  await market.rollBack(2);
  const gone = Date.now();
  const faulty = await watcher.until(({ fault }) => fault !== null);
  expect(faulty.fault).toMatch(/is at block \d+, behind block \d+, which the desk has already seen\. .+ Wait until/);
  expect(faulty.block).toEqual(block);
  expect(faulty.seenAt).toBeLessThanOrEqual(gone + 5_000);
  expect(kinds()).toEqual(['fill']);
  await market.mine(3);
  expect((await at()).fault).toBeNull();
});

test('a reorganisation while nobody watched is found by the next start', async () => {
  await market.fill(market.order(ONE));
  await market.mine(20);
  await at();
  await watcher.stop();
  await market.rollBack(21);
  await market.mine(60);
  const other = market.order(ONE);
  await market.fill(other);
  watcher = open();
  watcher.start();
  await at();
  expect(kinds()).toEqual(['reverted', 'fill']);
  expect(await standing()).toMatchObject([{ orderHash: chain.orderHash(other) }]);
});

test('rows that a crash left above what was remembered are checked against the chain', async () => {
  const key = 'chain-memory:31337';
  await watcher.stop();
  const remembered = await journal.read.setting(key);
  watcher.start();
  const kept = market.order(ONE);
  await market.fill(kept);
  const lost = market.order(ONE);
  await market.fill(lost);
  await at();
  await watcher.stop();
  await journal.put({ table: 'settings', key, value: JSON.parse(JSON.stringify(remembered)) });
  await market.rollBack(1);
  await market.mine(3);
  watcher = open();
  watcher.start();
  await at();
  expect(kinds()).toEqual(['reverted']);
  expect(await standing()).toMatchObject([{ orderHash: chain.orderHash(kept) }]);
});

test('what a new branch holds below the block the watch began at counts as well', async () => {
  await watcher.stop();
  await journal.dispose();
  journal = await testJournal();
  await market.mine(5);
  watcher = open();
  watcher.start();
  await at();
  await market.rollBack(4);
  await market.fill(market.order(ONE));
  await market.mine(5);
  await at();
  expect(kinds()).toEqual(['fill']);
});

test.for([64, 65, 100])(
  'a reorganisation of %i blocks is followed, and what it dropped is taken back',
  async (depth) => {
    const kept = market.order(ONE);
    await market.fill(kept);
    await market.mine(10);
    const lost = market.order(ONE);
    await market.fill(lost);
    await market.mine(depth - 1);
    await at();
    const balance = maker();
    await market.rollBack(depth);
    await market.mine(depth + 1);
    const again = market.order(ONE);
    await market.fill(again);
    await at();
    expect(kinds()).toEqual(['fill', 'fill', 'reverted', 'fill']);
    expect(watcher.events[2]?.body).toMatchObject({ eventSeq: watcher.events[1]?.seq });
    const hashes = (await standing()).map(({ orderHash }) => orderHash);
    expect(hashes).toEqual([chain.orderHash(kept), chain.orderHash(again)]);
    expect(maker()).toBe(balance);
    expect([watcher.resets, watcher.losses]).toEqual([[], []]);
    // The next watcher's landmarks lie above these fills, which are none of its journal's.
    await market.mine(64);
  },
);
