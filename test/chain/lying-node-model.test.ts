import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildChainBook } from '../../electron/book/chain-book.ts';
import { chainSettingsSchema } from '../../electron/book/settings-check.ts';
import { BranchFollower } from '../../electron/chain/branch-follower.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { ChunkSize } from '../../electron/chain/chunk-size.ts';
import { TokensApart } from '../../electron/chain/holdings.ts';
import { OrderLedger } from '../../electron/chain/order-ledger.ts';
import { settleBranch } from '../../electron/chain/settle-branch.ts';
import { type AgreedNode, noMoreThanAhead, TwoNodes } from '../../electron/chain/two-nodes.ts';
import { ChainGuard } from '../../electron/guard/chain-guard.ts';
import type { Reservation } from '../../electron/guard/reservation.ts';
import type { JournalEvent, NewEvent } from '../../electron/journal/events.ts';
import type { StandingOrderEvent } from '../../electron/journal/fills/read.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { CHAIN, chain, USER, WETH } from '../book/fixture.ts';
import { happenings, type LiedTo, named, type Step } from '../chain-steps.ts';
import { asked, journaled } from '../guard/asked.ts';
import { howOften } from '../how-often.ts';
import { type GivenOrder, type Lie, LyingNode, type Pick, START, TrueChain, word } from '../true-chain.ts';

/** Random sequences; the longer form has a thousand and more. */
const RUNS = howOften(25, 300, 'MAKERDESK_NODE_LIES');
const RUNS_OF_TWO = howOften(10, 80, 'MAKERDESK_NODE_LIES');
const LIFETIME_SECONDS = 150;

interface Order extends GivenOrder {
  seq: number;
  reservation: Reservation;
}

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
          makerAmount: row.kind === 'fill' ? row.body.makerAmount : null,
          takerAmount: row.kind === 'fill' ? row.body.takerAmount : null,
          amount,
        },
      ];
    });
  }
}

/** A chain that is what it is, a node that may lie about it, or two of which one may, and a desk that knows only what they say. */
class World implements LiedTo {
  readonly rows = new Rows();
  readonly orders: Order[] = [];
  readonly #book = snapshot();
  #time = START;
  #skew = 0;
  #serial = 0n;
  readonly #truth = new TrueChain<Order>(10_000n, 100);
  readonly #liar = this.#newNode();
  readonly #node: AgreedNode;
  #view: ChainView | undefined;
  #halted = false;
  #guard = this.#newGuard();
  #ledger!: OrderLedger;
  #follower!: BranchFollower;
  readonly #ended = new Set<number>();

  private constructor(liar: 'the only one' | 'the first' | 'the second') {
    const [first, second] = liar === 'the second' ? [this.#newNode(), this.#liar] : [this.#liar, this.#newNode()];
    const alone = { ahead: () => null, isOfSecond: () => false, elsewhere: async () => [] };
    const told = {
      rpcUrl: first.rpcUrl,
      secondRpcUrl: second.rpcUrl,
      chainId: CHAIN,
      maxLagSeconds: () => 30,
      amountText: (_token: string, raw: bigint) => `${raw}`,
    };
    this.#node =
      liar === 'the only one'
        ? Object.assign(this.#liar, { first: this.#liar, ...alone })
        : new TwoNodes(first, second, told);
  }

  static async begin(liar: 'the only one' | 'the first' | 'the second' = 'the only one'): Promise<World> {
    const world = new World(liar);
    await world.restart();
    return world;
  }

  /** Signs if the desk lets itself be asked. */
  sign(amount: bigint): void {
    const ask = asked({ makerAmount: amount });
    const now = this.#now() * 1_000;
    if (this.#halted || this.#guard.closure(this.#book, now, false) !== null) return;
    if (this.#guard.refusal(this.#book, ask, now) !== null) return;
    const [hash, expiry] = [word(++this.#serial), this.#now() + LIFETIME_SECONDS];
    const reservation = this.#guard.exposure.reserve({ orderHash: hash, terms: ask, expiry });
    const seq = this.rows.append({ kind: 'desk_stopped', time: 0, actor: 'desk', body: {} });
    this.#guard.exposure.written(reservation, seq);
    this.orders.push({ hash, amount, expiry, seq, reservation });
  }

  mine(blocks: number, picks: readonly Pick[]): void {
    for (let left = blocks; left > 0; left--) {
      this.#time += 1;
      this.#truth.mine(this.#time);
    }
    this.#truth.take(picks, this.orders);
  }

  lie(lie: Lie): void {
    this.#liar.lie = lie;
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
      onNeverThere: () => {},
      onUngot: () => {},
    });
    await this.#follower.resume();
    for (const { hash, amount, expiry, seq } of this.orders) {
      const { filled, cancelled } = this.#told(hash);
      if (this.#ended.has(seq) || cancelled || filled >= amount) continue;
      const amounts = { makerAmount: `${amount}`, filledMakerAmount: `${filled}` };
      this.#guard.exposure.restore(journaled({ seq, orderHash: hash, expiry, ...amounts }));
    }
  }

  /** What the watcher does in one look. */
  async look(): Promise<void> {
    const follower = this.#follower;
    const log = { info: () => {}, warn: () => {} };
    try {
      const latest = await settleBranch(this.#node, follower, {
        chainId: CHAIN,
        now: () => this.#now() * 1_000,
        log,
        isBegunAnew: () => false,
        startAnew: async () => {},
      });
      const read = await follower.follow(latest, [WETH]);
      const { held, unreadable } = await noMoreThanAhead(this.#node, { maker: USER, rfqContract: USER }, read);
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
    return this.#truth.leftAtWorst(this.orders);
  }

  #askJournal(orderHash: string): void {
    const order = this.orders.find(({ hash }) => hash === orderHash);
    if (order === undefined) return;
    const { filled, cancelled } = this.#told(orderHash);
    const amounts = { makerAmount: `${order.amount}`, filledMakerAmount: `${filled}` };
    const row = journaled({ seq: order.seq, orderHash, expiry: order.expiry, ...amounts });
    this.#guard.exposure.told(row, { cancelled });
  }

  #told(orderHash: string): { filled: bigint; cancelled: boolean } {
    const events = this.rows.standing().filter((event) => event.orderHash === orderHash);
    const filled = events.reduce((sum, { amount }) => sum + amount, 0n);
    return { filled, cancelled: events.some(({ kind }) => kind === 'cancel') };
  }

  #newNode(): LyingNode<Order> {
    return new LyingNode(this.#truth, { contract: USER, maker: USER, orders: () => this.orders });
  }

  #now(): number {
    return this.#time + this.#skew;
  }

  #newGuard(): ChainGuard {
    return new ChainGuard({
      view: () => this.#view,
      clockLimits: () => ({ headAheadMaxSeconds: 15, headMaxAgeSeconds: 120 }),
      now: () => this.#now() * 1_000,
    });
  }
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

const sign = fc.integer({ min: 1, max: 4_000 }).map((n) => named(`sign ${n}`, (world: World) => world.sign(BigInt(n))));
const restart = fc.constant(named('restart', (world: World) => world.restart()));
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step<World>>[]>(
  ...happenings,
  { weight: 6, arbitrary: sign },
  { weight: 1, arbitrary: restart },
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

/** What a node may say that nobody who has it alone could see through. */
const unseen = fc.constantFrom<Lie>({ kind: 'rich' }, { kind: 'hidden' }, { kind: 'cancelled' }).map((told) =>
  named(`the node lies: ${JSON.stringify(told)}`, async (world: World) => {
    world.lie(told);
    await world.look();
  }),
);

it.each(['the first', 'the second'] as const)(
  'with two nodes of which %s says whatever it likes, also of balances, fills and cancels, the maker can pay for all that can be filled',
  async (liar) => {
    let signed = 0;
    const solvent = fc.asyncProperty(
      fc.array(fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: unseen }), {
        maxLength: 80,
        size: 'max',
      }),
      async (steps) => {
        const world = await World.begin(liar);
        for (const act of steps) {
          await act(world);
          expect(world.leftAtWorst()).toBeGreaterThanOrEqual(0n);
        }
        signed += world.orders.length;
      },
    );
    await fc.assert(solvent, { numRuns: RUNS_OF_TWO });
    expect(signed).toBeGreaterThan(RUNS_OF_TWO / 2);
  },
);

it('after a kill, a node that is behind a fill the journal holds does not have the balance from before it spent again', async () => {
  const world = await World.begin();
  await world.look();
  world.sign(386n);
  world.mine(1, [{ which: 0, part: 0, cancel: false }]);
  await world.look();
  await world.restart();
  world.lie({ kind: 'behind', depth: 1 });
  await world.look();
  world.sign(9_800n);
  expect(world.orders).toHaveLength(1);
  world.lie({ kind: 'none' });
  await world.look();
  world.sign(9_613n); // all but one unit
  expect(world.orders).toHaveLength(2);
  expect(world.leftAtWorst()).toBe(1n);
});

it('a reorganisation just above a fill does not have that fill written, and counted, once more', async () => {
  const world = await World.begin();
  await world.look();
  world.sign(9n);
  world.mine(1, [{ which: 0, part: 1, cancel: false }]);
  world.mine(5, []);
  await world.look();
  world.lie({ kind: 'branch', depth: 2 });
  await world.look();
  expect(world.rows.events.filter(({ kind }) => kind === 'fill')).toHaveLength(1);
  world.sign(9_991n); // one unit more than there is
  expect(world.orders).toHaveLength(1);
});
