import { buildChainBook } from '../../electron/book/chain-book.ts';
import { chainSettingsSchema } from '../../electron/book/settings-check.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { type Ask, ChainGuard } from '../../electron/guard/chain-guard.ts';
import type { Reservation } from '../../electron/guard/reservation.ts';
import { CHAIN, chain, USDC, USER, WETH } from '../book/fixture.ts';

export const RESERVE = 7n;
const LIFETIME_SECONDS = 150;
const GRACE_SECONDS = 30;

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
  readonly #guard = new ChainGuard(() => this.#view);
  /** Unix seconds. */
  #now = 1_800_000_000;
  #blocks: Block[] = [{ time: this.#now, deposit: 1_000n, fills: [], cancels: [] }];
  #told: { block: Block; events: Told[] }[] = [];
  #view: ChainView | undefined;
  /** The blocks whose fills are in the balance of the view. */
  #inView = new Set<Block>();
  #seq = 0;

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
    const open = this.#guard.closure(this.#chain, this.#now * 1_000, false) === null;
    const allowed = open && this.#guard.refusal(this.#chain, ask, this.#now * 1_000) === null;
    const held = this.#view?.balances.get(WETH) ?? { balance: 0n, allowance: 0n };
    const most = held.balance < held.allowance ? held.balance : held.allowance;
    const shouldBe = open && this.liveFromScratch() + amount + RESERVE < most;
    if (allowed) {
      const hash = `0x${this.orders.length.toString(16).padStart(64, '0')}`;
      const expiry = this.#now + LIFETIME_SECONDS;
      const reservation = this.#guard.exposure.reserve({
        orderHash: hash,
        makerAsset: WETH,
        makerAmount: amount,
        expiry,
      });
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

  mine(deposit: bigint, picks: { which: number; part: number; cancel: boolean }[]): void {
    const block: Block = { time: this.#now, deposit, fills: [], cancels: [] };
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
    this.#now += seconds;
    this.#guard.exposure.clockTicked(this.#now * 1_000);
    for (const order of this.orders) {
      if (this.#now > order.expiry + GRACE_SECONDS && !this.#waitsForBalance(order)) order.forgotten = true;
    }
  }

  /** Tells what was taken back, then what is new; then reads the balance, unless the node fails in between. */
  look(toTheEnd: boolean): void {
    while (this.#told.length > 0 && this.#told.at(-1)?.block !== this.#blocks[this.#told.length - 1]) {
      for (const event of this.#told.pop()?.events.reverse() ?? []) this.#tellBack(event);
    }
    for (const block of this.#blocks.slice(this.#told.length)) {
      const height = this.#told.length;
      const fills = block.fills.map(({ order, amount }) => this.#tell({ kind: 'fill', order, amount }, height));
      const cancels = block.cancels.map((order) => this.#tell({ kind: 'cancel', order, amount: 0n }, height));
      this.#told.push({ block, events: [...fills, ...cancels] });
    }
    const head = this.#blocks.at(-1);
    if (!toTheEnd || head === undefined) return;
    const held = { balance: this.#balance(), allowance: 10_000n };
    this.#view = {
      block: { number: this.#blocks.length - 1, hash: '0x', timestamp: head.time },
      ...{ seenAt: this.#now * 1_000, balances: new Map([[WETH, held]]), unreadable: [], fault: null },
    };
    this.#inView = new Set(this.#blocks);
    this.#guard.view();
    for (const order of this.orders) if (order.expiry < head.time) order.over = true;
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

  /** What the maker would have left if every taker filled all he can in the very next block. */
  leftAtWorst(): bigint {
    return this.orders.reduce((left, order) => left - this.#fillable(order), this.#balance());
  }

  #fillable(order: Order): bigint {
    if (order.at !== 'taker' || order.expiry < this.#now) return 0n;
    if (this.#blocks.some(({ cancels }) => cancels.includes(order))) return 0n;
    const fills = this.#blocks.flatMap((block) => block.fills).filter((fill) => fill.order === order);
    return fills.reduce((left, { amount }) => left - amount, order.amount);
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
      ...{ chainId: CHAIN, orderHash: order.hash, block: height, blockHash: '', blockTime: 0 },
      ...{ transactionHash: '', logIndex: 0, taker: USER, makerAsset: WETH, takerAsset: USDC },
      ...{ makerAmount: `${amount}`, takerAmount: '1' },
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
    ...{ pairs: new Map(), barred: new Map(), setApart: [] },
  });
}
