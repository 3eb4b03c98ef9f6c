import { encodeFunctionData } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { CONTRACT_MAKER, INTENT_SETTLEMENT, TEST_TOKEN } from '../../../../electron/practice/chain/artifacts.ts';
import { moveOn, Superseded } from '../../../../electron/practice/intents/settle/relay.ts';
import { collectLog } from '../../collected-log.ts';
import {
  BENEFICIARY,
  DOLLAR,
  ETHER,
  type IntentFloor,
  openIntentFloor,
  partnerFee,
  SOLVER_KEYS,
} from './intent-floor.ts';
import { openRelayFloor, PRICE, type RelayFloor } from './relay-floor.ts';

let floor: IntentFloor;
let relay: RelayFloor;
beforeAll(async () => {
  floor = await openIntentFloor();
});
afterAll(() => floor?.close());
beforeEach(() => {
  relay = openRelayFloor([floor]);
});
afterEach(() => relay?.close());

const HASH = /^0x[0-9a-f]{64}$/;
const PARTLY = 4;
const approve = (amount: bigint) =>
  floor.call(floor.owner, TEST_TOKEN, floor.token('WETH'), 'approve', [floor.addresses.intents, amount]);

/** What the owner gives of WETH and the beneficiary gets of USDC. */
const moves = (deed: () => Promise<unknown>) =>
  floor.changes(
    [
      ['WETH', floor.owner.address],
      ['USDC', BENEFICIARY],
    ],
    deed,
  );

test('an order is auctioned, settled by the best bid and completed, with its transaction', async () => {
  const order = await floor.order('Order', { partnerAndFee: partnerFee(10) });
  const received = PRICE - PRICE / 1_000n;
  const { id } = relay.submit(order);
  const moved = await moves(async () => {
    const row = await relay.reaches(id, 'COMPLETED');
    expect(row.transactions).toEqual([
      {
        originTx: expect.stringMatching(HASH),
        destinationTx: null,
        filledPercent: 100,
        spentAmount: `${ETHER}`,
        receivedAmount: `${received}`,
      },
    ]);
    expect(row).toMatchObject({
      input: { executedAmount: `${ETHER}` },
      output: { executedAmount: `${received}` },
      auctionStartedAt: null,
      refunds: [],
    });
    expect(relay.life(id)).toEqual(['ACTIVE', 'COMPLETED']);
    expect(relay.lines.join()).toContain('swift fills, the best of 3');
  });
  expect(moved).toEqual([-ETHER, received]);
});

test('a solver who has not enough does not bid, and the next best fills', async () => {
  const { swift } = floor.solvers;
  const stock = await floor.balance('USDC', swift.address);
  const give = (from: typeof swift, to: typeof swift) =>
    floor.call(from, TEST_TOKEN, floor.token('USDC'), 'transfer', [to.address, stock]);
  await give(swift, floor.stranger);
  const { id } = relay.submit(await floor.order('Order'));
  const { transactions } = await relay.reaches(id, 'COMPLETED');
  expect(transactions[0]?.receivedAmount).toBe(`${(PRICE * 9_990n) / 10_000n}`);
  await give(floor.stranger, swift);
});

test('an order that nobody bids for stays pending, and is filled when its price comes', async () => {
  relay.price.now = 2_999n * DOLLAR;
  const { id } = relay.submit(await floor.order('Order'));
  await relay.reaches(id, 'PENDING');
  await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).not.toBeNull();
  await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).toBeNull();
  expect(relay.row(id).status).toBe('PENDING');
  relay.price.now = 3_000n * DOLLAR;
  await relay.reaches(id, 'COMPLETED');
});

test('an order whose allowance or balance is gone is suspended, and taken up again when it is back', async () => {
  await approve(ETHER - 1n);
  const { id } = relay.submit(await floor.order('Order'));
  await relay.reaches(id, 'SUSPENDED');
  await approve(2n ** 256n - 1n);
  await relay.reaches(id, 'COMPLETED');
  expect(relay.life(id)).toEqual(['SUSPENDED', 'PENDING', 'ACTIVE', 'COMPLETED']);

  const all = await floor.balance('WETH', floor.owner.address);
  const give = (from: typeof floor.owner | typeof floor.stranger, to: `0x${string}`) =>
    floor.call(from, TEST_TOKEN, floor.token('WETH'), 'transfer', [to, all]);
  await give(floor.owner, floor.stranger.address);
  const other = relay.submit(await floor.order('Order'));
  await relay.reaches(other.id, 'SUSPENDED');
  await give(floor.stranger, floor.owner.address);
  await relay.reaches(other.id, 'COMPLETED');
});

test('a cancelled order is cancelled on chain before it says so', async () => {
  relay.price.now = null;
  const order = await floor.order('Order');
  const { id } = relay.submit(order);
  await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).toBeNull();
  relay.store.update(id, { status: 'CANCELLING', cancelAskedAt: 1 });
  await relay.reaches(id, 'CANCELLED');
  await expect(floor.fill(order, { amount: ETHER, offer: PRICE })).rejects.toThrow('Order cancelled');
});

test('a cancellation during an auction waits: a fill in flight goes through, and without one the order is cancelled', async () => {
  for (const [price, status] of [
    [PRICE, 'COMPLETED'],
    [null, 'CANCELLED'],
  ] as const) {
    relay.auctions.open = false;
    relay.price.now = price;
    const { id } = relay.submit(await floor.order('Order'));
    await expect.poll(() => relay.row(id).auctionStartedAt).not.toBeNull();
    relay.store.update(id, { cancelAskedAt: 1 });
    relay.auctions.open = true;
    await relay.reaches(id, status);
  }
});

test('an order expires with its deadline, suspended or not', async () => {
  relay.price.now = null;
  const deadline = `${(await floor.seconds()) + 100}`;
  const one = relay.submit(await floor.order('Order', { deadline }));
  const poor = relay.submit(await floor.order('Order', { deadline, srcAmount: `${1_000n * ETHER}` }));
  await relay.reaches(poor.id, 'SUSPENDED');
  await floor.pass(100);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(relay.row(one.id).status).toBe('PENDING');
  await floor.pass(1);
  await relay.reaches(one.id, 'EXPIRED');
  await relay.reaches(poor.id, 'EXPIRED');
});

test('a clock that jumps ends no order and keeps none waiting: its deadline is the chain’s', async () => {
  let shift = 0;
  await relay.restart(() => ({ now: () => Date.now() + shift }));
  relay.price.now = null;
  const { id } = relay.submit(await floor.order('Order'));
  const bidden = async () => {
    await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).not.toBeNull();
    await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).toBeNull();
  };
  await bidden();
  shift = 86_400_000;
  await bidden();
  expect(relay.row(id).status).toBe('PENDING');
  shift = -86_400_000;
  await bidden();
  relay.price.now = PRICE;
  await relay.reaches(id, 'COMPLETED');
});

test('two relayers on one file sell an order and each slice once, and write each down once', async () => {
  relay.beside();
  const ids = [relay.submit(await floor.order('Order')).id, relay.submit(await floor.order('Order')).id];
  const { id } = relay.submit(await floor.order('TWAPOrder', { numSlices: '2', destAmount: '1' }));
  const moved = await moves(async () => {
    const filled = await vi.waitUntil(() => (relay.row(id).transactions.length === 1 ? relay.row(id) : null));
    // What one of them began before another one wrote the fill down is begun anew.
    const stale = { ...filled, transactions: [] };
    expect(() => moveOn({ store: relay.store, log: collectLog() }, stale, () => ({ status: 'FAILED' }))).toThrow(
      Superseded,
    );
    for (const one of ids) expect((await relay.reaches(one, 'COMPLETED')).transactions).toHaveLength(1);
    await floor.pass(61);
    const { transactions, input } = await relay.reaches(id, 'COMPLETED');
    expect(new Set(transactions.map(({ originTx }) => originTx)).size).toBe(2);
    expect([transactions.length, input.executedAmount]).toEqual([2, `${ETHER}`]);
  });
  expect(moved).toEqual([-3n * ETHER, 3n * PRICE]);
});

test('an order that the contract refuses again and again has failed', async () => {
  const order = await floor.order('ExternalOrder', { data: '0x01' });
  const { id } = relay.submit(order);
  await relay.reaches(id, 'FAILED');
  expect(relay.lines.filter((line) => line.includes('refuses'))).toHaveLength(3);
});

test('a contract that has not signed yet is waited for until it signs on chain', async () => {
  const { wallet, addresses, owner } = floor;
  const order = { ...(await floor.order('Order', { owner: wallet })), signature: '0x' as const };
  const { id } = relay.submit(order, { status: 'AWAITING_SIGNATURE' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(relay.life(id)).toEqual([]);
  const data = encodeFunctionData({ abi: INTENT_SETTLEMENT.abi, functionName: 'preSign', args: [order.hash] });
  await floor.call(owner, CONTRACT_MAKER, wallet, 'execute', [addresses.intents, data]);
  await relay.reaches(id, 'COMPLETED');
  expect(relay.life(id)).toEqual(['PENDING', 'ACTIVE', 'COMPLETED']);
});

test('a TWAP is sold slice by slice at its interval, and the remainder stays', async () => {
  const totalSrcAmount = `${ETHER + 2n}`;
  const slice = (ETHER + 2n) / 3n;
  const got = (slice * PRICE) / ETHER;
  const { id } = relay.submit(await floor.order('TWAPOrder', { totalSrcAmount }));
  const moved = await moves(async () => {
    for (const count of [1, 2]) {
      await expect.poll(() => relay.row(id).transactions.length).toBe(count);
      const last = await floor.seconds();
      expect(relay.row(id)).toMatchObject({ status: 'ACTIVE', nextSliceAt: (last + 60) * 1000 });
      await floor.pass(59);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(relay.row(id).transactions).toHaveLength(count);
      await floor.pass(1);
    }
    const row = await relay.reaches(id, 'COMPLETED');
    expect(
      row.transactions.map(({ filledPercent, spentAmount, receivedAmount }) => [
        filledPercent,
        spentAmount,
        receivedAmount,
      ]),
    ).toEqual([1, 2, 3].map(() => [33.33, `${slice}`, `${got}`]));
    expect(row).toMatchObject({ nextSliceAt: null, input: { executedAmount: `${3n * slice}` } });
  });
  expect(moved).toEqual([-3n * slice, 3n * got]);
});

test('a TWAP-buy buys its slices, and is cancelled between two of them for good', async () => {
  const { id } = relay.submit(await floor.order('TWAPBuyOrder'));
  const cost = (1_000n * DOLLAR * ETHER + PRICE - 1n) / PRICE;
  const moved = await moves(async () => {
    await expect.poll(() => relay.row(id).transactions.length).toBe(1);
    relay.store.update(id, { status: 'CANCELLING', cancelAskedAt: 1 });
    await relay.reaches(id, 'CANCELLED');
    await floor.pass(61);
  });
  expect(moved).toEqual([-cost, 1_000n * DOLLAR]);
  expect(relay.row(id).transactions).toHaveLength(1);
});

test('a cancellation during the auction of a slice lets that slice through, and no other', async () => {
  relay.auctions.open = false;
  const { id } = relay.submit(await floor.order('TWAPOrder', { numSlices: '2', destAmount: '1' }));
  await expect.poll(() => relay.row(id).auctionStartedAt).not.toBeNull();
  relay.store.update(id, { cancelAskedAt: 1 });
  const moved = await moves(async () => {
    relay.auctions.open = true;
    expect((await relay.reaches(id, 'CANCELLED')).transactions).toHaveLength(1);
    await floor.pass(61);
  });
  expect(moved).toEqual([-ETHER / 2n, PRICE / 2n]);
  expect(relay.life(id)).toEqual(['ACTIVE', 'CANCELLING', 'CANCELLED']);
});

test('an order that may be filled in parts is, when the best bid is for a part', async () => {
  const solvers = [{ name: 'patient', key: SOLVER_KEYS.patient, spreadBps: 0, mostPercent: 40 }];
  await relay.restart(() => ({ solvers }));
  const { id } = relay.submit(await floor.order('Order', { partnerAndFee: partnerFee(0, PARTLY) }));
  const moved = await moves(async () => {
    const { transactions } = await relay.reaches(id, 'COMPLETED');
    expect(transactions.map(({ filledPercent }) => filledPercent)).toEqual([40, 40, 20]);
  });
  expect(moved).toEqual([-ETHER, PRICE]);
});

test('a transaction that waits for its block is waited for by the next relayer, and nothing else is sent', async () => {
  await floor.control.setAutomine(false);
  const { id } = relay.submit(await floor.order('Order'));
  const moved = await moves(async () => {
    await expect.poll(() => relay.row(id).bridgeState).toMatchObject({ attempt: { chainId: 31337 } });
    const noted = relay.row(id).bridgeState;
    await relay.restart();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(relay.row(id)).toMatchObject({ status: 'ACTIVE', bridgeState: noted });
    await floor.control.mine({ blocks: 1 });
    await relay.reaches(id, 'COMPLETED');
  });
  await floor.control.setAutomine(true);
  expect(moved).toEqual([-ETHER, PRICE]);
  expect(relay.lines.join()).not.toContain('!');
});

test('a transaction that was never sent, and whose nonce is taken now, is given up for another', async () => {
  const { swift } = floor.solvers;
  await relay.restart(() => ({
    chains: [
      {
        ...floor,
        chain: {
          ...floor.chain,
          client: {
            ...floor.chain.client,
            async sendRawTransaction() {
              throw new Error('killed');
            },
          } as typeof floor.chain.client,
        },
      },
    ],
  }));
  const { id } = relay.submit(await floor.order('Order'));
  await expect.poll(() => relay.row(id).bridgeState).toMatchObject({ attempt: { chainId: 31337 } });
  const moved = await moves(async () => {
    await floor.call(swift, TEST_TOKEN, floor.token('WETH'), 'approve', [floor.stranger.address, 1n]);
    await relay.restart();
    await relay.reaches(id, 'COMPLETED');
  });
  expect(moved).toEqual([-ETHER, PRICE]);
});

test('a slice that the chain takes back is sold again', async () => {
  const { id } = relay.submit(await floor.order('TWAPOrder', { numSlices: '2', destAmount: '1' }));
  const moved = await moves(async () => {
    const held = () => floor.balance('WETH', floor.owner.address);
    const before = await held();
    await expect.poll(() => relay.row(id).transactions.length).toBe(1);
    await relay.relayer.stop();
    await floor.reorg(1);
    expect(await held()).toBe(before);
    await relay.restart();
    await expect.poll(held).toBe(before - ETHER / 2n);
    await expect.poll(() => relay.row(id).transactions.length).toBe(1);
    await floor.pass(61);
    const { input, output } = await relay.reaches(id, 'COMPLETED');
    expect([input.executedAmount, output.executedAmount]).toEqual([`${ETHER}`, `${PRICE}`]);
  });
  expect(moved).toEqual([-ETHER, PRICE]);
});

test('a completed order whose fill the chain takes back is filled again, and its record says so', async () => {
  const { id } = relay.submit(await floor.order('Order'));
  const moved = await moves(async () => {
    const first = await relay.reaches(id, 'COMPLETED');
    // The same fill would be the same transaction.
    relay.price.now = PRICE - DOLLAR;
    await floor.reorg(1);
    await expect.poll(() => relay.life(id)).toEqual(['ACTIVE', 'COMPLETED', 'PENDING', 'ACTIVE', 'COMPLETED']);
    const { transactions, output, input } = relay.row(id);
    expect(transactions).toHaveLength(1);
    expect(transactions[0]?.originTx).not.toBe(first.transactions[0]?.originTx);
    expect([input.executedAmount, output.executedAmount]).toEqual([`${ETHER}`, `${PRICE - DOLLAR}`]);
  });
  expect(moved).toEqual([-ETHER, PRICE - DOLLAR]);
});

test('a cancellation that the chain takes back is made again', async () => {
  relay.price.now = null;
  const order = await floor.order('Order');
  const { id } = relay.submit(order);
  await expect.poll(() => relay.row(id).auctionStartedAt, { interval: 1 }).toBeNull();
  relay.store.update(id, { status: 'CANCELLING', cancelAskedAt: 1 });
  await relay.reaches(id, 'CANCELLED');
  await floor.reorg(1);
  await expect.poll(() => relay.life(id)).toEqual(['CANCELLED', 'CANCELLING', 'CANCELLED']);
  await expect(floor.fill(order, { amount: ETHER, offer: PRICE })).rejects.toThrow('Order cancelled');
});

test('a fill that is taken back from an order whose cancellation came too late is not made again', async () => {
  relay.auctions.open = false;
  const { id } = relay.submit(await floor.order('Order'));
  await expect.poll(() => relay.row(id).auctionStartedAt).not.toBeNull();
  relay.store.update(id, { cancelAskedAt: 1 });
  const moved = await moves(async () => {
    relay.auctions.open = true;
    await relay.reaches(id, 'COMPLETED');
    await floor.reorg(1);
    await relay.reaches(id, 'CANCELLED');
  });
  expect([moved, relay.row(id).transactions]).toEqual([[0n, 0n], []]);
});

test('the way out of a strategy that the chain takes back is taken again', async () => {
  relay.price.now = null;
  const deadline = `${(await floor.seconds()) + 100}`;
  const { id } = relay.submit(await floor.order('ProductiveOrder', { deadline }));
  const held = () => floor.balance('WETH', floor.owner.address);
  const before = await held();
  await expect.poll(held).toBe(before - ETHER);
  await floor.pass(101);
  await relay.reaches(id, 'EXPIRED');
  await relay.relayer.stop();
  await floor.reorg(1);
  expect(await held()).toBe(before - ETHER);
  await relay.restart();
  await expect.poll(held).toBeGreaterThan(before);
  await relay.reaches(id, 'EXPIRED');
});

test('an end that no reorganisation reaches any more is looked at no longer', async () => {
  const { id } = relay.submit(await floor.order('Order'));
  const { updatedAt } = await relay.reaches(id, 'COMPLETED');
  await expect.poll(() => relay.row(id).bridgeState).toMatchObject({ endedAt: { 31337: expect.any(Number) } });
  await floor.control.mine({ blocks: 64 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(relay.store.watched().map((row) => row.id)).toContain(id);
  await floor.control.mine({ blocks: 1 });
  await expect.poll(() => relay.store.watched()).toEqual([]);
  expect(relay.row(id)).toMatchObject({ status: 'COMPLETED', updatedAt });
});

test('a productive order earns in its strategy while nobody fills it, and its owner gets all back when it ends', async () => {
  relay.price.now = null;
  const deadline = `${(await floor.seconds()) + 1_000}`;
  const [first, second] = [
    await floor.order('ProductiveOrder', { deadline }),
    await floor.order('ProductiveOrder', { deadline }),
  ];
  const earned = (before: bigint) => floor.balance('WETH', floor.owner.address).then((after) => after - before);
  const before = await floor.balance('WETH', floor.owner.address);
  const ids = [relay.submit(first).id, relay.submit(second).id];
  await expect.poll(() => earned(before)).toBe(-2n * ETHER);
  await floor.pass(500);
  relay.price.now = PRICE;
  await relay.reaches(ids[0] ?? '', 'COMPLETED');
  await relay.reaches(ids[1] ?? '', 'COMPLETED');
  expect(await earned(before)).toBeGreaterThan(-2n * ETHER);

  relay.price.now = null;
  const late = relay.submit(await floor.order('ProductiveOrder', { deadline }));
  const then = await floor.balance('WETH', floor.owner.address);
  await expect.poll(() => earned(then)).toBe(-ETHER);
  await floor.pass(501);
  await relay.reaches(late.id, 'EXPIRED');
  expect(await earned(then)).toBeGreaterThan(0n);
  expect(await floor.balance('WETH', floor.addresses.strategy)).toBe(0n);
});

test('a TWAP is sold to its end on a chain that has forgotten the logs of its first slice', async () => {
  const short = await openIntentFloor(31337, 8);
  const other = openRelayFloor([short]);
  try {
    const { id } = other.submit(await short.order('TWAPOrder', { numSlices: '2', destAmount: '1' }));
    await expect.poll(() => other.row(id).transactions.length).toBe(1);
    await short.control.mine({ blocks: 20 });
    await short.pass(61);
    const { transactions } = await other.reaches(id, 'COMPLETED');
    expect(new Set(transactions.map(({ originTx }) => originTx)).size).toBe(2);
  } finally {
    await other.close();
    await short.close();
  }
});
