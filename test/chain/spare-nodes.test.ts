import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkChain } from '../../electron/chain/check-chain.ts';
import { openNode } from '../../electron/chain/node-client.ts';
import { startAnvil } from '../../electron/practice/chain/anvil.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { driveMarket, type MarketDriver, ONE } from './market-driver.ts';
import { type NodeProxy, openNodeProxy } from './node-proxy.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

/** One real chain, with three nodes of it: each a proxy that may be gone, late, tired or lie. */
let chain: TestChain;
let market: MarketDriver;
let nodes: { first: NodeProxy; spare: NodeProxy; witness: NodeProxy };
let journal: Awaited<ReturnType<typeof testJournal>>;
let watcher: Watched;

beforeAll(async () => {
  chain = await startTestChain();
  market = await driveMarket(chain);
});
afterAll(() => chain?.close());
beforeEach(async () => {
  journal = await testJournal();
  const [first, spare, witness] = await Promise.all([1, 2, 3].map(() => openNodeProxy(() => chain.rpcUrl)));
  if (!first || !spare || !witness) throw new Error('A node is missing.');
  nodes = { first, spare, witness };
});
afterEach(async () => {
  await watcher?.stop();
  for (const node of Object.values(nodes)) await node.down().catch(() => {}); // it may be down already
  await journal.dispose();
});

/** Watches the chain with a spare node, unless there is to be none, and perhaps a witness. */
function begin(options: { rpcUrl?: string; spares?: string[]; secondRpcUrl?: string; timeoutMs?: number } = {}) {
  const { rpcUrl = nodes.first.url, spares = [nodes.spare.url], secondRpcUrl, timeoutMs = 60_000 } = options;
  const { chainId, rfqContract, accounts, weth, usdc } = chain;
  const maker = accounts.maker.address;
  const config = { chainId, rpcUrl, spareRpcUrls: spares, secondRpcUrl, rfqContract, maker };
  watcher = watch(journal, { rfqContract, weth, usdc, rpcUrl, maker }, { config, timeoutMs, maxLagSeconds: () => 1e9 });
  watcher.start();
}

/** The chain is seen as it is now, with a fill in it that the desk hears of. */
async function followsTheChain(): Promise<void> {
  const before = watcher.events.length;
  await market.fill(market.order(ONE));
  await watcher.reached(await market.block());
  await watcher.until(({ fault }) => fault === null);
  expect(watcher.events.slice(before).map(({ kind }) => kind)).toEqual(['fill']);
}

/** Resolves after so many looks at the chain through this node. */
async function looks(node: NodeProxy, count: number): Promise<void> {
  const seen = node.trips.length;
  await expect.poll(() => node.trips.length).toBeGreaterThanOrEqual(seen + count);
}

const methodsOf = ({ trips }: NodeProxy) => [...new Set(trips.flat().map(({ method }) => method))];
const wells = () => watcher.views.filter(({ fault }) => fault !== null);

describe('while the first node', () => {
  test('is gone, the spare one is asked, and the first again once it is back', async () => {
    begin();
    await watcher.until(({ seenAt, fault }) => seenAt !== null && fault === null);
    expect(nodes.spare.trips).toEqual([]);
    await nodes.first.down();
    await followsTheChain();
    const said = /refuses connections\. The node at 127\.0\.0\.1:\d+ is asked meanwhile\./;
    expect(watcher.lines.join('\n')).toMatch(said);
    expect(watcher.view().spare).toMatch(said);
    await nodes.first.up();
    await looks(nodes.first, 5);
    await followsTheChain();
    expect(watcher.view()).toMatchObject({ spare: undefined });
    expect(wells()).toEqual([]);
  });

  test('is gone, and the chain is watched anew once it is back, nothing is said of the spare one any more', async () => {
    begin();
    await watcher.until(({ seenAt }) => seenAt !== null);
    await nodes.first.down();
    await watcher.until(({ spare }) => spare !== undefined);
    await watcher.stop();
    await nodes.first.up();
    const before = watcher.views.length;
    watcher.start();
    await followsTheChain();
    expect(watcher.views.slice(before).map(({ spare }) => spare)).toEqual(
      watcher.views.slice(before).map(() => undefined),
    );
  });

  test('is gone from the start, the spare one is asked', async () => {
    await nodes.first.down();
    begin();
    await watcher.until(({ seenAt, fault }) => seenAt !== null && fault === null);
    await followsTheChain();
  });

  test('answers nothing, the spare one is asked', async () => {
    begin({ timeoutMs: 4_000 });
    await watcher.until(({ seenAt }) => seenAt !== null);
    nodes.first.silent = true;
    await followsTheChain();
    expect(watcher.lines.join('\n')).toContain('did not answer in time');
  });

  test('stands still behind what was seen, the spare one is asked', async () => {
    begin();
    await watcher.until(({ seenAt }) => seenAt !== null);
    const { number } = await market.block();
    const newest = (await chain.client.request({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, false],
    })) as object;
    await followsTheChain();
    nodes.first.answer = ({ method, params }) => {
      if (method !== 'eth_getBlockByNumber') return undefined;
      if (params[0] === 'latest') return { result: newest };
      return Number(params[0]) > number ? { result: null } : undefined;
    };
    await looks(nodes.spare, 3);
    await followsTheChain();
    expect(watcher.lines.join('\n')).toMatch(/is at block \d+, behind block \d+/);
  });

  test('is of another chain, nothing else is asked of it', async () => {
    nodes.first.answer = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
    begin();
    await watcher.until(({ seenAt, fault }) => seenAt !== null && fault === null);
    await followsTheChain();
    expect(methodsOf(nodes.first)).toEqual(['eth_chainId']);
    expect(watcher.lines.join('\n')).toContain('is of chain 1, not of chain 31337');
  });

  test('says that it is asked too often, it is not asked before the time that it names, and the spare one is', async () => {
    begin();
    await watcher.until(({ seenAt }) => seenAt !== null);
    nodes.first.refuse = () => ({ status: 429, headers: { 'retry-after': '500' } });
    await looks(nodes.spare, 2);
    const asked = nodes.first.trips.length;
    nodes.first.refuse = () => undefined;
    await looks(nodes.spare, 20);
    await followsTheChain();
    expect(nodes.first.trips).toHaveLength(asked);
    expect(watcher.lines.join('\n')).toContain('is asked too often for its limits, and is asked nothing for 500 s.');
    expect(wells()).toEqual([]);
  });

  test('says in its answers that it is asked too often, the spare one is asked, and the first again after a while', async () => {
    begin();
    await watcher.until(({ seenAt }) => seenAt !== null);
    nodes.first.answer = () => ({ error: { code: -32_005, message: 'daily request rate limit reached' } });
    await looks(nodes.spare, 5);
    await followsTheChain();
    expect(watcher.lines.join('\n')).toContain('asked too often for its limits (daily request rate limit reached)');
    nodes.first.answer = () => undefined;
    await looks(nodes.first, 5);
    expect(wells()).toEqual([]);
  });

  test('lies, no spare one is asked until somebody agrees: the witness says otherwise, and the chain is closed', async () => {
    begin({ secondRpcUrl: nodes.witness.url });
    await watcher.until(({ seenAt, fault }) => seenAt !== null && fault === null);
    nodes.first.change = ({ method }, answer) => (method === 'eth_getLogs' ? { ...answer, result: [] } : undefined);
    await market.fill(market.order(ONE));
    await watcher.until(({ unconfirmed }) => unconfirmed === 'disagree');
    await looks(nodes.witness, 20);
    expect(watcher.view().unconfirmed).toBe('disagree');
    expect(nodes.spare.trips).toEqual([]);
  });
});

describe('the only node', () => {
  test('that names a time is asked nothing until then, and the trader reads why', async () => {
    begin({ spares: [] });
    await watcher.until(({ seenAt }) => seenAt !== null);
    nodes.first.refuse = () => ({ status: 429, headers: { 'retry-after': '500' } });
    const { fault } = await watcher.until(({ fault }) => fault !== null);
    expect(fault).toContain('is asked too often for its limits, and is asked nothing for 500 s.');
    expect(fault).toContain('name a spare node under Settings, Chains');
    const asked = nodes.first.trips.length;
    const node = openNode({ rpcUrl: nodes.witness.url });
    onTestFinished(() => node.close());
    for (let turn = 0; turn < 50; turn += 1) await node.ask([{ method: 'eth_chainId', params: [] }]);
    expect(nodes.first.trips).toHaveLength(asked);
  });

  test('that names none is asked again after a moment, and the chain opens by itself', async () => {
    begin({ spares: [] });
    await watcher.until(({ seenAt }) => seenAt !== null);
    nodes.first.refuse = () => 429;
    await watcher.until(({ fault }) => fault !== null);
    nodes.first.refuse = () => undefined;
    await followsTheChain();
  });
});

test('a transaction that was not answered is handed to no other node: it may have been taken', async () => {
  const node = openNode({
    rpcUrl: nodes.first.url,
    spareRpcUrls: [nodes.spare.url],
    chainId: chain.chainId,
    timeoutMs: 10_000,
  });
  onTestFinished(() => node.close());
  await node.ask([{ method: 'eth_blockNumber', params: [] }]);
  nodes.first.silent = true;
  const sent = node.ask([{ method: 'eth_sendRawTransaction', params: ['0x00'] }]);
  await expect(sent).rejects.toMatchObject({ code: 'node_unreachable' });
  expect(methodsOf(nodes.spare)).toEqual([]);
  await node.ask([{ method: 'eth_blockNumber', params: [] }]);
  expect(methodsOf(nodes.spare)).toEqual(['eth_chainId', 'eth_blockNumber']);
});

test('no contract of a token makes a node seem tired: what it reverts with is its own word', async () => {
  nodes.first.answer = () => ({ error: { code: -32_000, message: 'execution reverted: too many requests' } });
  const node = openNode({ rpcUrl: nodes.first.url });
  onTestFinished(() => node.close());
  for (let turn = 0; turn < 2; turn += 1) {
    const [answer] = await node.ask([{ method: 'eth_call', params: [] }]);
    expect(answer).toMatchObject({ ok: false, error: { code: -32_000 } });
  }
});

describe('the self-check', () => {
  const checked = async (rpcUrl: string, spareRpcUrls: string[]) => {
    const { chainId, rfqContract } = chain;
    const checks = await checkChain({ rpcUrl, spareRpcUrls, chainId, rfqContract, tokens: {} });
    return Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
  };
  const ofChain = { chain_id: 'passed', rfq_contract: 'passed' };

  test('passes with a first or a spare node that is gone, says so, and looks at each that is there', async () => {
    const { first, spare, witness } = nodes;
    const all = { ...ofChain, first_node: 'passed', 'spare_node 1': 'passed', 'spare_node 2': 'passed' };
    expect(await checked(first.url, [spare.url, witness.url])).toEqual(all);
    await spare.down();
    expect(await checked(first.url, [spare.url, witness.url])).toEqual({ ...all, 'spare_node 1': 'warning' });
    await first.down();
    expect(await checked(first.url, [witness.url])).toEqual({
      ...ofChain,
      first_node: 'warning',
      'spare_node 1': 'passed',
    });
  });

  test('fails with a node of another chain among them, also one of the same id', async () => {
    const { first, spare } = nodes;
    const other = await startAnvil({ port: 0, chainId: 1 });
    onTestFinished(() => other.close());
    expect(await checked(first.url, [other.rpcUrl])).toMatchObject({ ...ofChain, 'spare_node 1': 'failed' });
    expect(await checked(other.rpcUrl, [spare.url])).toMatchObject({ ...ofChain, first_node: 'failed' });
    const twin = await startAnvil({ port: 0 });
    onTestFinished(() => twin.close());
    expect(await checked(first.url, [twin.rpcUrl])).toMatchObject({ ...ofChain, 'spare_node 1': 'failed' });
  });

  test('fails closed where no node answers', async () => {
    await nodes.first.down();
    await nodes.spare.down();
    expect(await checked(nodes.first.url, [nodes.spare.url])).toEqual({ chain_id: 'unanswered' });
  });
});

describe('a fill that one node made up, in a block of the chain,', () => {
  /** The first tells of a fill that it made up; then the chain is watched through the others, long after. */
  async function moveOn(options: { spares: string[]; secondRpcUrl?: string }): Promise<void> {
    begin({ spares: [] });
    await watcher.until(({ seenAt }) => seenAt !== null);
    await followsTheChain();
    nodes.first.change = madeUp;
    await market.mine();
    await expect.poll(() => watcher.events.map(({ kind }) => kind)).toEqual(['fill', 'fill']);
    await watcher.stop();
    await market.mine(40);
    begin({ rpcUrl: nodes.witness.url, ...options });
  }
  const madeUp: NodeProxy['change'] = ({ method }, answer) => {
    const isReceipt = method === 'eth_getTransactionReceipt';
    const logs = isReceipt ? (answer.result as { logs: object[] }).logs : (answer.result as object[]);
    if (!isReceipt && method !== 'eth_getLogs') return undefined;
    const [log] = logs.filter((one) => (one as { address: string }).address === chain.rfqContract) as {
      topics: string[];
    }[];
    if (log === undefined) return undefined;
    const topics = log.topics.with(1, `0x${'e'.repeat(64)}`);
    const more = [...logs, { ...log, topics, logIndex: '0x77' }];
    return { ...answer, result: isReceipt ? { ...(answer.result as object), logs: more } : more };
  };
  const stands = async () => (await journal.read.orderEvents(chain.chainId, 0)).length;
  const isClosed = (why: RegExp) => watcher.until(({ fault }) => fault !== null && why.test(fault));

  test('is taken back once two others went on not having it, and that is told', async () => {
    await moveOn({ spares: [nodes.spare.url] });
    await watcher.until(({ fault, seenAt }) => fault === null && seenAt !== null);
    expect(watcher.events).toMatchObject([
      { kind: 'reverted', body: { cause: 'never_there', orderHash: `0x${'e'.repeat(64)}` } },
    ]);
    const told = /^A fill of order 0xe+ in block \d+ .* is on no chain/;
    expect(watcher.view().neverThere).toMatch(told);
    await watcher.stop();
    begin({ rpcUrl: nodes.spare.url, spares: [] });
    await watcher.until(({ seenAt }) => seenAt !== null);
    expect(watcher.view().neverThere, 'also where another node is asked from then on').toMatch(told);
    expect(await stands()).toBe(1);
    await followsTheChain();
  });

  test('is taken back by the word of both where two nodes are asked', async () => {
    await moveOn({ spares: [], secondRpcUrl: nodes.spare.url });
    await watcher.until(({ fault, seenAt }) => fault === null && seenAt !== null);
    expect(await stands()).toBe(1);
  });

  test('stands while only one node lacks it, and the desk says what ends that', async () => {
    await moveOn({ spares: [] });
    const { fault } = await isClosed(/does not have the fill/);
    expect(fault).toMatch(
      /in block \d+ \(transaction 0x[0-9a-f]{64}\) that a node told before\. .* Name a spare or a second node/,
    );
    await looks(nodes.witness, 60);
    expect(await stands()).toBe(2);
  });

  test('stands while the node that told it is asked too, and still does', async () => {
    await moveOn({ spares: [nodes.spare.url, nodes.first.url] });
    await isClosed(/See in a block explorer who is right/);
    await looks(nodes.witness, 60);
    expect(await stands()).toBe(2);
    expect(watcher.events).toEqual([]);
  });
});

test('a real fill that the node asked hides is never taken back while another one has it', async () => {
  begin();
  await watcher.until(({ seenAt }) => seenAt !== null);
  await followsTheChain();
  nodes.first.change = ({ method }, answer) =>
    method === 'eth_getLogs'
      ? { ...answer, result: [] }
      : method === 'eth_getTransactionReceipt'
        ? { ...answer, result: null }
        : undefined;
  await market.mine(40);
  await watcher.until(({ fault }) => fault?.includes('does not have the fill') ?? false);
  await looks(nodes.first, 100);
  expect(
    nodes.spare.trips.flat().filter(({ method }) => method === 'eth_getTransactionReceipt').length,
  ).toBeGreaterThan(3);
  expect(watcher.events.map(({ kind }) => kind)).toEqual(['fill']);
  nodes.first.change = () => undefined;
  await followsTheChain();
});
