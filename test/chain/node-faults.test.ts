import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WatcherOptions } from '../../electron/chain/chain-watcher.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { driveMarket, type MarketDriver, ONE, PRICE } from './market-driver.ts';
import { type NodeProxy, openNodeProxy } from './node-proxy.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

let chain: TestChain;
let market: MarketDriver;
let proxy: NodeProxy;
let journal: Awaited<ReturnType<typeof testJournal>>;
let watcher: Watched;

beforeAll(async () => {
  chain = await startTestChain();
  market = await driveMarket(chain);
});
afterAll(() => chain?.close());
beforeEach(async () => {
  journal = await testJournal();
  proxy = await openNodeProxy(() => chain.rpcUrl);
});
afterEach(async () => {
  await watcher.stop();
  await proxy.down();
  await journal.dispose();
});

function start(options: Partial<WatcherOptions> = {}, rpcUrl = proxy.url): void {
  watcher = watch(journal, { ...chain, rpcUrl, maker: chain.accounts.maker.address }, options);
  watcher.start();
}
const seen = async () => watcher.reached(await market.block());
const kinds = () => watcher.events.map(({ kind }) => kind);
const isFaulty = () => watcher.until(({ fault }) => fault !== null);
const isWell = () => watcher.until(({ fault, seenAt }) => fault === null && seenAt !== null);

for (const protocol of ['http', 'ws'] as const) {
  test(`a node that goes away leaves the last view to get old, and is found again by itself (${protocol})`, async () => {
    start({}, protocol === 'ws' ? proxy.webSocketUrl : proxy.url);
    const { block } = await seen();
    await proxy.down();
    const gone = await isFaulty();
    expect(gone.fault).toMatch(
      /^The node at 127\.0\.0\.1:\d+ (refuses connections|closed the connection)\. .* Check that/,
    );
    expect(gone.block).toEqual(block);
    const { seenAt } = gone;
    const order = market.order(ONE);
    await market.fill(order, PRICE / 2n);
    await market.mine(30);
    await market.fill(order, PRICE / 2n);
    expect(watcher.view().seenAt).toBe(seenAt);
    await proxy.up();
    await isWell();
    await seen();
    expect(kinds()).toEqual(['fill', 'fill']);
    expect(watcher.view().seenAt).toBeGreaterThan(seenAt ?? 0);
  });

  test(`a node that takes requests and never answers is given up after its time (${protocol})`, async () => {
    start({ timeoutMs: 2_000 }, protocol === 'ws' ? proxy.webSocketUrl : proxy.url);
    await seen();
    proxy.silent = true;
    expect((await isFaulty()).fault).toContain('did not answer in time');
    proxy.silent = false;
    await isWell();
  });
}

test('a poll of a quiet chain is one round trip, and one of a new block two', async () => {
  start();
  await seen();
  proxy.trips.length = 0;
  await market.fill(market.order(ONE));
  await seen();
  /** The polls so far, each with its round trips, without the one that may be under way. */
  const polls = () => {
    const all: string[][][] = [];
    for (const trip of proxy.trips.map((calls) => calls.map(({ method }) => method))) {
      if (trip[0] === 'eth_chainId') all.push([trip]);
      else all.at(-1)?.push(trip);
    }
    return all.slice(0, -1);
  };
  const until = polls().length + 2;
  await expect.poll(() => polls().length).toBeGreaterThanOrEqual(until);
  for (const [first] of polls()) expect(first).toEqual(['eth_chainId', 'eth_getBlockByNumber', 'eth_getBlockByNumber']);
  const ofNewBlock = polls().filter((poll) => poll.length > 1);
  expect(ofNewBlock.map((poll) => poll.length)).toEqual([2]);
});

test('a node of another chain is never seen, not even after the right one was', async () => {
  start();
  await seen();
  proxy.answer = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
  const view = await isFaulty();
  expect(view).toMatchObject({ block: null, seenAt: null });
  expect(view.balances.size).toBe(0);
  expect(view.fault).toMatch(/is of chain 1, not of chain 31337\. .* Name a node of this chain/);
  proxy.answer = () => undefined;
  await isWell();
});

test('logs are read in smaller pieces when the node refuses the range', async () => {
  start();
  await seen();
  await watcher.stop();
  const hashes: string[] = [];
  for (let round = 0; round < 5; round++) {
    await market.mine(37);
    const order = market.order(ONE);
    await market.fill(order);
    hashes.push(chain.orderHash(order));
  }
  const spans: number[] = [];
  proxy.answer = ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    const span = Number(toBlock) - Number(fromBlock) + 1;
    if (span > 20) return { error: { code: -32005, message: 'query returned more than 20 results' } };
    spans.push(span);
    return undefined;
  };
  start({ logChunk: { first: 1_000, most: 1_000 } });
  await seen();
  expect(watcher.events.map(({ body }) => body.orderHash)).toEqual(hashes);
  expect(Math.max(...spans)).toBeLessThanOrEqual(20);
});

test('logs are read again as far back as the node gives them together with the newest', async () => {
  start();
  await seen();
  await market.mine(60);
  await seen();
  const spans: number[] = [];
  proxy.answer = ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    const span = Number(toBlock) - Number(fromBlock) + 1;
    if (span > 10) return { error: { code: -32602, message: 'at most 10 blocks' } };
    spans.push(span);
    return undefined;
  };
  for (let block = 0; block < 4; block += 1) {
    await market.mine();
    expect((await seen()).fault).toBeNull();
  }
  await market.fill(market.order(ONE));
  expect((await seen()).fault).toBeNull();
  expect(kinds()).toContain('fill');
  expect(Math.min(...spans)).toBeGreaterThan(4);
});

test('a range that is refused for a moment does not keep the logs from being read as far back as before for ever', async () => {
  start();
  await seen();
  await market.mine(60);
  await seen();
  const spans: number[] = [];
  let refusals = 0;
  proxy.answer = ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    const span = Number(toBlock) - Number(fromBlock) + 1;
    if (refusals < 4 && span > 30) {
      refusals += 1;
      return { error: { code: -32005, message: 'query exceeds the limit of this moment' } };
    }
    spans.push(span);
    return undefined;
  };
  for (let block = 0; block < 250; block += 1) {
    await market.mine();
    await seen();
  }
  expect(Math.min(...spans)).toBeLessThan(20);
  expect(spans.at(-1)).toBeGreaterThan(30);
});

test('a node that takes no batches is asked one by one', async () => {
  proxy.refuse = (calls) => (calls.length > 1 ? 413 : undefined);
  start();
  await market.mine();
  await seen();
  await market.fill(market.order(ONE));
  expect((await seen()).fault).toBeNull();
  expect(kinds()).toEqual(['fill']);
});

test('a second node behind the same address that lags does not lose a fill or show a torn view', async () => {
  start();
  await seen();
  const before = watcher.view();
  // The node that is asked for logs and balances has not got the newest block yet.
  proxy.answer = ({ method, params }) =>
    method === 'eth_getBlockByNumber' &&
    params[0] !== 'latest' &&
    BigInt(String(params[0])) > BigInt(before.block?.number ?? 0)
      ? { result: null }
      : method === 'eth_getLogs'
        ? { result: [] }
        : undefined;
  await market.fill(market.order(ONE));
  expect((await isFaulty()).fault).toContain('changed block');
  expect(watcher.view().block).toEqual(before.block);
  expect(kinds()).toEqual([]);
  proxy.answer = () => undefined;
  await seen();
  expect(kinds()).toEqual(['fill']);
});

test('logs that a node shows a few blocks late are not lost', async () => {
  start();
  await seen();
  proxy.answer = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  await market.fill(market.order(ONE));
  await seen();
  expect(kinds()).toEqual([]);
  proxy.answer = () => undefined;
  await market.mine(2);
  await seen();
  expect(kinds()).toEqual(['fill']);
});

test('logs that a node shows late while it is too slow for many blocks at once are not lost', async () => {
  start({ timeoutMs: 1_000 });
  await seen();
  await market.mine(40);
  await seen();
  const ever = new Promise<void>(() => {});
  proxy.hold = (calls) => {
    const isSlow = calls.some(({ method, params }) => {
      if (method !== 'eth_getLogs') return false;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) > 8;
    });
    return isSlow ? ever : undefined;
  };
  await market.mine();
  await seen();
  proxy.hold = () => undefined;
  proxy.answer = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  await market.fill(market.order(ONE));
  for (let block = 0; block < 14; block += 1) {
    await market.mine();
    await seen();
  }
  expect(kinds()).toEqual([]);
  proxy.answer = () => undefined;
  for (let block = 0; block < 40; block += 1) {
    await market.mine();
    await seen();
  }
  expect(kinds()).toEqual(['fill']);
});

/** A node numbers the logs of a block otherwise than others. */
const numberedOtherwise =
  (by: number): NodeProxy['change'] =>
  ({ method }, answer) => {
    if (method !== 'eth_getLogs') return undefined;
    const logs = answer.result as { logIndex: string }[];
    return {
      ...answer,
      result: logs.map((log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) + by).toString(16)}` })),
    };
  };

test('a fill that another node behind the same address numbers otherwise is the same fill, and closes nothing', async () => {
  start();
  await seen();
  const order = market.order(ONE);
  await market.fill(order, (order.takerAmount * 99n) / 100n);
  await seen();
  proxy.change = numberedOtherwise(1);
  await market.fill(market.order(ONE));
  expect((await seen()).fault).toBeNull();
  proxy.change = () => undefined;
  await market.mine(3);
  expect((await seen()).fault).toBeNull();
  expect(kinds()).toEqual(['fill', 'fill']);
  expect(watcher.views.filter(({ fault }) => fault !== null)).toEqual([]);
});

test('two fills of one order in one transaction, of which a node numbers each as the other was, are those two still', async () => {
  start();
  await seen();
  const [user, order] = [chain.accounts.user, market.order(ONE)];
  const signature = await chain.sign(order);
  const part = (takerTokenFillAmount: bigint) => {
    return { order, signature, takerTokenFillAmount, permitTakerAsset: '0x', permitMakerAsset: '0x' };
  };
  const parts = [part(PRICE / 4n), part(PRICE / 2n)];
  await user.call(SETTLEMENT, chain.rfqContract, 'batchFillOrderWithTarget', [parts, user.address]);
  await seen();
  const amounts = () => watcher.events.map((event) => event.kind === 'fill' && event.body.takerAmount);
  expect(amounts()).toEqual([`${PRICE / 4n}`, `${PRICE / 2n}`]);
  const [first, second] = watcher.events.map((event) => (event.kind === 'fill' ? event.body.logIndex : 0));
  proxy.change = numberedOtherwise((second ?? 0) - (first ?? 0));
  await market.mine(3);
  expect((await seen()).fault).toBeNull();
  expect(amounts()).toHaveLength(2);
  expect(watcher.views.filter(({ fault }) => fault !== null)).toEqual([]);
});

test('a fill that another node behind the same address does not have is none the less', async () => {
  start();
  await seen();
  await market.fill(market.order(ONE));
  const { block } = await seen();
  proxy.change = ({ method }, answer) => (method === 'eth_getLogs' ? { ...answer, result: [] } : undefined);
  await market.mine();
  expect((await isFaulty()).fault).toContain(`changed block ${block?.number}`);
  proxy.change = () => undefined;
  await seen();
  expect(kinds()).toEqual(['fill']);
});

test('a fill that a node had left out, and that another one has where the first had its neighbour, is told beside that one', async () => {
  start();
  await seen();
  const [user, order] = [chain.accounts.user, market.order(ONE)];
  const signature = await chain.sign(order);
  const parts = [PRICE / 4n, PRICE / 2n].map((takerTokenFillAmount) => {
    return { order, signature, takerTokenFillAmount, permitTakerAsset: '0x', permitMakerAsset: '0x' };
  });
  type Numbered = { logIndex: string };
  const changed = (renumber: (logs: Numbered[]) => Numbered[]): NodeProxy['change'] => {
    return ({ method }, answer) =>
      method === 'eth_getLogs' ? { ...answer, result: renumber(answer.result as Numbered[]) } : undefined;
  };
  proxy.change = changed((logs) => logs.slice(0, 1));
  await user.call(SETTLEMENT, chain.rfqContract, 'batchFillOrderWithTarget', [parts, user.address]);
  await seen();
  expect(kinds()).toEqual(['fill']);
  proxy.change = changed(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, logIndex: '0x1' }, ...others.map((log) => ({ ...log, logIndex: first.logIndex }))],
  );
  await market.mine();
  await seen();
  const standing = async () => (await journal.read.orderEvents(chain.chainId, 0)).map(({ takerAmount }) => takerAmount);
  expect(await standing()).toEqual([`${PRICE / 4n}`, `${PRICE / 2n}`]);
  proxy.change = () => undefined;
  await market.mine();
  expect((await seen()).fault).toBeNull();
  expect(kinds()).toEqual(['fill', 'reverted', 'fill', 'fill']);
});

/** A header that no chain has. */
const madeUp = (number: number, timestamp: number, letter: string) => {
  const [hash, parentHash] = [number, number - 1].map((one) => `0x${one.toString(16).padStart(64, letter)}`);
  return { number: `0x${number.toString(16)}`, hash, parentHash, timestamp: `0x${timestamp.toString(16)}` };
};

test.each([
  ['higher than the chain is', -1],
  ['from the future', 10 * 365 * 86_400],
])(
  'a head %s, which a node showed once, does not close the chain, nor has old fills told again',
  async (_what, ahead) => {
    start();
    await seen();
    const known = market.order(ONE);
    await market.fill(known);
    await seen();
    await market.mine(40);
    const { block } = await seen();
    const [number, timestamp] = [block?.number ?? 0, block?.timestamp ?? 0];
    proxy.answer = ({ method, params }) => {
      if (method === 'eth_getLogs') return { result: [] };
      if (method === 'eth_call') return { result: `0x${'1'.padStart(64, '0')}` };
      if (method !== 'eth_getBlockByNumber') return undefined;
      const asked = params[0] === 'latest' ? number + 5_000 : Number(params[0]);
      return asked <= number ? undefined : { result: madeUp(asked, timestamp + ahead, 'e') };
    };
    await watcher.until((view) => view.block?.number === number + 5_000);
    await watcher.stop();
    proxy.answer = () => undefined;
    const meanwhile = market.order(ONE);
    await market.fill(meanwhile);
    start();
    const { hash } = await market.block();
    await watcher.until((view) => view.block?.hash === hash);
    expect(watcher.events.map(({ body }) => body.orderHash)).toEqual([chain.orderHash(meanwhile)]);
    expect(watcher.losses).toEqual([]);
  },
);

test('a branch that is shown for a moment, and cannot be read, has no fill taken back beside the balance from before', async () => {
  start();
  await seen();
  await market.fill(market.order(ONE));
  await market.mine();
  const { block } = await seen();
  const [number, timestamp] = [block?.number ?? 0, block?.timestamp ?? 0];
  let wasRead = false;
  proxy.answer = ({ method, params }) => {
    if (method === 'eth_call' || method === 'eth_getLogs') {
      wasRead = true;
      return { error: { code: -32000, message: 'header not found' } };
    }
    if (method !== 'eth_getBlockByNumber' || wasRead) return undefined;
    const asked = params[0] === 'latest' ? number : Number(params[0]);
    return asked < number - 1 ? undefined : { result: madeUp(asked, timestamp, 'd') };
  };
  await expect.poll(() => wasRead).toBe(true);
  proxy.answer = () => undefined;
  await expect.poll(() => kinds().length).toBeGreaterThan(1);
  expect(kinds(), 'all in one step').toEqual(['fill', 'reverted', 'fill']);
});

test('a balance that no token can have is none, and those of others are read', async () => {
  start();
  await seen();
  proxy.answer = ({ method, params }) => {
    const [call] = params as [{ to?: string; data?: string }];
    const isAsked = method === 'eth_call' && call.to === chain.weth && call.data?.startsWith('0x70a08231');
    return isAsked ? { result: `0x${'f'.repeat(64)}` } : undefined;
  };
  await market.mine();
  const { unreadable, balances } = await seen();
  expect(unreadable).toEqual([chain.weth]);
  expect([...balances.keys()]).toEqual([chain.usdc]);
});

test('logs of another maker or contract are not taken, even if the node does not filter', async () => {
  start();
  await seen();
  proxy.change = ({ method }, answer) => {
    if (method !== 'eth_getLogs') return undefined;
    const logs = answer.result as { topics: string[]; address: string }[];
    const foreign = logs.flatMap((log) => [
      { ...log, address: chain.usdc, logIndex: '0x50' },
      { ...log, topics: [log.topics[0], log.topics[1], `0x${'0'.repeat(63)}1`, log.topics[3]], logIndex: '0x51' },
    ]);
    return { ...answer, result: [...foreign, ...logs] };
  };
  await market.fill(market.order(ONE));
  await seen();
  expect(kinds()).toEqual(['fill']);
});

test('nonsense from the node is a fault and no more', async () => {
  start();
  await seen();
  for (const nonsense of ['0xzz', null, 7, [], { number: '0x1' }]) {
    proxy.answer = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { result: nonsense } : undefined;
    expect((await isFaulty()).fault).toContain('in a form that cannot be read');
    proxy.answer = () => undefined;
    await isWell();
  }
});

test('a fault never shows the key in the address of a node', async () => {
  start({}, `${proxy.url}/v2/secret-key-of-the-provider`);
  await seen();
  await proxy.down();
  await isFaulty();
  expect(JSON.stringify([watcher.views.map(({ fault }) => fault), watcher.lines])).not.toContain('secret-key');
  await proxy.up();
});
