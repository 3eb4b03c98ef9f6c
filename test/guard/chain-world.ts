import { buildChainBook } from '../../electron/book/chain-book.ts';
import { chainSettingsSchema } from '../../electron/book/settings-check.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { ChainGuard } from '../../electron/guard/chain-guard.ts';
import type { Reservation } from '../../electron/guard/reservation.ts';
import { CHAIN, chain, USDC, USER, WETH } from '../book/fixture.ts';
import { type Block, type GivenOrder, type Pick, pick, START, TrueChain, word } from '../true-chain.ts';
import { asked, journaled } from './asked.ts';

export const RESERVE = 7n;
const LIFETIME_SECONDS = 150;
/** How long the guard remembers an order that is over. */
const REMEMBERED_SECONDS = 30;
const AHEAD_MAX_SECONDS = 15;
const AGE_MAX_SECONDS = 120;

interface Told {
  seq: number;
  kind: 'fill' | 'cancel';
  order: Order;
  amount: bigint;
}

interface Order extends GivenOrder {
  reservation: Reservation;
  /** Where the order is: still inside the desk, in a taker's hands, or never to leave. */
  at: 'desk' | 'taker' | 'nowhere';
  /** Its time is over as far as the desk can know. */
  over: boolean;
  /** So long over that the desk has forgotten it. */
  forgotten: boolean;
}

/** A chain on which takers fill what they hold, a watcher that tells of it as chain/ promises to, and the guard under test. */
export class ChainWorld {
  readonly orders: Order[] = [];
  readonly #chain = snapshot();
  #guard = this.#newGuard();
  /** The time it is, Unix seconds. */
  #time = START;
  /** How far the desk's clock is ahead of that. */
  #skew = 0;
  /** The latest time of a block that both clocks bore out. */
  #latestTime = 0;
  readonly #truth: TrueChain<Order>;
  #told: { block: Block<Order>; events: Told[] }[] = [];
  #view: ChainView | undefined;
  /** The blocks whose fills are in the balance of the view. */
  #inView = new Set<Block<Order>>();
  #seq = 0;
  /** From then on more counts as live than the model adds up: also what was inside the desk when it died. */
  restarted = false;
  /** Rows of orders that the journal has as expired. */
  readonly #ended = new Set<number>();

  /** `allowance`: how much of its thousand the maker allows to be taken at first. */
  constructor(allowance = 10_000n) {
    this.#truth = new TrueChain(1_000n, 1, allowance);
    this.look(true);
  }

  get live(): bigint {
    return this.#guard.exposure.live(WETH);
  }

  /** What the guard says to an order of this size, and what the model says: whether all that is live stays below the balance. */
  sign(amount: bigint): { allowed: boolean; shouldBe: boolean } {
    const ask = asked({ makerAmount: amount });
    const open = this.#guard.closure(this.#chain, this.#now() * 1_000, false) === null;
    const allowed = open && this.#guard.refusal(this.#chain, ask, this.#now() * 1_000) === null;
    const held = this.#view?.balances.get(WETH) ?? { balance: 0n, allowance: 0n };
    const most = held.balance < held.allowance ? held.balance : held.allowance;
    const shouldBe = open && this.liveFromScratch() + amount + RESERVE < most;
    if (allowed) {
      const hash = word(this.orders.length);
      const expiry = this.#now() + LIFETIME_SECONDS;
      const reservation = this.#guard.exposure.reserve({ orderHash: hash, terms: ask, expiry });
      this.#guard.exposure.written(reservation, ++this.#seq);
      this.orders.push({ hash, amount, expiry, reservation, at: 'desk', over: false, forgotten: false });
    }
    return { allowed, shouldBe };
  }

  /** Hands one of the signed orders to a taker, or withholds it for good. */
  settle(which: number, withhold: boolean): void {
    const order = pick(this.orders, which, ({ at }) => at === 'desk');
    if (order === undefined) return;
    order.at = withhold ? 'nowhere' : 'taker';
    if (withhold) this.#guard.exposure.withhold(order.reservation);
  }

  /** A block whose time may be up to `lag` seconds behind, but never before its parent's. */
  mine({ deposit, approved }: { deposit: bigint; approved: bigint }, picks: readonly Pick[], lag = 0): void {
    this.#truth.mine(Math.max(this.#truth.head.timestamp, this.#time - lag), deposit, approved);
    this.#truth.take(picks, this.#held());
  }

  /** The newest blocks are gone, as if they had never been. */
  reorganise(depth: number): void {
    this.#truth.reorganise(depth);
  }

  pass(seconds: number): void {
    this.#time += seconds;
    this.#guard.endOrders();
    this.#judge();
  }

  /** The desk's clock is set: so many seconds ahead of the right time from now on. */
  setClock(skew: number): void {
    this.#skew = skew;
    this.#guard.endOrders();
    this.#judge();
  }

  get clockIsRight(): boolean {
    return this.#skew === 0;
  }

  /** The desk dies, and starts again from its journal: orders without an end count, what was still inside it never leaves. */
  restart(): void {
    this.restarted = true;
    const before = this.#guard;
    for (const row of before.exposure.takeExpiredRows()) this.#ended.add(row);
    this.#guard = this.#newGuard();
    this.#view = undefined;
    this.#inView = new Set();
    this.#latestTime = 0;
    for (const order of this.orders) {
      if (order.at === 'desk') order.at = 'nowhere';
      const { seq, withheld } = order.reservation;
      const events = this.#told.flatMap(({ events: told }) => told).filter((event) => event.order === order);
      if (withheld || seq === null || this.#ended.has(seq) || events.some(({ kind }) => kind === 'cancel')) continue;
      const filled = events.reduce((sum, { amount }) => sum + amount, 0n);
      if (filled >= order.amount) continue;
      const { hash: orderHash, amount: makerAmount, expiry } = order;
      const amounts = { makerAmount: `${makerAmount}`, filledMakerAmount: `${filled}` };
      this.#guard.exposure.restore(journaled({ seq, orderHash, expiry, ...amounts }));
    }
  }

  /**
   * Tells what was taken back, then what is new; then reads the balance, unless the node fails in between. `lie`: what
   * the node adds to the time of its newest block, in seconds.
   */
  look(toTheEnd: boolean, lie = 0): void {
    while (this.#told.length > 0 && this.#told.at(-1)?.block !== this.#truth.blocks[this.#told.length - 1]) {
      for (const event of this.#told.pop()?.events.reverse() ?? []) this.#tellBack(event);
    }
    for (const block of this.#truth.blocks.slice(this.#told.length)) {
      const events = block.happened.map(({ order, amount }) =>
        this.#tell({ kind: amount === 0n ? 'cancel' : 'fill', order, amount }, block.number),
      );
      this.#told.push({ block, events });
    }
    if (!toTheEnd) return;
    const { balance, allowance, timestamp, number } = this.#truth.head;
    // Where the chain is as late as the node lies, both clocks say the same, and nobody could see through that.
    const told = timestamp + (lie > 0 && timestamp + lie <= this.#now() + AHEAD_MAX_SECONDS ? 0 : lie);
    this.#view = {
      block: { number, hash: '0x', timestamp: told },
      seenAt: this.#now() * 1_000,
      balances: new Map([[WETH, { balance, allowance }]]),
      unreadable: [],
      fault: null,
    };
    this.#inView = new Set(this.#truth.blocks);
    this.#guard.view();
    this.#judge();
  }

  /** Every order that may be filled beyond what the balance in view has paid for, added up from what was told. */
  liveFromScratch(): bigint {
    let live = 0n;
    for (const order of this.orders) {
      const all = this.#told.flatMap(({ events, block }) => events.map((event) => ({ ...event, block })));
      const events = all.filter((event) => event.order === order);
      if (order.at === 'nowhere' || order.over || order.forgotten) continue;
      const cancelled = events.some(({ kind }) => kind === 'cancel');
      if (!cancelled) live += order.amount;
      for (const { kind, amount, block } of events) {
        if (kind !== 'fill') continue;
        if (this.#inView.has(block) && !cancelled) live -= amount;
        if (!this.#inView.has(block) && cancelled) live += amount;
      }
    }
    return live;
  }

  /** What the maker would have left if every taker filled all they can in the very next block. */
  leftAtWorst(): bigint {
    return this.#truth.leftAtWorst(this.#held());
  }

  /** Those in takers' hands. */
  #held(): Order[] {
    return this.orders.filter(({ at }) => at === 'taker');
  }

  #now(): number {
    return this.#time + this.#skew;
  }

  #newGuard(): ChainGuard {
    return new ChainGuard({
      view: () => this.#view,
      clockLimits: () => ({ headAheadMaxSeconds: AHEAD_MAX_SECONDS, headMaxAgeSeconds: AGE_MAX_SECONDS }),
      now: () => this.#now() * 1_000,
    });
  }

  /** Which orders are over by both clocks, if these do not contradict each other. */
  #judge(): void {
    const block = this.#view?.block;
    if (!block) return;
    const [theirs, ours] = [block.timestamp, this.#now()];
    for (const clock of [ours, (this.#view?.seenAt ?? 0) / 1_000]) {
      if (theirs > clock + AHEAD_MAX_SECONDS || theirs < clock - AGE_MAX_SECONDS) return;
    }
    if (theirs < this.#latestTime) return;
    this.#latestTime = theirs;
    for (const order of this.orders) {
      if (order.expiry >= theirs || order.expiry >= ours) continue;
      order.over = true;
      if (Math.min(theirs, ours) <= order.expiry + REMEMBERED_SECONDS || this.#waitsForBalance(order)) continue;
      order.forgotten = true;
    }
  }

  #waitsForBalance(order: Order): boolean {
    const unpaid = this.#told.filter(({ block }) => !this.#inView.has(block)).flatMap(({ events }) => events);
    return unpaid.some((event) => event.order === order && event.kind === 'fill');
  }

  #tell(event: Omit<Told, 'seq'>, height: number): Told {
    const { kind, order, amount } = event;
    const seq = ++this.#seq;
    const row = { time: 0, actor: 'chain', seq, hash: '' };
    const body = {
      chainId: CHAIN,
      orderHash: order.hash,
      block: height,
      blockHash: '',
      blockTime: 0,
      transactionHash: '',
      logIndex: 0,
      taker: USER,
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: `${amount}`,
      takerAmount: '1',
    };
    this.#hear({ ...row, kind, body });
    return { ...event, seq };
  }

  #tellBack({ seq, order }: Told): void {
    const body = { chainId: CHAIN, eventSeq: seq, orderHash: order.hash };
    this.#hear({ time: 0, actor: 'chain', seq: ++this.#seq, hash: '', kind: 'reverted', body });
    order.over = false;
  }

  #hear(event: OrderEvent): void {
    const known = this.#guard.exposure.orderEvent(event);
    const order = this.orders.find(({ hash }) => hash === event.body.orderHash);
    if (!known && order?.forgotten !== true) throw new Error('The guard has lost sight of an order.');
  }
}

function snapshot() {
  const { tokens: _tokens, pairs: _pairs, prices: _prices, blacklist: _blacklist, ...settings } = chain();
  return buildChainBook({
    chainId: CHAIN,
    settings: chainSettingsSchema.parse({
      ...settings,
      reserve: { WETH: '0.000000000000000007' },
      balanceMaxAgeSeconds: 600,
    }),
    tokens: new Map([['WETH', { symbol: 'WETH', name: 'Wrapped Ether', address: WETH, decimals: 18, type: 'ERC20' }]]),
    pairs: new Map(),
    blacklisted: new Map(),
    setApart: [],
  });
}
