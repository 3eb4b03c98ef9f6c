import { buildChainBook } from '../../electron/book/chain-book.ts';
import { chainSettingsSchema } from '../../electron/book/settings-check.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { type Ask, ChainGuard } from '../../electron/guard/chain-guard.ts';
import type { Reservation } from '../../electron/guard/reservation.ts';
import { CHAIN, chain, USDC, USER, WETH } from '../book/fixture.ts';

export const RESERVE = 7n;
const LIFETIME_SECONDS = 150;
/** How long the guard remembers an order that is over. */
const REMEMBERED_SECONDS = 30;
const AHEAD_MAX_SECONDS = 15;
const AGE_MAX_SECONDS = 120;

interface Block {
  time: number;
  deposit: bigint;
  fills: { order: Order; amount: bigint }[];
  cancels: Order[];
}

interface Told {
  seq: number;
  kind: 'fill' | 'cancel';
  order: Order;
  amount: bigint;
}

interface Order {
  hash: string;
  amount: bigint;
  expiry: number;
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
  #time = 1_800_000_000;
  /** How far the desk's clock is ahead of that. */
  #skew = 0;
  /** The latest time of a block that both clocks bore out. */
  #latestTime = 0;
  #blocks: Block[] = [{ time: this.#time, deposit: 1_000n, fills: [], cancels: [] }];
  #told: { block: Block; events: Told[] }[] = [];
  #view: ChainView | undefined;
  /** The blocks whose fills are in the balance of the view. */
  #inView = new Set<Block>();
  #seq = 0;
  /** From then on more counts as live than the model adds up: also what was inside the desk when it died. */
  restarted = false;
  /** Rows of orders that the journal has as expired. */
  readonly #ended = new Set<number>();

  constructor() {
    this.look(true);
  }

  get live(): bigint {
    return this.#guard.exposure.live(WETH);
  }

  /** What the guard says to an order of this size, and what the model says: whether all that is live stays below the balance. */
  sign(amount: bigint): { allowed: boolean; shouldBe: boolean } {
    const ask: Ask = {
      user: USER,
      taker: USER,
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: amount,
      takerAmount: 1n,
    };
    const open = this.#guard.closure(this.#chain, this.#now() * 1_000, false) === null;
    const allowed = open && this.#guard.refusal(this.#chain, ask, this.#now() * 1_000) === null;
    const held = this.#view?.balances.get(WETH) ?? { balance: 0n, allowance: 0n };
    const most = held.balance < held.allowance ? held.balance : held.allowance;
    const shouldBe = open && this.liveFromScratch() + amount + RESERVE < most;
    if (allowed) {
      const hash = `0x${this.orders.length.toString(16).padStart(64, '0')}`;
      const expiry = this.#now() + LIFETIME_SECONDS;
      const reservation = this.#guard.exposure.reserve({
        orderHash: hash,
        makerAsset: WETH,
        makerAmount: amount,
        expiry,
      });
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
  mine(deposit: bigint, picks: { which: number; part: number; cancel: boolean }[], lag = 0): void {
    const time = Math.max(this.#head().time, this.#time - lag);
    const block: Block = { time, deposit, fills: [], cancels: [] };
    this.#blocks.push(block);
    for (const { which, part, cancel } of picks) {
      const order = pick(this.orders, which, (candidate) => this.#fillable(candidate) > 0n);
      if (order === undefined) continue;
      const left = this.#fillable(order);
      if (cancel) block.cancels.push(order);
      else block.fills.push({ order, amount: left / BigInt(part + 1) || 1n });
    }
  }

  /** The newest blocks are gone, as if they had never been. */
  reorganise(depth: number): void {
    this.#blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - depth));
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
      this.#guard.exposure.restore({ seq, orderHash, makerAsset: WETH, expiry, ...amounts });
    }
  }

  /**
   * Tells what was taken back, then what is new; then reads the balance, unless the node fails in between. `lie`: what
   * the node adds to the time of its newest block, in seconds.
   */
  look(toTheEnd: boolean, lie = 0): void {
    while (this.#told.length > 0 && this.#told.at(-1)?.block !== this.#blocks[this.#told.length - 1]) {
      for (const event of this.#told.pop()?.events.reverse() ?? []) this.#tellBack(event);
    }
    for (const block of this.#blocks.slice(this.#told.length)) {
      const height = this.#told.length;
      const fills = block.fills.map(({ order, amount }) => this.#tell({ kind: 'fill', order, amount }, height));
      const cancels = block.cancels.map((order) => this.#tell({ kind: 'cancel', order, amount: 0n }, height));
      this.#told.push({ block, events: [...fills, ...cancels] });
    }
    if (!toTheEnd) return;
    const held = { balance: this.#balance(), allowance: 10_000n };
    // Where the chain is as late as the node lies, both clocks say the same, and nobody could see through that.
    const told = this.#head().time + (lie > 0 && this.#head().time + lie <= this.#now() + AHEAD_MAX_SECONDS ? 0 : lie);
    this.#view = {
      block: { number: this.#blocks.length - 1, hash: '0x', timestamp: told },
      seenAt: this.#now() * 1_000,
      balances: new Map([[WETH, held]]),
      unreadable: [],
      fault: null,
    };
    this.#inView = new Set(this.#blocks);
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
    return this.orders.reduce((left, order) => left - this.#fillable(order), this.#balance());
  }

  #fillable(order: Order): bigint {
    if (order.at !== 'taker' || order.expiry < this.#head().time) return 0n;
    if (this.#blocks.some(({ cancels }) => cancels.includes(order))) return 0n;
    const fills = this.#blocks.flatMap((block) => block.fills).filter((fill) => fill.order === order);
    return fills.reduce((left, { amount }) => left - amount, order.amount);
  }

  #now(): number {
    return this.#time + this.#skew;
  }

  #head(): Block {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error('a chain without blocks');
    return head;
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

  #balance(): bigint {
    let balance = 0n;
    for (const { deposit, fills } of this.#blocks) {
      balance += deposit;
      for (const { amount } of fills) balance -= amount;
    }
    return balance;
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

function pick(orders: readonly Order[], which: number, wanted: (order: Order) => boolean): Order | undefined {
  const found = orders.filter(wanted);
  return found[which % Math.max(1, found.length)];
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
