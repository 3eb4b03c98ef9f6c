import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Closure, Status } from '../contract/trading.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { LatchReading } from '../signer/latch.ts';
import { type After, afterTimeout } from './after.ts';
import { type Ask, type Covered, isLadderStale } from './chain-guard.ts';
import type { Reservation, SignedOrder } from './reservation.ts';
import { deadBefore, SignedOrders, type SignedOrdersOptions } from './signed-orders.ts';
import { deskStatus } from './status.ts';
import { Trading, type TradingOptions } from './trading.ts';

export type GuardOptions = Omit<TradingOptions, 'journal' | 'after'> &
  Omit<SignedOrdersOptions, 'journal'> & {
    journal: Pick<Journal, 'append' | 'read' | 'onFailure' | 'onAppended'>;
    after?: After;
  };

/** Where an order that was admitted stands: judged again with this before it is handed over. */
export interface Admission {
  readonly chain: ChainBook;
  readonly pair: BookPair;
  readonly side: Side;
  readonly ask: Ask;
  readonly latch: LatchReading;
}

/**
 * May we trade? Trading state, start checks, closures, limits and exposure: asked in the tick in which an order is
 * signed, and once more in the tick in which it is handed over.
 */
export class Guard {
  readonly trading: Trading;
  readonly orders: SignedOrders;
  readonly #options: GuardOptions;

  private constructor(options: GuardOptions, trading: Trading, orders: SignedOrders) {
    this.#options = options;
    this.trading = trading;
    this.orders = orders;
  }

  /** Takes up what the journal holds: trading states, and every signed order without an end as live. */
  static async open(options: GuardOptions): Promise<Guard> {
    const { read } = options.journal;
    const dead = deadBefore(options.now());
    const [states, quotes] = await Promise.all([read.tradingStates(), read.openQuotes(dead)]);
    const trading = new Trading({ ...options, after: options.after ?? afterTimeout }, states);
    const orders = new SignedOrders(options, trading, quotes);
    void orders.endThoseBefore(dead);
    return new Guard(options, trading, orders);
  }

  /** The state of everything, as `makerdesk status` and the console show it. */
  status(): Status {
    return deskStatus(this.trading.states, this.#options.book.chains(), (chain) => this.closure(chain));
  }

  /** Why a chain is closed for now although nobody stopped it, or null. */
  closure(chain: ChainBook): Closure | null {
    const now = this.#options.now();
    const closed = this.orders.of(chain.chainId).closure(chain, now, this.trading.checksPending);
    if (closed !== null) return closed;
    const fresh = this.#options.book.references.chainFreshUntil(chain);
    return fresh !== null && now > fresh ? 'reference_stale' : null;
  }

  /** Until when (Unix milliseconds) the pair may be quoted by the reference that is known; null where none is configured. */
  referenceFreshUntil(chain: ChainBook, pair: BookPair): number | null {
    return this.#options.book.references.freshUntil(chain, pair.id);
  }

  /** Another room says that a chain's dependency does not answer, or answers again. */
  report(chainId: number, closure: Closure, closed: boolean): void {
    const { reported } = this.orders.of(chainId);
    if (closed) reported.add(closure);
    else reported.delete(closure);
  }

  /** Why a chain signs nothing at all now, or null. */
  chainRefusal(chain: ChainBook): RefusalCode | null {
    this.trading.tick();
    if (this.trading.stateOf({ chainId: chain.chainId }) === 'HALTED') return 'halted';
    return this.closure(chain);
  }

  /** Why a chain serves no grid now, or null: it drains, or it would sign nothing. */
  gridRefusal(chain: ChainBook): RefusalCode | null {
    const refused = this.chainRefusal(chain);
    if (refused !== null) return refused;
    return this.trading.stateOf({ chainId: chain.chainId }) === 'DRAIN' ? 'draining' : null;
  }

  /** Why a side of a pair signs nothing although its chain does, or null. */
  sideRefusal(chain: ChainBook, pair: BookPair, side: Side): RefusalCode | null {
    const { chainId } = chain;
    if (pair.retiredUntil !== null || pair.fault !== null) return 'pair_disabled';
    if (this.trading.stateOf({ chainId, pair: pair.id, side }) === 'HALTED')
      return this.stopCode(chainId, pair.id, side);
    const now = this.#options.now();
    if (isLadderStale(chain, pair, now)) return 'ladder_stale';
    const fresh = this.referenceFreshUntil(chain, pair);
    return fresh !== null && now > fresh ? 'reference_stale' : null;
  }

  /** Why an order must not be signed now, or null. Whoever is told null reserves in the same tick. */
  refusal(chain: ChainBook, ask: Ask): RefusalCode | null {
    return this.orders.of(chain.chainId).refusal(chain, ask, this.#options.now());
  }

  /** What a decision about the order reads of balance, allowance and exposure. */
  covered(chain: ChainBook, ask: Ask): Covered {
    return this.orders.of(chain.chainId).covered(ask.makerAsset);
  }

  /** Counts an admitted order from now on. */
  reserve(chain: ChainBook, ask: Ask, order: SignedOrder): Reservation {
    const { exposure, rate } = this.orders.of(chain.chainId);
    const reservation = exposure.reserve(order);
    rate.add(ask.user, this.#options.now());
    return reservation;
  }

  /** The order's row is durable. */
  written(chainId: number, reservation: Reservation, seq: number): void {
    this.orders.of(chainId).exposure.written(reservation, seq);
  }

  /** The order was not handed over and never will be; if it has a row, the journal knows that. */
  withhold(chainId: number, reservation: Reservation): void {
    this.orders.of(chainId).exposure.withhold(reservation);
  }

  /**
   * Why a signed order must be withheld although the latch holds, or null: since it was admitted its user was barred, a
   * limit lowered, its pair retired or found faulty.
   */
  secondRefusal({ chain, pair, ask }: Admission): RefusalCode | null {
    const { book, now } = this.#options;
    const current = book.chain(chain.chainId);
    if (current === chain) return null;
    if (current === undefined) return 'unknown_pair';
    if (current.isBlacklisted(ask.user, now())) return 'blacklisted';
    const same = current.pairs.get(pair.id);
    if (same === undefined || same.retiredUntil !== null || same.fault !== null) return 'pair_disabled';
    const live = this.orders.of(chain.chainId);
    return live.ruleRefusal(current, ask, live.exposure.live(ask.makerAsset));
  }

  /** What a stop, now or since, makes of an order of this side. */
  stopCode(chainId: number, pair: string, side: Side): RefusalCode {
    const stopped = this.trading.states.strictest({ chainId, pair, side });
    if (stopped?.state !== 'HALTED' || stopped.scope.pair === undefined) return 'halted';
    return stopped.scope.side === undefined ? 'pair_disabled' : 'side_disabled';
  }

  /** The most of a token that one quote may give now, raw units. */
  quotable(chain: ChainBook, token: Address): bigint {
    return this.orders.of(chain.chainId).quotable(chain, token);
  }

  /** What time brings: drains and orders end. Called a few times a second. */
  tick(): void {
    this.trading.tick();
    this.orders.tick();
  }

  close(): void {
    this.trading.close();
  }
}
