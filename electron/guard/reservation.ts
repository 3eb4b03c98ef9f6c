import type { Address } from '../protocol/address.ts';

/** What a signed order takes from the maker until it has an end. */
export interface SignedOrder {
  readonly orderHash: string;
  readonly makerAsset: Address;
  /** Raw units. */
  readonly makerAmount: bigint;
  /** Unix seconds; still fillable in that second. */
  readonly expiry: number;
}

interface SeenFill {
  readonly amount: bigint;
  readonly block: number;
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
  /** Fills that the balances known account for. */
  #settled: bigint;
  #settledFills = new Map<number, bigint>();
  /** Fills of later blocks than the balances known: the old balance still holds their amounts. */
  readonly #pending = new Map<number, SeenFill>();
  readonly #cancels = new Set<number>();
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
    const cancelled = this.#cancels.size > 0 || this.#cancelledByJournal;
    const left = cancelled ? this.#pendingAmount() : this.order.makerAmount - this.#settled;
    return left > 0n ? left : null;
  }

  /** A fill or cancel as the chain told it. False when it cannot be told what stands: then the journal must be asked. */
  seen(event: { kind: 'fill'; seq: number; amount: bigint; block: number } | { kind: 'cancel'; seq: number }): boolean {
    if (this.#byJournal !== 'no') return false;
    if (event.kind === 'cancel') this.#cancels.add(event.seq);
    else if (!this.#settledFills.has(event.seq)) this.#pending.set(event.seq, event);
    return true;
  }

  /**
   * A fill or cancel was taken back: the order can be filled again, and its time is judged anew. False when it is none
   * that was seen here (it came before this desk started): then all of the order counts until the journal was asked.
   */
  takenBack(seq: number): boolean {
    this.expired = false;
    const settled = this.#settledFills.get(seq);
    if (this.#byJournal === 'no') {
      if (settled !== undefined) {
        this.#settledFills.delete(seq);
        this.#settled -= settled;
        return true;
      }
      if (this.#pending.delete(seq) || this.#cancels.delete(seq)) return true;
    }
    this.#byJournal = 'asked';
    this.#settled = 0n;
    this.#settledFills.clear();
    this.#pending.clear();
    this.#cancels.clear();
    this.#cancelledByJournal = false;
    return false;
  }

  /** What the journal says stands. It counts from the next view on, whose balances account for it. */
  told(truth: { filled: bigint; cancelled: boolean }): void {
    this.#byJournal = truth;
  }

  /** Whether it was filled in a way that the balances known do not account for yet. */
  get unsettled(): boolean {
    return this.#pending.size > 0 || typeof this.#byJournal === 'object';
  }

  /** Balances read at `block` are known. */
  settle(block: number): void {
    if (typeof this.#byJournal === 'object') {
      this.#settled = this.#byJournal.filled;
      this.#cancelledByJournal = this.#byJournal.cancelled;
      this.#byJournal = 'asked';
    }
    for (const [seq, fill] of this.#pending) {
      if (fill.block > block) continue;
      this.#pending.delete(seq);
      this.#settledFills.set(seq, fill.amount);
      this.#settled += fill.amount;
    }
  }

  #pendingAmount(): bigint {
    let amount = 0n;
    for (const fill of this.#pending.values()) amount += fill.amount;
    return amount;
  }
}
