import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseEventLogs } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FillRow, QuoteRow } from '../../electron/contract/quote-log.ts';
import type { DeskClient } from '../../electron/desk/desk-line.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import { DEFAULT_ASKS_PER_SECOND } from '../../electron/practice/takers/takers.ts';
import { connectionTo } from './connection.ts';
import { armedFolder } from './desk-on-chain.ts';
import { runCommand, startDesk } from './desk-process.ts';
import type { LedgerAnswers, LedgerCommand, LedgerMarket } from './ledger-market.ts';

/** An hour of wishes at the pace of the practice market, asked for fifty times as fast: 72 seconds. */
const ASKS_PER_SECOND = 50 * DEFAULT_ASKS_PER_SECOND;
const HOUR_OF_WISHES = 3_600 * DEFAULT_ASKS_PER_SECOND;

const PATIENT = { timeout: 240_000, interval: 250 };

/** What the two ledgers say of a fill, as text so that they can be laid beside one another. */
type Entry = Record<
  'orderHash' | 'makerAsset' | 'takerAsset' | 'makerAmount' | 'takerAmount' | 'taker' | 'transactionHash' | 'block',
  string
>;

test('after an hour’s worth of requests and a kill -9 the desk’s ledger of fills is the chain’s, to the last unit', async () => {
  const { market, say } = await openMarket();
  const deskChain = { accounts: { maker: { privateKey: market.makerKey } } };
  const { folder, remove } = await armedFolder(deskChain, market.deskFile);
  let desk = await startDesk(folder, 'serve');
  onTestFinished(async () => {
    await desk.stop();
    remove();
  });
  const surfacePort = new URL(desk.ready.surface).port;
  const node = openClient(market.rpcUrl);
  const asked = async () => (await say({ do: 'status' })).habits.reduce((sum, row) => sum + row.asked, 0);

  await say({ do: 'begin', surfaceUrl: desk.ready.surface, asksPerSecond: ASKS_PER_SECOND });
  await vi.waitFor(async () => expect(await asked()).toBeGreaterThan(HOUR_OF_WISHES / 2), PATIENT);
  // With transactions on their way, which come into blocks that no desk sees.
  await vi.waitFor(async () => expect((await say({ do: 'status' })).underWay).toBeGreaterThan(10), PATIENT);
  const killedAt = await node.getBlockNumber();
  await desk.kill();
  desk = await startDesk(folder, 'serve', ['--surface-port', surfacePort]);
  const backAt = await node.getBlockNumber();
  await vi.waitFor(async () => expect(await asked()).toBeGreaterThan(HOUR_OF_WISHES), PATIENT);
  const { received, lines } = await say({ do: 'stop' });
  const counted = await say({ do: 'status' });

  const chain = await fillsOfChain(market);
  const { fills, quotes } = await ledgerOf(folder, chain.length);
  expect(chain.filter(({ block }) => Number(block) > killedAt && Number(block) <= backAt)).not.toEqual([]);

  // Every fill, once, with every amount.
  expect(sorted(fills.filter(({ reverted }) => !reverted).map(entryOfDesk))).toEqual(sorted(chain));
  expect(counted.habits.reduce((sum, row) => sum + row.filled + row.lost, 0)).toBeGreaterThanOrEqual(chain.length);

  // In sum per token, and per order.
  expect(sums(fills.map(entryOfDesk), 'makerAsset', 'makerAmount')).toEqual(sums(chain, 'makerAsset', 'makerAmount'));
  expect(sums(fills.map(entryOfDesk), 'takerAsset', 'takerAmount')).toEqual(sums(chain, 'takerAsset', 'takerAmount'));
  const signed = quotes.filter(({ orderHash }) => orderHash !== null);
  for (const side of ['Maker', 'Taker'] as const) {
    const ofChain = sums(chain, 'orderHash', side === 'Maker' ? 'makerAmount' : 'takerAmount');
    const ofDesk = signed.map((quote) => [quote.orderHash, quote[`filled${side}Amount`]] as const);
    expect(Object.fromEntries(ofDesk.filter(([, amount]) => amount !== '0'))).toEqual(ofChain);
  }

  // Every order that the service ever held in its hands is in the log, as it was signed; every fill has its quote.
  const bySeq = new Map(quotes.map((quote) => [quote.seq, quote]));
  const byHash = new Map(signed.map((quote) => [quote.orderHash, quote]));
  for (const order of received) expect(byHash.get(order.orderHash)).toMatchObject(order);
  for (const fill of fills) expect(bySeq.get(fill.quoteSeq ?? 0)?.orderHash).toBe(fill.orderHash);
  expect(received.length).toBeGreaterThan(HOUR_OF_WISHES / 2);
  expect(lines.filter((line) => line.includes('reverted') && line.includes('retail'))).toEqual([]);

  const verified = await runCommand(folder, ['verify']);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
}, 600_000);

/** Starts the market's process; `say` gives it a command and resolves with its answer. */
async function openMarket() {
  const script = fileURLToPath(new URL('./ledger-market.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.stdin?.end();
    await ended;
  });
  if (child.stdout === null) throw new Error('the market has no output');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error('the market ended');
    return JSON.parse(value);
  };
  const market: LedgerMarket = await next();
  let before: Promise<unknown> = Promise.resolve();
  const say = <C extends LedgerCommand>(command: C): Promise<LedgerAnswers[C['do']]> => {
    const answer = before.then(() => {
      child.stdin?.write(`${JSON.stringify(command)}\n`);
      return next();
    });
    before = answer;
    return answer;
  };
  return { market, say };
}

async function fillsOfChain({ rpcUrl, rfqContract }: LedgerMarket): Promise<Entry[]> {
  const logs = await openClient(rpcUrl).getLogs({ address: rfqContract, fromBlock: 0n });
  return parseEventLogs({ abi: SETTLEMENT.abi, logs, eventName: 'OrderFilled' }).map((log) => {
    const { orderHash, makerAsset, takerAsset, makerAmount, takerAmount, taker } = log.args as unknown as Entry;
    const { transactionHash, blockNumber } = log;
    return asText({
      orderHash,
      makerAsset,
      takerAsset,
      makerAmount,
      takerAmount,
      taker,
      transactionHash,
      block: blockNumber,
    });
  });
}

function entryOfDesk(row: FillRow): Entry {
  const { orderHash, makerAsset, takerAsset, makerAmount, takerAmount, taker, transactionHash, block } = row;
  return asText({ orderHash, makerAsset, takerAsset, makerAmount, takerAmount, taker, transactionHash, block });
}

function asText(entry: Record<keyof Entry, unknown>): Entry {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, `${value}`.toLowerCase()])) as Entry;
}

/** The desk's fills and its log, as soon as it has seen as many fills as there are (or will not see them any more). */
async function ledgerOf(folder: string, count: number): Promise<{ fills: FillRow[]; quotes: QuoteRow[] }> {
  const connection = await connectionTo(folder, 'a test');
  try {
    const { desk } = connection;
    const seen = async () => expect((await allFills(desk)).length).toBeGreaterThanOrEqual(count);
    await vi.waitFor(seen, { interval: 500 });
    const fills = await allFills(desk);
    const quotes: QuoteRow[] = [];
    for await (const { rows } of await desk.log.all({ filter: {} })) quotes.push(...rows);
    return { fills, quotes };
  } finally {
    await connection.close();
  }
}

async function allFills(desk: DeskClient): Promise<FillRow[]> {
  const fills: FillRow[] = [];
  const span = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000 };
  for (let page = await desk.fills.list(span); page.length > 0; ) {
    fills.push(...page);
    const { time = 0, seq = 0 } = page.at(-1) ?? {};
    page = await desk.fills.list({ ...span, before: { time, seq } });
  }
  return fills;
}

function sorted(entries: Entry[]): string[] {
  return entries.map((entry) => JSON.stringify(Object.entries(entry).sort())).sort();
}

function sums(entries: Entry[], by: keyof Entry, what: 'makerAmount' | 'takerAmount'): Record<string, string> {
  const totals = new Map<string, bigint>();
  for (const entry of entries) totals.set(entry[by], (totals.get(entry[by]) ?? 0n) + BigInt(entry[what]));
  return Object.fromEntries([...totals].map(([key, total]) => [key, `${total}`]));
}
