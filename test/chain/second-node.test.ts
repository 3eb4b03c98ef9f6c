import { createTestClient, encodeFunctionData, http, type TestClient } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { checkChain } from '../../electron/chain/check-chain.ts';
import { type Anvil, startAnvil } from '../../electron/practice/chain/anvil.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { driveMarket, type MarketDriver, ONE } from './market-driver.ts';
import { type NodeProxy, openNodeProxy, type RpcCall } from './node-proxy.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

/** Two real nodes of one chain, each behind a proxy through which it may lie. The second has what it was given last. */
let chain: TestChain;
let market: MarketDriver;
let second: Anvil;
let control: TestClient<'anvil'>;
let nodes: { first: NodeProxy; second: NodeProxy };
let journal: Awaited<ReturnType<typeof testJournal>>;
let watcher: Watched;

const clientOf = (rpcUrl: string) => createTestClient({ mode: 'anvil', transport: http(rpcUrl), chain: undefined });
/** The second node gets every block that the first has. */
const catchUp = async () => control.loadState({ state: await chain.control.dumpState() });

beforeAll(async () => {
  // On a port of its own choice it begins with itself, not with a kept state: what it hands on has one first block.
  chain = await startTestChain({ rpcPort: 0 });
  market = await driveMarket(chain);
  second = await startAnvil({ port: 0 });
  control = clientOf(second.rpcUrl);
});
afterAll(async () => {
  await second?.close();
  await chain?.close();
});
beforeEach(async () => {
  journal = await testJournal();
  nodes = {
    first: await openNodeProxy(() => chain.rpcUrl),
    second: await openNodeProxy(() => second.rpcUrl),
  };
  await catchUp();
  const where = { ...chain, rpcUrl: nodes.first.url, maker: chain.accounts.maker.address };
  watcher = watch(journal, where, {
    config: {
      chainId: chain.chainId,
      rpcUrl: nodes.first.url,
      secondRpcUrl: nodes.second.url,
      rfqContract: chain.rfqContract,
      maker: where.maker,
    },
    amountText: (token, raw) => `${Number(raw / 10n ** 14n) / 10_000} ${token === chain.weth ? 'WETH' : 'USDC'}`,
  });
  watcher.start();
  await agreed();
});
afterEach(async () => {
  await watcher.stop();
  await nodes.first.down();
  await nodes.second.down();
  await journal.dispose();
});

/** Both have the newest block, and the desk has seen it. */
async function agreed(): Promise<void> {
  await watcher.reached(await market.block());
  await isWell();
}
const isWell = () => watcher.until(({ fault, seenAt }) => fault === null && seenAt !== null);
const disagree = () => watcher.until(({ unconfirmed }) => unconfirmed === 'disagree');
const kinds = () => watcher.events.map(({ kind }) => kind);
const held = () => watcher.view().balances.get(chain.weth)?.balance;

/** Resolves after so many looks at both nodes that began later than this. */
async function looks(count: number): Promise<void> {
  const { trips } = nodes.first;
  const seen = trips.length;
  const isLook = (calls: RpcCall[]) => calls.some(({ method }) => method === 'eth_chainId');
  await expect.poll(() => trips.slice(seen).filter(isLook).length).toBeGreaterThanOrEqual(count);
}

test('a second node that is some blocks late is waited for: what it does not have yet is neither believed nor an alarm', async () => {
  const { block } = watcher.view();
  await market.fill(market.order(ONE));
  await looks(5);
  expect(watcher.view()).toMatchObject({ block, fault: null });
  expect(kinds()).toEqual([]);
  await catchUp();
  await agreed();
  expect(kinds()).toEqual(['fill']);
});

test('what the first says of a newer block already lowers what is held, so that a late second node has nothing more signed', async () => {
  const before = held() ?? 0n;
  const { maker, other } = chain.accounts;
  const args = [other.address, 3n * ONE];
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'transfer', args });
  const { block } = watcher.view();
  await maker.mined(await maker.send({ to: chain.weth, data }));
  await expect.poll(held).toBe(before - 3n * ONE);
  expect(watcher.view()).toMatchObject({ block, fault: null });
  await catchUp();
  await agreed();
  expect(held()).toBe(before - 3n * ONE);
});

/** A lie in one answer of a node; the others are true. */
type Lie = (call: RpcCall, answer: { result?: unknown }) => { result: unknown } | undefined;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const calls = (name: string): Lie => {
  const selector = name === 'balanceOf' ? '0x70a08231' : '0xdd62ed3e';
  return ({ method, params }, { result }) => {
    const [asked] = params as [{ to?: string; data?: string }];
    const isAsked = method === 'eth_call' && asked.to === chain.weth && asked.data?.startsWith(selector);
    return isAsked ? { result: word((BigInt(String(result)) + ONE) % 2n ** 256n) } : undefined;
  };
};
const LIES: [string, Lie, RegExp][] = [
  ['shows a balance that is too high', calls('balanceOf'), /at block \d+ the maker holds [\d.]+ WETH by the node at/],
  ['shows another allowance', calls('allowance'), /the maker has approved/],
  [
    'hides a fill',
    ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined),
    /has a fill or a cancel in block \d+ \(transaction 0x[0-9a-f]{64}\) which the node at/,
  ],
  [
    'makes a fill larger',
    ({ method }, { result }) => {
      if (method !== 'eth_getLogs') return undefined;
      const logs = result as { data: string }[];
      return {
        result: logs.map((log) => ({ ...log, data: log.data.replace(/0de0b6b3a7640000/, '1bc16d674ec80000') })),
      };
    },
    /has a fill or a cancel in block/,
  ],
  [
    'is on another branch',
    ({ method, params }, { result }) => {
      if (method !== 'eth_getBlockByNumber' || params[0] === '0x0') return undefined;
      return {
        result: result === null ? null : { ...result, hash: word(BigInt((result as { hash: string }).hash) ^ 1n) },
      };
    },
    /they are on different branches\. Block \d+ is 0x/,
  ],
  [
    'tells another time of a block',
    ({ method }, { result }) => {
      if (method !== 'eth_getBlockByNumber' || result == null) return undefined;
      const { timestamp } = result as { timestamp: string };
      return { result: { ...result, timestamp: `0x${(Number(timestamp) + 9).toString(16)}` } };
    },
    /they are on different branches/,
  ],
  [
    'is of another chain with the same id',
    ({ method, params }, { result }) =>
      method === 'eth_getBlockByNumber' && result != null
        ? {
            result: {
              ...result,
              hash: word(BigInt((result as { hash: string }).hash) ^ 2n),
              number: params[0] === 'latest' ? (result as { number: string }).number : params[0],
            },
          }
        : undefined,
    /is of another chain with the same id: it begins with block 0x/,
  ],
];

const isNoMore = (now: ChainView['balances'], before: ChainView['balances']) =>
  [...now].every(([token, { balance, allowance }]) => {
    const then = before.get(token);
    return then !== undefined && balance <= then.balance && allowance <= then.allowance;
  });

describe.each(['first', 'second'] as const)('where the %s node lies', (liar) => {
  test.each(LIES)(
    'and %s, the chain is closed, nothing of it is believed, and it opens by itself',
    async (_what, lie, why) => {
      await market.fill(market.order(ONE));
      await catchUp();
      await agreed();
      const [{ block, balances }, told] = [watcher.view(), watcher.events.length];
      nodes[liar].change = (call, answer) => {
        const told = lie(call, answer);
        return told === undefined ? undefined : { ...answer, ...told };
      };
      await market.fill(market.order(ONE));
      await catchUp();
      const view = await disagree();
      expect(view.fault).toMatch(
        /^The two nodes of this chain disagree: .* name another node in place of the wrong one/,
      );
      expect(view.fault).toMatch(why);
      await looks(3);
      expect(watcher.view()).toMatchObject({ block, unconfirmed: 'disagree' });
      // Less may be held than before, by what the first said of a block that the second did not have yet; never more.
      expect(isNoMore(watcher.view().balances, balances)).toBe(true);
      expect(watcher.events).toHaveLength(told);
      nodes[liar].change = () => undefined;
      await agreed();
      expect(watcher.view().unconfirmed).toBeUndefined();
      expect(watcher.events.slice(told).map(({ kind }) => kind)).toEqual(['fill']);
      expect(watcher.losses).toEqual([]);
    },
  );
});

test('a branch that only the second node has takes nothing back', async () => {
  await market.fill(market.order(ONE));
  await catchUp();
  await agreed();
  const { block } = watcher.view();
  await control.setCoinbase({ address: `0x${'9'.repeat(40)}` });
  await control.mine({ blocks: 1 });
  await market.mine();
  expect((await disagree()).fault).toContain('they are on different branches');
  expect(watcher.view().block).toEqual(block);
  expect(kinds()).toEqual(['fill']);
  await control.request({ method: 'anvil_rollback', params: [1] } as never);
  await catchUp();
  await agreed();
  expect(kinds()).toEqual(['fill']);
});

test('a second node that goes away leaves the last view to get old, says so, and is found again by itself', async () => {
  const { block } = watcher.view();
  await nodes.second.down();
  const gone = await watcher.until(({ unconfirmed }) => unconfirmed === 'silent');
  expect(gone.fault).toMatch(
    /^The second node does not say what the first does\. .* refuses connections\. .* or none, under/,
  );
  const { seenAt } = gone;
  await market.fill(market.order(ONE));
  await looks(3);
  expect(watcher.view()).toMatchObject({ block, seenAt, unconfirmed: 'silent' });
  expect(kinds()).toEqual([]);
  await catchUp();
  await nodes.second.up();
  await agreed();
  expect(watcher.view().unconfirmed).toBeUndefined();
  expect(kinds()).toEqual(['fill']);
});

test('a second node that is far behind counts as silent, and a first one that is as behind', async () => {
  await market.mine();
  await chain.control.increaseTime({ seconds: 100 });
  await market.mine();
  const late = await watcher.until(({ unconfirmed }) => unconfirmed === 'silent');
  expect(late.fault).toMatch(/is 1\d\d s behind the one at 127\.0\.0\.1:\d+: at block \d+, not \d+\./);
  await catchUp();
  await agreed();
});

test('a second node of another chain, by its id or by its first block, does not pass its check; the same one does', async () => {
  const ask = async (secondRpcUrl: string) => {
    const { rpcUrl, chainId, rfqContract } = chain;
    const checks = await checkChain({ rpcUrl, secondRpcUrl, chainId, rfqContract, tokens: {} });
    return checks.find(({ name }) => name === 'second_node');
  };
  expect(await ask(second.rpcUrl)).toMatchObject({ outcome: 'passed', scope: { kind: 'chain' } });
  const other = await startAnvil({ port: 0 });
  try {
    const stranger = await ask(other.rpcUrl);
    expect(stranger).toMatchObject({ outcome: 'failed' });
    expect(stranger?.sentence).toContain('is of another chain with the same id');
  } finally {
    await other.close();
  }
  nodes.second.answer = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
  expect((await ask(nodes.second.url))?.sentence).toContain('is of chain 1, not of chain 31337');
  expect((await disagree()).fault).toContain('is of chain 1, not of chain 31337');
  await nodes.second.down();
  expect(await ask(nodes.second.url)).toMatchObject({ outcome: 'unanswered' });
  await nodes.second.up();
});
