import { encodeFunctionData, toEventSelector } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SETTLEMENT, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { driveMarket, type MarketDriver, ONE, PRICE } from './market-driver.ts';
import { type NodeProxy, openNodeProxy } from './node-proxy.ts';
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
  watcher = watch(journal, { ...chain, maker: chain.accounts.maker.address });
  watcher.start();
  await watcher.reached(await market.block());
});
afterEach(async () => {
  await watcher.stop();
  await journal.dispose();
});

const setFee = (bps: bigint) => chain.accounts.other.call(TEST_TOKEN, chain.usdc, 'setTransferFee', [bps]);

/** The chain is watched by way of a proxy from now on, until the test ends. */
async function watchThroughProxy(): Promise<NodeProxy> {
  await watcher.stop();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => proxy.down());
  watcher = watch(journal, { ...chain, rpcUrl: proxy.url, maker: chain.accounts.maker.address });
  watcher.start();
  await watcher.reached(await market.block());
  return proxy;
}

/** Mines one block after another and lets each be seen, so that what was late would have come by now. */
async function look(blocks = 8): Promise<void> {
  for (let mined = 0; mined < blocks; mined++) {
    await market.mine();
    await watcher.reached(await market.block());
  }
}

const alarms = async (): Promise<{ token: string; amount: bigint }[]> =>
  (await journal.read.openAlarms()).flatMap(({ body }) =>
    'token' in body ? [{ token: body.token, amount: BigInt(body.amount) }] : [],
  );

/** What was not explained, once the watcher has stopped and nothing is under way. */
async function drifts(): Promise<{ token: string; amount: bigint }[]> {
  await watcher.stop();
  return alarms();
}

/** Nobody waits for the comparison, so blocks are mined until it has told this. */
async function tells(expected: { token: string; amount: bigint }[]): Promise<void> {
  await vi.waitFor(
    async () => {
      await look(1);
      expect(await alarms()).toEqual(expected);
    },
    { interval: 1 },
  );
  await look();
  expect(await drifts()).toEqual(expected);
}

test('what a token keeps of a fill is told to the last unit', async () => {
  await setFee(100n);
  await market.fill(market.order(ONE));
  await setFee(0n);
  await tells([{ token: chain.usdc, amount: -PRICE / 100n }]);
});

test('fills, deposits, withdrawals and what the maker sends to itself are no drift', async () => {
  const { maker, other } = chain.accounts;
  await market.fill(market.order(ONE));
  await other.call(TEST_TOKEN, chain.usdc, 'transfer', [maker.address, 1_000n]);
  await maker.call(TEST_TOKEN, chain.weth, 'transfer', [other.address, 777n]);
  await maker.call(TEST_TOKEN, chain.weth, 'transfer', [maker.address, 5n]);
  await other.call(TEST_TOKEN, chain.usdc, 'mint', [maker.address, 123n]);
  await look();
  expect(await drifts()).toEqual([]);
});

test('a balance that changes by itself is told, beside a deposit that has its reason', async () => {
  const { maker, other } = chain.accounts;
  const before = await chain.balanceOf(chain.weth, maker.address);
  await market.rpc('anvil_dealERC20', [maker.address, chain.weth, `0x${(before + 42n).toString(16)}`]);
  await market.mine();
  await other.call(TEST_TOKEN, chain.weth, 'transfer', [maker.address, 1_000n]);
  await tells([{ token: chain.weth, amount: 42n }]);
});

test('what somebody takes by an allowance, in a transaction that the maker did not send, is told', async () => {
  const { maker, other } = chain.accounts;
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [other.address, 50n]);
  await other.call(TEST_TOKEN, chain.weth, 'transferFrom', [maker.address, other.address, 42n]);
  await tells([{ token: chain.weth, amount: -42n }]);
});

test('what the solver of a hedge takes through the intent contract is no drift', async () => {
  await watcher.stop();
  const { maker, other } = chain.accounts;
  // WETH stands for that contract here: it has a log in the transaction that takes of it.
  watcher = watch(journal, { ...chain, maker: maker.address, intentContract: chain.weth });
  watcher.start();
  await watcher.reached(await market.block());
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [other.address, 50n]);
  await other.call(TEST_TOKEN, chain.weth, 'transferFrom', [maker.address, other.address, 42n]);
  await look();
  expect(await drifts()).toEqual([]);
});

const [owner, stranger, contract, entryPoint] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'b2'.repeat(20)}`,
  `0x${'c3'.repeat(20)}`,
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
] as const satisfies Address[];
const topicOf = (address: Address) => address.slice(2).padStart(64, '0');
const event = (signature: string) => toEventSelector(signature).slice(2);
const USER_OPERATION = 'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)';
const FILLED = 'IntentFilled(bytes32,address,uint256,address,uint256,uint256)';
const ORDER = 'f'.repeat(64);
const WORDS: [string, Address, string[], 'told' | 'no drift'][] = [
  ['a wallet of the Safe kind tells that it was sent nothing', owner, [event('SafeReceived(address,uint256)')], 'told'],
  [
    'a wallet of the Safe kind tells that it carried something out',
    owner,
    [event('ExecutionSuccess(bytes32,uint256)')],
    'no drift',
  ],
  [
    'a contract that is no entry point tells of an operation of the maker',
    stranger,
    [event(USER_OPERATION), ORDER, topicOf(owner)],
    'told',
  ],
  [
    'the entry point tells of an operation of the maker',
    entryPoint,
    [event(USER_OPERATION), ORDER, topicOf(owner)],
    'no drift',
  ],
  [
    'an order of somebody else is settled, also one that brings the maker something',
    contract,
    [event(FILLED), ORDER, topicOf(stranger), topicOf(owner)],
    'told',
  ],
  ['an order of the maker is settled', contract, [event(FILLED), ORDER, topicOf(owner)], 'no drift'],
];

test.for(WORDS)('what is taken of a maker that is a contract, while %s', async ([_while, speaker, topics, outcome]) => {
  await watcher.stop();
  const taker: Address = `0x${'d4'.repeat(20)}`;
  const { other } = chain.accounts;
  const setCode = (address: Address, code: string) => market.rpc('anvil_setCode', [address, `0x${code}`]);
  await setCode(owner, '');
  await other.call(TEST_TOKEN, chain.weth, 'mint', [owner, 1_000n]);
  await market.rpc('anvil_impersonateAccount', [owner]);
  await market.rpc('anvil_setBalance', [owner, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [taker, 50n] });
  const approved = await market.rpc('eth_sendTransaction', [{ from: owner, to: chain.weth, data, gas: '0x186a0' }]);
  await other.mined(approved as Hex);
  // Whoever calls the one that speaks hears its words; the taker calls it, and then the token with what it was called with.
  const words = topics
    .toReversed()
    .map((topic) => `7f${topic}`)
    .join('');
  await setCode(speaker, `${words}60006000a${topics.length}00`);
  const call = (to: Address, size: string) => `60006000${size}6000600073${to.slice(2)}5af150`;
  await setCode(taker, `${call(speaker, '6000')}3660006000${'37'}${call(chain.weth, '36')}00`);
  watcher = watch(journal, { ...chain, maker: owner, intentContract: contract });
  watcher.start();
  await watcher.reached(await market.block());
  await other.call(TEST_TOKEN, taker, 'transferFrom', [owner, other.address, 42n]);
  if (outcome === 'told') await tells([{ token: chain.weth, amount: -42n }]);
  else {
    await look();
    expect(await drifts()).toEqual([]);
  }
  expect(await chain.balanceOf(chain.weth, owner)).toBeGreaterThanOrEqual(958n);
});

test('a fill that the logs of the node leave out is told as a drift, and as a fill once they have it, however late', async () => {
  const proxy = await watchThroughProxy();
  proxy.answer = ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const [{ address }] = params as [{ address: unknown }];
    return address === chain.rfqContract ? { result: [] } : undefined;
  };
  const order = market.order(ONE);
  const hash = await market.fill(order);
  await vi.waitFor(
    async () => {
      await look(1);
      expect(await alarms()).toEqual([{ token: chain.weth, amount: -ONE }]);
    },
    { interval: 1 },
  );
  expect(watcher.lines.filter((line) => line.includes(hash))).toHaveLength(1);
  await look(40);
  expect(watcher.events).toEqual([]);
  proxy.answer = () => undefined;
  await look(1);
  expect(watcher.events).toMatchObject([{ kind: 'fill', body: { orderHash: chain.orderHash(order) } }]);
});

test('a block whose logs cannot be got, after they lacked a fill, keeps no other block from being followed', async () => {
  const proxy = await watchThroughProxy();
  let isRefused = false;
  proxy.answer = ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined;
    const [{ address, fromBlock, toBlock }] = params as [{ address: unknown; fromBlock: string; toBlock: string }];
    if (address !== chain.rfqContract) return undefined;
    if (isRefused && fromBlock === toBlock) return { error: { code: -32_000, message: 'logs of this block are lost' } };
    return { result: [] };
  };
  await market.fill(market.order(ONE));
  const isTold = () => watcher.lines.some((line) => line.includes('filled an order'));
  await vi.waitFor(
    async () => {
      await look(1);
      expect(isTold()).toBe(true);
    },
    { interval: 1 },
  );
  isRefused = true;
  await look(3);
  expect(watcher.view().fault).toBeNull();
  expect(watcher.views.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(watcher.lines.filter((line) => line.includes('cannot be got'))).toHaveLength(1);
});

test('a reorganisation that takes fills and deposits back is no drift', async () => {
  const { maker, other } = chain.accounts;
  await market.fill(market.order(ONE));
  await other.call(TEST_TOKEN, chain.usdc, 'mint', [maker.address, 123n]);
  await watcher.reached(await market.block());
  await market.rollBack(2);
  await look();
  expect(await drifts()).toEqual([]);
});

/** Fills an order of the maker and one of somebody else's who pays the maker one raw unit, in one transaction. */
async function fillWithPresent(): Promise<void> {
  const { maker, user, other } = chain.accounts;
  const own = market.order(ONE);
  const present = { ...market.order(1n), maker: other.address, makerAsset: chain.usdc, takerAsset: chain.weth };
  const orders = [own, { ...present, makerAmount: 1n, takerAmount: 1n }] as const;
  const signed = [await chain.sign(orders[0]), await chain.sign(orders[1], other)];
  const infos = orders.map((order, index) => {
    return {
      order,
      signature: signed[index],
      takerTokenFillAmount: order.takerAmount,
      permitTakerAsset: '0x',
      permitMakerAsset: '0x',
    };
  });
  // Both sides of both orders go to the maker, what it pays itself among it.
  await user.call(SETTLEMENT, chain.rfqContract, 'batchFillOrderWithTarget', [infos, maker.address]);
}

test('a raw unit that somebody sends along in the transaction of a fill has its reason', async () => {
  await fillWithPresent();
  await look();
  expect(await drifts()).toEqual([]);
});

test('what a token keeps of a fill is told to the last unit also when somebody sends a unit along', async () => {
  await setFee(100n);
  await fillWithPresent();
  await setFee(0n);
  await tells([{ token: chain.usdc, amount: -PRICE / 100n }]);
});

test('interest within what a person allows a day is not told, and what goes beyond it is told whole', async () => {
  await watcher.stop();
  const { maker } = chain.accounts;
  const clock = { now: Date.now() };
  const driftPerDay = (token: string) => (token === chain.weth ? 100n : 0n);
  watcher = watch(journal, { ...chain, maker: maker.address }, { now: () => clock.now, driftPerDay });
  watcher.start();
  await watcher.reached(await market.block());
  let units = 0;
  /** WETH grows, and so does USDC, of which nothing is allowed: once that is told, both were compared. */
  const grow = async (amount: bigint) => {
    clock.now += 61_000;
    units += 1;
    for (const [token, more] of [[chain.weth, amount] as const, [chain.usdc, 1n] as const]) {
      const before = await chain.balanceOf(token, maker.address);
      await market.rpc('anvil_dealERC20', [maker.address, token, `0x${(before + more).toString(16)}`]);
    }
    await vi.waitFor(
      async () => {
        await look(1);
        expect((await alarms()).filter(({ token }) => token === chain.usdc)).toHaveLength(units);
      },
      { interval: 1 },
    );
  };
  const ofWeth = async () => (await alarms()).filter(({ token }) => token === chain.weth);
  await grow(40n);
  await grow(50n);
  clock.now += 86_400_000;
  await grow(60n);
  expect(await ofWeth(), 'another day').toEqual([]);
  await grow(50n);
  expect(await ofWeth()).toEqual([{ token: chain.weth, amount: 110n }]);
});

test('while a slow node is asked for transfers the next blocks are seen', async () => {
  await watcher.stop();
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => proxy.down());
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asksTransfers = (calls: { method: string; params: unknown[] }[]) =>
    calls.some(
      ({ method, params }) => method === 'eth_getLogs' && Array.isArray((params[0] as { address: unknown }).address),
    );
  proxy.hold = (calls) => (asksTransfers(calls) ? held : undefined);
  const { maker, other } = chain.accounts;
  watcher = watch(journal, { ...chain, rpcUrl: proxy.url, maker: maker.address });
  watcher.start();
  await watcher.reached(await market.block());
  await other.call(TEST_TOKEN, chain.usdc, 'mint', [maker.address, 123n]);
  await look(3);
  expect(proxy.trips.filter(asksTransfers).length, 'it is asked once, and waited for by nobody').toBe(1);
  release();
  await look();
  expect(await drifts()).toEqual([]);
});
