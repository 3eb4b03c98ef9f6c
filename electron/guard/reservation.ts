import type { Terms } from './ask.ts';

/** What a signed order takes from the maker until it has an end. */
export interface SignedOrder {
  readonly orderHash: string;
  readonly terms: Terms;
  /** Unix seconds; still fillable in that second. */
  readonly expiry: number;
}

interface SeenFill {
  readonly amount: bigint;
  readonly block: number;
}

/** What the chain told of an order, by the journal's row. */
class OrderEvents {
  /** Fills that the balances known account for. */
  readonly settled = new Map<number, bigint>();
  /** Fills of later blocks than the balances known: the old balance still holds their amounts. */
  readonly pending = new Map<number, SeenFill>();
  /** What the pending ones come to: kept, for an order may be filled in ten thousand parts. */
  pendingAmount = 0n;
  readonly cancels = new Set<number>();
}

/** One signed order and what became of it. Exposure keeps it until nothing can happen to it any more. */
export class Reservation {
  readonly order: SignedOrder;
  /** The journal's row, null until that is durable. */
  seq: number | null;
  /** Never handed over, so that nobody can fill it. */
  withheld = false;
  /** Its time is over. */
  expired = false;
  /** What exposure counts for it now; null when it is not live. */
  counted: bigint | null = null;
  /** What of it was filled as far as the balances known account for it. */
  #settled: bigint;
  /** Null until there is one: thousands of orders are live at once, and the chain tells something of few. */
  #events: OrderEvents | null = null;
  #byJournal: 'no' | 'asked' | { filled: bigint; cancelled: boolean } = 'no';
  #cancelledByJournal = false;

  constructor(order: SignedOrder, seq: number | null, filledBefore: bigint) {
    this.order = order;
    this.seq = seq;
    this.#settled = filledBefore;
  }

  /** What can still leave the balances known on account of this order, or null when nothing can. */
  remaining(): bigint | null {
    if (this.withheld || this.expired) return null;
    const cancelled = (this.#events !== null && this.#events.cancels.size > 0) || this.#cancelledByJournal;
    const left = cancelled ? (this.#events?.pendingAmount ?? 0n) : this.order.terms.makerAmount - this.#settled;
    return left > 0n ? left : null;
  }

  /** Whether more was filled of it, by what was told, than was signed: that cannot be. */
  get overfilled(): boolean {
    const told = typeof this.#byJournal === 'object' ? this.#byJournal.filled : 0n;
    const filled = this.#settled + (this.#events?.pendingAmount ?? 0n);
    const { makerAmount } = this.order.terms;
    return filled > makerAmount || told > makerAmount;
  }

  /** A fill or cancel as the chain told it. False when it cannot be told what stands: then the journal must be asked. */
  seen(event: { kind: 'fill'; seq: number; amount: bigint; block: number } | { kind: 'cancel'; seq: number }): boolean {
    if (this.#byJournal !== 'no') return false;
    this.#events ??= new OrderEvents();
    const events = this.#events;
    if (event.kind === 'cancel') events.cancels.add(event.seq);
    else if (!events.settled.has(event.seq) && !events.pending.has(event.seq)) {
      events.pending.set(event.seq, event);
      events.pendingAmount += event.amount;
    }
    return true;
  }

  /**
   * A fill or cancel was taken back: the order can be filled again, and its time is judged anew. False when it is none
   * that was seen here (it came before this desk started): then all of the order counts until the journal was asked.
   */
  takenBack(seq: number): boolean {
    this.expired = false;
    if (this.#byJournal === 'no' && this.#events !== null) {
      const { settled, pending, cancels } = this.#events;
      const filled = settled.get(seq);
      if (filled !== undefined) {
        settled.delete(seq);
        this.#settled -= filled;
        return true;
      }
      const waiting = pending.get(seq);
      if (waiting !== undefined) {
        pending.delete(seq);
        this.#events.pendingAmount -= waiting.amount;
        return true;
      }
      if (cancels.delete(seq)) return true;
    }
    this.#byJournal = 'asked';
    this.#settled = 0n;
    this.#events = null;
    this.#cancelledByJournal = false;
    return false;
  }

  /** What the journal says stands. It counts from the next view on, whose balances account for it. */
  told(truth: { filled: bigint; cancelled: boolean }): void {
    this.#byJournal = truth;
  }

  /** Whether it was filled in a way that the balances known do not account for yet. */
  get unsettled(): boolean {
    return (this.#events !== null && this.#events.pending.size > 0) || typeof this.#byJournal === 'object';
  }

  /** Balances read at `block` are known. */
  settle(block: number): void {
    if (typeof this.#byJournal === 'object') {
      this.#settled = this.#byJournal.filled;
      this.#cancelledByJournal = this.#byJournal.cancelled;
      this.#byJournal = 'asked';
    }
    if (this.#events === null) return;
    const { settled, pending } = this.#events;
    for (const [seq, fill] of pending) {
      if (fill.block > block) continue;
      pending.delete(seq);
      this.#events.pendingAmount -= fill.amount;
      settled.set(seq, fill.amount);
      this.#settled += fill.amount;
    }
  }
}
