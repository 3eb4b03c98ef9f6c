import * as fc from 'fast-check';
import { type Abi, encodeAbiParameters, encodeEventTopics, erc20Abi, keccak256, toFunctionSelector, toHex } from 'viem';
import { expect, it } from 'vitest';
import { buildChainBook } from '../../electron/book/chain-book.ts';
import { chainSettingsSchema } from '../../electron/book/settings-check.ts';
import { BranchFollower } from '../../electron/chain/branch-follower.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { ChunkSize } from '../../electron/chain/chunk-size.ts';
import { TokensApart } from '../../electron/chain/holdings.ts';
import type { NodeCall, NodeClient } from '../../electron/chain/node-client.ts';
import { nodeUnreachable } from '../../electron/chain/node-fault.ts';
import { OrderLedger } from '../../electron/chain/order-ledger.ts';
import { RFQ_ABI } from '../../electron/chain/rfq-abi.ts';
import { settleBranch } from '../../electron/chain/settle-branch.ts';
import { ChainGuard } from '../../electron/guard/chain-guard.ts';
import type { Reservation } from '../../electron/guard/reservation.ts';
import type { JournalEvent, NewEvent } from '../../electron/journal/events.ts';
import type { StandingOrderEvent } from '../../electron/journal/fills/read.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { CHAIN, chain, USDC, USER, WETH } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';

/** Random sequences; the longer form has a thousand and more. */
const RUNS = howOften(60, 1_000, 'MAKERDESK_NODE_LIES');
const LIFETIME_SECONDS = 150;
const START = 1_800_000_000;
const ALLOWANCE = 10n ** 30n;

interface Order {
  hash: Hex;
  amount: bigint;
  expiry: number;
  seq: number;
  reservation: Reservation;
}
interface Happening {
  order: Order;
  /** Zero for a cancel. */
  amount: bigint;
  transactionHash: Hex;
}
interface Block {
  number: number;
  hash: Hex;
  parentHash: Hex;
  timestamp: number;
  balance: bigint;
  happened: Happening[];
}
type Lie =
  | { kind: 'none' | 'silent' | 'another' | 'swept' }
  | { kind: 'branch' | 'behind'; depth: number }
  | { kind: 'time'; seconds: number };

const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number): Hex => `0x${value.toString(16)}`;
const BALANCE_OF = toFunctionSelector(
  erc20Abi.find((item) => item.type === 'function' && item.name === 'balanceOf') as never,
);

/** What the journal is for the rooms under test: rows in order, what stands of them, and one setting a key. */
class Rows {
  readonly events: JournalEvent[] = [];
  readonly #settings = new Map<string, unknown>();
  #listeners: ((events: JournalEvent[]) => void)[] = [];

  /** As a room sees it that was just opened. */
  open(): Journal {
    this.#listeners = [];
    return {
      append: async (event: NewEvent) => this.append(event),
      put: async ({ key, value }: { key: string; value: unknown }) => void this.#settings.set(key, value),
      onAppended: (listener: (events: JournalEvent[]) => void) => void this.#listeners.push(listener),
      head: () => ({ seq: this.events.length, hash: '' }),
      read: {
        setting: async (key: string) => this.#settings.get(key) ?? null,
        orderEvents: async (_chainId: number, from: number) => this.standing().filter(({ block }) => block >= from),
      },
    } as unknown as Journal;
  }

  append(event: NewEvent): number {
    const row = { ...event, seq: this.events.length + 1, hash: '' } as JournalEvent;
    this.events.push(row);
    for (const listener of this.#listeners) listener([row]);
    return row.seq;
  }

  standing(): (StandingOrderEvent & { amount: bigint })[] {
    const gone = new Set(this.events.flatMap((row) => (row.kind === 'reverted' ? [row.body.eventSeq] : [])));
    return this.events.flatMap((row) => {
      if ((row.kind !== 'fill' && row.kind !== 'cancel') || gone.has(row.seq)) return [];
      const amount = row.kind === 'fill' ? BigInt(row.body.makerAmount) : 0n;
      const { orderHash, block, blockHash, transactionHash, logIndex } = row.body;
      return [
        {
          seq: row.seq,
          kind: row.kind,
          orderHash: orderHash as Hex,
          block,
          blockHash,
          transactionHash,
          logIndex,
          amount,
        },
      ];
    });
  }
}

/** A chain that is what it is, a node that may lie about it, and a desk that knows only the node. */
class World {
  readonly rows = new Rows();
  readonly orders: Order[] = [];
  readonly #book = snapshot();
  #time = START;
  #skew = 0;
  #serial = 0n;
  #truth: Block[] = [];
  #lie: Lie = { kind: 'none' };
  #view: ChainView | undefined;
  #halted = false;
  #guard = this.#newGuard();
  #ledger!: OrderLedger;
  #follower!: BranchFollower;
  readonly #ended = new Set<number>();
  readonly #node: NodeClient = {
    rpcUrl: 'http://127.0.0.1:1',
    batchSize: () => 100,
    ask: async (calls) => this.#answer(calls),
    close: () => {},
  };

  static async begin(): Promise<World> {
    const world = new World();
    for (let number = 0; number < 100; number++) world.#push(world.#truth, 'a', START - 100 + number, 10_000n, []);
    await world.restart();
    return world;
  }

  /** Signs if the desk lets itself be asked. */
  sign(amount: bigint): void {
    const ask = { user: USER, taker: USER, makerAsset: WETH, takerAsset: USDC, makerAmount: amount, takerAmount: 1n };
    const now = this.#now() * 1_000;
    if (this.#halted || this.#guard.closure(this.#book, now, false) !== null) return;
    if (this.#guard.refusal(this.#book, ask, now) !== null) return;
    const [hash, expiry] = [word(++this.#serial), this.#now() + LIFETIME_SECONDS];
    const reservation = this.#guard.exposure.reserve({
      orderHash: hash,
      makerAsset: WETH,
      makerAmount: amount,
      expiry,
    });
    const seq = this.rows.append({ kind: 'desk_stopped', time: 0, actor: 'desk', body: {} });
    this.#guard.exposure.written(reservation, seq);
    this.orders.push({ hash, amount, expiry, seq, reservation });
  }

  mine(blocks: number, picks: { which: number; part: number; cancel: boolean }[]): void {
    for (let left = blocks; left > 0; left--) {
      this.#time += 1;
      this.#push(this.#truth, 'a', this.#time, this.#head().balance, []);
    }
    const head = this.#head();
    for (const { which, part, cancel } of picks) {
      const open = this.orders.filter((order) => this.#fillable(order) > 0n);
      const order = open[which % Math.max(1, open.length)];
      if (order === undefined) continue;
      const amount = cancel ? 0n : this.#fillable(order) / BigInt(part + 1) || 1n;
      head.happened.push({ order, amount, transactionHash: word(++this.#serial) });
      head.balance -= amount;
    }
  }

  lie(lie: Lie): void {
    this.#lie = lie;
  }

  setClock(skew: number): void {
    this.#skew = skew;
  }

  get clockIsRight(): boolean {
    return this.#skew === 0;
  }

  /** A person looks and goes on, whatever the node says. */
  resume(): void {
    this.#halted = false;
  }

  async restart(): Promise<void> {
    for (const row of this.#guard.exposure.takeExpiredRows()) this.#ended.add(row);
    this.#view = undefined;
    this.#guard = this.#newGuard();
    const journal = this.rows.open();
    this.#ledger = new OrderLedger({ journal, chainId: CHAIN, now: () => this.#now() * 1_000 });
    const config = { chainId: CHAIN, rfqContract: USER, maker: USER };
    this.#follower = new BranchFollower({
      node: this.#node,
      config,
      journal,
      ledger: this.#ledger,
      chunk: new ChunkSize(30, 60),
      tokens: new TokensApart({ ...config, node: this.#node, now: () => this.#now() * 1_000 }),
    });
    await this.#follower.resume();
    for (const { hash, amount, expiry, seq } of this.orders) {
      const { filled, cancelled } = this.#told(hash);
      if (this.#ended.has(seq) || cancelled || filled >= amount) continue;
      const amounts = { makerAmount: `${amount}`, filledMakerAmount: `${filled}` };
      this.#guard.exposure.restore({ seq, orderHash: hash, makerAsset: WETH, expiry, ...amounts });
    }
  }

  /** What the watcher does in one look. */
  async look(): Promise<void> {
    const follower = this.#follower;
    const log = { info: () => {}, warn: () => {} };
    try {
      const latest = await settleBranch(this.#node, follower, {
        chainId: CHAIN,
        log,
        isBegunAnew: () => false,
        startAnew: async () => {},
      });
      const { held, unreadable } = await follower.follow(latest, [WETH]);
      for (const event of this.#ledger.takeUntold()) {
        if (!this.#guard.exposure.orderEvent(event)) this.#askJournal(event.body.orderHash);
      }
      const block = { number: latest.number, hash: latest.hash, timestamp: latest.timestamp };
      this.#view = { block, seenAt: this.#now() * 1_000, balances: held, unreadable, fault: null };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (error.code === 'chain_replaced' || error.code === 'fork_unknown') this.#halted = true;
    }
    this.#guard.view();
    this.#guard.endOrders();
  }

  /** What the maker has left when everything that can really be filled is. */
  leftAtWorst(): bigint {
    return this.orders.reduce((left, order) => left - this.#fillable(order), this.#head().balance);
  }

  #askJournal(orderHash: string): void {
    const order = this.orders.find(({ hash }) => hash === orderHash);
    if (order === undefined) return;
    const { filled, cancelled } = this.#told(orderHash);
    const row = { seq: order.seq, orderHash, makerAsset: WETH, makerAmount: `${order.amount}`, expiry: order.expiry };
    this.#guard.exposure.told({ ...row, filledMakerAmount: `${filled}`, cancelled });
  }

  #told(orderHash: string): { filled: bigint; cancelled: boolean } {
    const events = this.rows.standing().filter((event) => event.orderHash === orderHash);
    const filled = events.reduce((sum, { amount }) => sum + amount, 0n);
    return { filled, cancelled: events.some(({ kind }) => kind === 'cancel') };
  }

  #fillable(order: Order): bigint {
    if (order.expiry < this.#head().timestamp) return 0n;
    const events = this.#truth.flatMap(({ happened }) => happened).filter((happening) => happening.order === order);
    if (events.some(({ amount }) => amount === 0n)) return 0n;
    return events.reduce((left, { amount }) => left - amount, order.amount);
  }

  #now(): number {
    return this.#time + this.#skew;
  }

  #head(): Block {
    const head = this.#truth.at(-1);
    if (head === undefined) throw new Error('a chain without blocks');
    return head;
  }

  #push(blocks: Block[], branch: string, timestamp: number, balance: bigint, happened: Happening[]): void {
    const parentHash = blocks.at(-1)?.hash ?? word(0);
    const hash = keccak256(toHex(`${branch} ${parentHash}`)); // as a real one, it binds all before it
    blocks.push({ number: blocks.length, hash, parentHash, timestamp, balance, happened });
  }

  /**
   * The blocks as the node shows them. What it makes up holds none of our fills; the balance it tells is the true one, for
   * nobody who has one node could see through it where it forges that.
   */
  #shown(): Block[] {
    const lie = this.#lie;
    const madeUp = (from: number, branch: string) => {
      const blocks = this.#truth.slice(0, from);
      const { balance } = this.#head();
      for (const { timestamp } of this.#truth.slice(from)) this.#push(blocks, branch, timestamp, balance, []);
      return blocks;
    };
    if (lie.kind === 'another') return madeUp(0, 'b');
    if (lie.kind === 'swept') return madeUp(1, 'd');
    if (lie.kind === 'branch') return madeUp(Math.max(1, this.#truth.length - lie.depth), 'c');
    if (lie.kind === 'behind') return this.#truth.slice(0, Math.max(1, this.#truth.length - lie.depth));
    if (lie.kind !== 'time') return this.#truth;
    const head = this.#head();
    return [...this.#truth.slice(0, -1), { ...head, timestamp: head.timestamp + lie.seconds }];
  }

  #answer(calls: readonly NodeCall[]): { ok: true; result: unknown }[] {
    if (this.#lie.kind === 'silent') throw nodeUnreachable(this.#node.rpcUrl, new Error('silent'));
    const blocks = this.#shown();
    return calls.map(({ method, params }) => ({ ok: true, result: this.#result(blocks, method, params) }));
  }

  #result(blocks: Block[], method: string, params: readonly unknown[]): unknown {
    if (method === 'eth_chainId') return quantity(CHAIN);
    if (method === 'eth_getBlockByNumber') {
      const block = params[0] === 'latest' ? blocks.at(-1) : blocks[Number(params[0])];
      if (block === undefined) return null;
      const { hash, parentHash } = block;
      return { number: quantity(block.number), hash, parentHash, timestamp: quantity(block.timestamp) };
    }
    if (method === 'eth_call') {
      const { data } = params[0] as { data: Hex };
      return word(data.startsWith(BALANCE_OF) ? (blocks[Number(params[1])]?.balance ?? 0n) : ALLOWANCE);
    }
    const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
    return blocks
      .filter(({ number }) => number >= Number(fromBlock) && number <= Number(toBlock))
      .flatMap((block) => block.happened.map((happening, index) => logOf(block, happening, index)));
  }

  #newGuard(): ChainGuard {
    return new ChainGuard({
      view: () => this.#view,
      clockLimits: () => ({ headAheadMaxSeconds: 15, headMaxAgeSeconds: 120 }),
      now: () => this.#now() * 1_000,
    });
  }
}

function logOf({ number, hash }: Block, { order, amount, transactionHash }: Happening, index: number) {
  const fill = amount > 0n;
  const abi: Abi = RFQ_ABI;
  const args = { orderHash: order.hash, maker: USER, taker: USER };
  const topics = encodeEventTopics({ abi, eventName: fill ? 'OrderFilled' : 'OrderCancelled', args });
  const moved = ['address', 'uint256', 'address', 'uint256'].map((type) => ({ type }));
  const data = fill ? encodeAbiParameters(moved, [WETH, amount, USDC, 1n]) : '0x';
  const place = { blockNumber: quantity(number), blockHash: hash, transactionHash, logIndex: quantity(index) };
  return { address: USER, topics, data, ...place };
}

function snapshot() {
  const { tokens: _tokens, pairs: _pairs, prices: _prices, blacklist: _blacklist, ...settings } = chain();
  return buildChainBook({
    chainId: CHAIN,
    settings: chainSettingsSchema.parse({ ...settings, reserve: {}, balanceMaxAgeSeconds: 30 }),
    tokens: new Map([['WETH', { symbol: 'WETH', name: 'Wrapped Ether', address: WETH, decimals: 18, type: 'ERC20' }]]),
    pairs: new Map(),
    blacklisted: new Map(),
    setApart: [],
  });
}

type Step = { (world: World): void | Promise<void>; [fc.toStringMethod]: () => string };
const named = (name: string, run: (world: World) => void | Promise<void>): Step =>
  Object.assign((world: World) => run(world), { [fc.toStringMethod]: () => name });

const picks = fc.array(fc.record({ which: fc.nat(), part: fc.nat({ max: 3 }), cancel: fc.boolean() }), {
  maxLength: 3,
});
const sign = fc.integer({ min: 1, max: 4_000 }).map((n) => named(`sign ${n}`, (world) => world.sign(BigInt(n))));
const mine = fc
  .tuple(fc.constantFrom(1, 1, 2, 5, 40, 90), picks)
  .map(([blocks, chosen]) => named(`mine ${blocks} ${JSON.stringify(chosen)}`, (world) => world.mine(blocks, chosen)));
const look = fc.constant(named('look', (world) => world.look()));
const lie = fc
  .oneof(
    fc.constantFrom<Lie>({ kind: 'silent' }, { kind: 'another' }, { kind: 'swept' }),
    fc.record({ kind: fc.constantFrom('branch' as const, 'behind' as const), depth: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constant('time' as const), seconds: fc.constantFrom(-3_600, -50, 200, 3_600) }),
  )
  .map((told) =>
    named(`the node lies: ${JSON.stringify(told)}`, async (world) => {
      // With our own clock wrong in the same direction both would say the same, and that is believed.
      if (told.kind === 'time' && told.seconds > 0 && !world.clockIsRight) return;
      world.lie(told);
      await world.look();
    }),
  );
const honest = fc.constant(named('the node is honest', (world) => world.lie({ kind: 'none' })));
const setClock = fc.constantFrom(-3_600, -100, 0, 0, 100, 3_600).map((skew) =>
  named(`our clock is ${skew} s ahead`, (world) => {
    world.lie({ kind: 'none' });
    world.setClock(skew);
  }),
);
const restart = fc.constant(named('restart', (world) => world.restart()));
const resume = fc.constant(named('resume', (world) => world.resume()));
const step = fc.oneof(
  { weight: 6, arbitrary: sign },
  { weight: 4, arbitrary: mine },
  { weight: 6, arbitrary: look },
  { weight: 2, arbitrary: lie },
  { weight: 3, arbitrary: honest },
  { weight: 1, arbitrary: setClock },
  { weight: 1, arbitrary: restart },
  { weight: 1, arbitrary: resume },
);

it('whatever chain, branch or time a node shows, and whenever the desk restarts, the maker can pay for all that can be filled', async () => {
  let signed = 0;
  const solvent = fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
    const world = await World.begin();
    for (const act of steps) {
      await act(world);
      expect(world.leftAtWorst()).toBeGreaterThanOrEqual(0n);
    }
    signed += world.orders.length;
  });
  await fc.assert(solvent, { numRuns: RUNS });
  expect(signed).toBeGreaterThan(RUNS);
});
