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
const seen = async () => watcher.reached(await market.block());
const kinds = () => watcher.events.map(({ kind }) => kind);

test('a fill is journaled with the block it is in, and told once', async () => {
  const order = market.order(ONE);
  const transactionHash = await market.fill(order);
  const block = await market.block();
  await seen();
  await market.mine(3);
  await seen();
  expect(watcher.events).toHaveLength(1);
  expect(watcher.events[0]).toMatchObject({
    kind: 'fill',
    actor: 'chain',
    body: {
      chainId: 31337,
      orderHash: chain.orderHash(order),
      block: block.number,
      blockHash: block.hash,
      transactionHash,
      taker: chain.accounts.user.address,
      makerAsset: chain.weth,
      takerAsset: chain.usdc,
      makerAmount: `${ONE}`,
      takerAmount: `${PRICE}`,
    },
  });
  expect(await journal.read.fills({ limit: 10 })).toHaveLength(1);
});

test('partial fills are told one by one, each with its own increments', async () => {
  const order = market.order(ONE);
  await market.fill(order, PRICE / 4n);
  await market.fill(order, PRICE / 2n);
  await seen();
  const amounts = watcher.events.map((event) => event.kind === 'fill' && event.body.makerAmount);
  expect(amounts).toEqual([`${ONE / 4n}`, `${ONE / 2n}`]);
});

test("a cancel counts when it is the maker's, and not when a stranger cancels the same hash", async () => {
  const order = market.order(ONE);
  await market.cancel(order, chain.accounts.other.address);
  await seen();
  expect(watcher.events).toEqual([]);
  await market.cancel(order);
  await seen();
  expect(kinds()).toEqual(['cancel']);
  expect(watcher.events[0]?.body.orderHash).toBe(chain.orderHash(order));
});

test('a fill of an order the journal does not know is kept, without a quote', async () => {
  await market.fill(market.order(ONE));
  await seen();
  const [fill] = await journal.read.fills({ limit: 10 });
  expect(fill).toMatchObject({ quoteSeq: null, pair: null, reverted: false });
});

test('a signed quote is part filled, filled, and live again with what the chain takes back', async () => {
  const order = market.order(ONE);
  const { user } = chain.accounts;
  const seq = await journal.append({
    time: Date.now(),
    actor: 'test',
    kind: 'quote',
    body: {
      chainId: 31337,
      pair: 'WETH/USDC',
      side: 'asks',
      given: 'makerAmount',
      counterparty: null,
      code: null,
      userAddress: user.address,
      takerAddress: chain.executor,
      maker: order.maker,
      makerAsset: chain.weth,
      takerAsset: chain.usdc,
      makerAmount: `${ONE}`,
      takerAmount: `${PRICE}`,
      orderHash: chain.orderHash(order),
      nonceAndMeta: `${order.nonceAndMeta}`,
      expiry: 0,
      signature: '0x',
      ladderRevision: 1,
      balance: null,
      allowance: null,
      exposure: null,
      receivedAt: Date.now(),
      latencyMs: 1,
      requestBody: '{}',
    },
  });
  const state = async () => (await journal.read.quote(seq))?.state;
  await market.fill(order, PRICE / 4n);
  await seen();
  expect(await state()).toBe('part_filled');
  await market.fill(order, (PRICE * 3n) / 4n);
  await seen();
  expect(await state()).toBe('filled');
  expect(await journal.read.fills({ limit: 10 })).toMatchObject([{ quoteSeq: seq }, { quoteSeq: seq }]);
  await market.rollBack(2);
  await market.mine(3);
  await seen();
  expect(await state()).toBe('live');
});

test('balances and allowances are those of the block in the view', async () => {
  const before = watcher.view().balances.get(chain.weth)?.balance ?? 0n;
  await market.fill(market.order(ONE));
  const after = await seen();
  expect(after.balances.get(chain.weth)?.balance).toBe(before - ONE);
  await market.approve(chain.weth, 7n);
  expect((await seen()).balances.get(chain.weth)).toEqual({ balance: before - ONE, allowance: 7n });
  await market.approve(chain.weth, 2n ** 256n - 1n);
});

test('what happened while nobody watched is read afterwards, once, across a restart', async () => {
  await market.fill(market.order(ONE));
  await seen();
  await watcher.stop();
  const missed = market.order(ONE);
  await market.fill(missed, PRICE / 2n);
  await market.mine(40);
  await market.cancel(missed);
  watcher = open();
  watcher.start();
  await seen();
  expect(kinds()).toEqual(['fill', 'cancel']);
  expect(await journal.read.orderEvents(31337, 0)).toHaveLength(3);
});

test('a watcher that is stopped and started again goes on where it was', async () => {
  await market.fill(market.order(ONE));
  await seen();
  await watcher.stop();
  await market.fill(market.order(ONE));
  watcher.start();
  await seen();
  expect(kinds()).toEqual(['fill', 'fill']);
});

test('what happened before a chain was watched for the first time is not the desk’s', async () => {
  await watcher.stop();
  await journal.dispose();
  journal = await testJournal();
  await market.fill(market.order(ONE));
  watcher = open();
  watcher.start();
  await seen();
  await market.mine(10);
  await seen();
  expect(watcher.events).toEqual([]);
});

test('a listed token that is no contract removes only itself', async () => {
  await watcher.stop();
  const stranger = `0x${'ab'.repeat(20)}` as const;
  watcher = watch(
    journal,
    { ...chain, maker: chain.accounts.maker.address },
    {
      tokens: () => [stranger, chain.weth, chain.rfqContract],
    },
  );
  watcher.start();
  const view = await watcher.until(({ block }) => block !== null);
  expect([...view.balances.keys()]).toEqual([chain.weth]);
  expect(view.unreadable).toEqual([stranger, chain.rfqContract]);
  expect(view.fault).toBeNull();
});

test('a token that is listed later is read without waiting for a block', async () => {
  await watcher.stop();
  const tokens = [chain.weth];
  watcher = watch(journal, { ...chain, maker: chain.accounts.maker.address }, { tokens: () => tokens });
  watcher.start();
  await watcher.until(({ block }) => block !== null);
  tokens.push(chain.usdc);
  const view = await watcher.until(({ balances }) => balances.has(chain.usdc));
  expect(view.block?.hash).toBe((await market.block()).hash);
});
