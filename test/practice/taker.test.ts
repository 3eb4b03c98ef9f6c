import { encodeFunctionData, maxUint256, parseEventLogs } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SETTLEMENT, TEST_TOKEN } from '../../electron/practice/artifacts.ts';
import { openSender, type Sender } from '../../electron/practice/sender.ts';
import { openSurfaceClient } from '../../electron/practice/surface-client.ts';
import { startTaker, type Taker } from '../../electron/practice/taker.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { collectLog } from './collected-log.ts';
import { CREDENTIALS, openStubMaker, type StubMaker } from './stub-maker.ts';

const WAIT = { timeout: 30_000, interval: 50 };

let chain: TestChain;
let maker: StubMaker;
let taker: Taker | null = null;
let user: Sender;
const log = collectLog();

beforeEach(async () => {
  log.lines.length = 0;
  chain = await startTestChain();
  user = openSender(chain.rpcUrl, `0x${'44'.repeat(32)}`);
  await equip();
  maker = await openStubMaker(chain);
});
afterEach(async () => {
  await taker?.stop();
  await maker.close();
  await chain.close();
});

/** Gives the taker's account what it trades with, on the chain that there is now. */
async function equip(): Promise<void> {
  await chain.control.setBalance({ address: user.address, value: 10n ** 20n });
  for (const token of [chain.weth, chain.usdc]) {
    await chain.accounts.maker.call(TEST_TOKEN, token, 'mint', [user.address, 10n ** 24n]);
    const data = encodeFunctionData({
      abi: TEST_TOKEN.abi,
      functionName: 'approve',
      args: [chain.executor, maxUint256],
    });
    await user.mined(await user.send({ to: token, data }));
  }
}

function begin(seed = 7): void {
  const surface = openSurfaceClient({
    surfaceUrl: maker.url,
    basePath: '/31337',
    counterparty: CREDENTIALS,
    now: Date.now,
  });
  taker = startTaker({
    surface,
    context: { ...chain, user: user.address, now: Date.now },
    sender: user,
    tokens: [chain.weth, chain.usdc],
    restock: async () => {},
    seed,
    everyMs: 50,
    log,
  });
}

async function fills() {
  const logs = await chain.client.getLogs({ address: chain.rfqContract, fromBlock: 0n });
  return parseEventLogs({ abi: SETTLEMENT.abi, logs, eventName: 'OrderFilled' }).map(
    ({ args }) => args as unknown as Fill,
  );
}
interface Fill {
  makerAsset: string;
  makerAmount: bigint;
  takerAmount: bigint;
}

function logged(pattern: RegExp): string[] {
  return log.lines.filter((line) => pattern.test(line));
}

async function untilLogged(pattern: RegExp, times = 1): Promise<void> {
  await vi.waitFor(() => expect(logged(pattern).length).toBeGreaterThanOrEqual(times), WAIT);
}

test('it sells and buys in turn, fills on chain and says each in one line', async () => {
  begin();
  await untilLogged(/: filled, paid /, 8);
  await taker?.stop();
  const assets = (await fills()).map(({ makerAsset }) => (makerAsset.toLowerCase() === chain.weth ? 'buy' : 'sell'));
  expect(assets.slice(0, 6)).toEqual(['sell', 'buy', 'sell', 'buy', 'sell', 'buy']);
  expect(logged(/filled/)[0]).toMatch(
    /^taker: sell WETH\/USDC, (gives|wants) [\d.]+ (WETH|USDC): filled, paid [\d.]+ WETH, got [\d.]+ USDC in block \d+ \(0x[0-9a-f]{64}\)$/,
  );
  expect(logged(/^!/)).toEqual([]);
});

test('every request is signed as the spec has it', async () => {
  begin();
  await untilLogged(/filled/);
  expect(maker.unauthenticated).toEqual([]);
});

test('it asks for 1 % more than it gives, and fills only what it needs', async () => {
  begin();
  await untilLogged(/filled/, 8);
  await taker?.stop();
  const given = maker.asked.flatMap((request, index) => (request.given === 'takerAmount' ? [{ request, index }] : []));
  expect(given.length).toBeGreaterThan(0);
  const done = await fills();
  for (const { request, index } of given) {
    const fill = done[index];
    if (fill === undefined) continue;
    expect(request.amount).toBe((fill.takerAmount * 101n) / 100n);
  }
});

test('the same seed asks for the same', async () => {
  const rows: bigint[][] = [];
  for (const seed of [3, 3, 4]) {
    await maker.close();
    maker = await openStubMaker(chain);
    begin(seed);
    await vi.waitFor(() => expect(maker.asked.length).toBeGreaterThanOrEqual(3), WAIT);
    await taker?.stop();
    rows.push(maker.asked.slice(0, 3).map(({ amount }) => amount));
  }
  expect(rows[1]).toEqual(rows[0]);
  expect(rows[2]).not.toEqual(rows[0]);
});

test('a refusal is told with its code, and trading goes on when it is over', async () => {
  maker.instead.set('/firm', { status: 503, body: { error: 'The desk is halted.', code: 'halted' } });
  begin();
  await untilLogged(/! taker: .*refused with 503, halted The desk is halted\./, 2);
  maker.instead.clear();
  await untilLogged(/filled/);
});

test('an answer without an order, and a 403, put the user on the blacklist', async () => {
  maker.instead.set('/firm', { status: 200, body: { message: 'no' } });
  begin();
  await untilLogged(/no order, so this user is on the blacklist/);
  await untilLogged(/taker: waits, its user is on the blacklist/);
  expect(logged(/no order/)).toHaveLength(1);
});

test('a user on the served blacklist is not asked for', async () => {
  maker.blacklist = [user.address];
  begin();
  await untilLogged(/taker: waits, its user is on the blacklist/);
  expect(maker.asked).toEqual([]);
});

test('a maker that does not answer is given up after four seconds', async () => {
  maker.instead.set('/firm', 'never');
  begin();
  await untilLogged(/no quote, no answer in time/);
});

test('with a side gone it waits; with prices refused it waits at once', async () => {
  maker.entry = { bids: maker.entry.bids, asks: [] };
  begin();
  await untilLogged(/taker: waits, no pair has both sides/);
  maker.instead.set('/prices', { status: 503, body: { error: 'halted' } });
  await untilLogged(/service: \/prices answers 503/);
  await untilLogged(/taker: waits, there are no fresh prices/);
  expect(maker.asked).toEqual([]);
});

test('it outlives a surface that goes away and comes back', async () => {
  begin();
  await untilLogged(/filled/);
  await maker.close();
  await untilLogged(/service: \/prices fails/);
  log.lines.length = 0;
  maker = await openStubMaker(chain, maker.port);
  await untilLogged(/filled/);
});

test('it outlives a node that goes away and comes back, even on a new chain', async () => {
  begin();
  await untilLogged(/filled/, 3);
  const { port } = new URL(chain.rpcUrl);
  await chain.close();
  await untilLogged(/not filled/);
  log.lines.length = 0;
  const again = await startTestChain({ rpcPort: Number(port) });
  expect(again.rfqContract).toBe(chain.rfqContract);
  chain = again;
  await equip();
  await untilLogged(/filled, paid/);
});
