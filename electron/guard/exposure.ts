import type { ChainBook } from '../book/chain-book.ts';
import type { OrderEvent } from '../chain/order-ledger.ts';
import type { OpenQuote } from '../journal/quotes/fold.ts';
import type { Address } from '../protocol/address.ts';
import { termsOf } from './ask.ts';
import { timeOfBoth } from './both-clocks.ts';
import { Reservation, type SignedOrder } from './reservation.ts';

/** An order that is over by both clocks is kept in mind this long, for the chain may still take one of its events back. */
const REMEMBERED_SECONDS = 30;

/**
 * Of the assets under which orders count, the tokens that the chain does not list: what was signed can be filled also where its token
 * was removed, set apart or given another address since. An NFT is told by itself.
 */
export function unlistedTokens({ tokens }: Pick<ChainBook, 'tokens'>, assets: Iterable<Address>): Address[] {
  const listed = new Set([...tokens.values()].map(({ address }) => address));
  return [...assets].filter((asset) => !listed.has(asset) && !asset.includes('#'));
}

/**
 * What the maker of one chain has signed and can still be made to give (DESIGN, exposure). An order counts from the
 * tick in which it is admitted until it was cancelled, filled or withheld, or its time is over by proof: a block later
 * than its expiry was seen, and our own clock is past it. Neither clock ends an order alone.
 */
export class Exposure {
  readonly #byHash = new Map<string, Reservation>();
  readonly #byExpiry = new Map<number, Set<Reservation>>();
  readonly #tokens = new Map<Address, TokenExposure>();
  /** Those with fills in blocks later than the balances known. */
  readonly #unsettled = new Set<Reservation>();
  /** Rows of orders whose time is over, to be told to the journal. */
  #expiredRows: number[] = [];

  /** Live signed amount of a token, raw units. */
  live(token: Address): bigint {
    return this.#tokens.get(token)?.live ?? 0n;
  }

  /** Every token of which something is live. */
  tokens(): ReadonlyMap<Address, TokenExposure> {
    return this.#tokens;
  }

  /** Counts an order that is about to be signed. Throws when its hash is known: no two orders may share one. */
  reserve(order: SignedOrder): Reservation {
    if (this.#byHash.has(order.orderHash)) throw new Error('Two orders have the same hash.');
    return this.#add(new Reservation(order, null, 0n));
  }

  /** Takes up a signed order without an end from before this desk started. */
  restore(quote: OpenQuote): void {
    if (this.#byHash.has(quote.orderHash)) return;
    this.#add(new Reservation(signedOrder(quote), quote.seq, BigInt(quote.filledMakerAmount)));
  }

  /** The order's row is durable. */
  written(reservation: Reservation, seq: number): void {
    reservation.seq = seq;
    if (reservation.expired && !reservation.withheld) this.#expiredRows.push(seq);
  }

  /** The order was never handed over and never will be. */
  withhold(reservation: Reservation): void {
    reservation.withheld = true;
    this.#recount(reservation);
  }

  /**
   * A fill, a cancel, or one taken back. False when the journal must be asked what stands of that order: an event that
   * was seen before this desk started was taken back.
   */
  orderEvent(event: OrderEvent): boolean {
    const reservation = this.#byHash.get(event.body.orderHash);
    if (reservation === undefined) return event.kind !== 'reverted';
    const known = applyEvent(reservation, event);
    this.#recount(reservation);
    return known;
  }

  /** Whether more of an order was filled than was signed. */
  isOverfilled(orderHash: string): boolean {
    return this.#byHash.get(orderHash)?.overfilled ?? false;
  }

  /** Whether an order is counted here, live or ended. */
  knows(orderHash: string): boolean {
    return this.#byHash.has(orderHash);
  }

  /** The journal's answer on an order that it was asked for. It counts in full until the next view. */
  told(quote: OpenQuote, { cancelled }: { cancelled: boolean }): void {
    const known = this.#byHash.get(quote.orderHash);
    const reservation = known ?? this.#add(new Reservation(signedOrder(quote), quote.seq, 0n));
    if (known === undefined) reservation.takenBack(-1);
    reservation.told({ filled: BigInt(quote.filledMakerAmount), cancelled });
    this.#recount(reservation);
  }

  /** Balances were read at the block of this number; all events up to it came before. */
  blockSeen(number: number): void {
    for (const reservation of this.#unsettled) {
      reservation.settle(number);
      this.#recount(reservation);
    }
  }

  /**
   * Ends what is over by both clocks: the time of the newest block (Unix seconds) and ours (Unix milliseconds). An order
   * can be filled in its expiry second still, and one with expiry 0 for ever.
   */
  timeSeen(blockTime: number, now: number): void {
    const over = timeOfBoth(blockTime, now);
    for (const [expiry, reservations] of this.#byExpiry) {
      if (expiry === 0 || expiry >= over) continue;
      for (const reservation of reservations) {
        this.#expire(reservation);
        // The balance known may still hold what was filled of it.
        if (over <= expiry + REMEMBERED_SECONDS || this.#unsettled.has(reservation)) continue;
        reservations.delete(reservation);
        this.#byHash.delete(reservation.order.orderHash);
      }
      if (reservations.size === 0) this.#byExpiry.delete(expiry);
    }
  }

  /** The rows of orders whose time came to an end since this was last asked. */
  takeExpiredRows(): number[] {
    const rows = this.#expiredRows;
    this.#expiredRows = [];
    return rows;
  }

  /** The rows of all live orders; the chain they were signed for is gone, so that they all end. */
  reset(): number[] {
    const rows: number[] = [];
    for (const reservation of this.#byHash.values()) {
      if (reservation.counted === null) continue;
      if (reservation.seq !== null) rows.push(reservation.seq);
      this.withhold(reservation);
    }
    return rows;
  }

  /** The orders that something can still be taken of. */
  liveOrders(): SignedOrder[] {
    return [...this.#byHash.values()].filter(({ counted }) => counted !== null).map(({ order }) => order);
  }

  #add(reservation: Reservation): Reservation {
    const { orderHash, expiry } = reservation.order;
    this.#byHash.set(orderHash, reservation);
    const sameSecond = this.#byExpiry.get(expiry);
    if (sameSecond === undefined) this.#byExpiry.set(expiry, new Set([reservation]));
    else sameSecond.add(reservation);
    this.#recount(reservation);
    return reservation;
  }

  #expire(reservation: Reservation): void {
    if (reservation.expired) return;
    const wasLive = reservation.remaining() !== null;
    reservation.expired = true;
    if (wasLive && reservation.seq !== null) this.#expiredRows.push(reservation.seq);
    this.#recount(reservation);
  }

  /** Brings sums and sets in line with what is known of the order. */
  #recount(reservation: Reservation): void {
    if (reservation.unsettled) this.#unsettled.add(reservation);
    else this.#unsettled.delete(reservation);
    const { terms, expiry } = reservation.order;
    const { makerAsset } = terms;
    const [before, after] = [reservation.counted, reservation.remaining()];
    if (before === after) return;
    reservation.counted = after;
    let token = this.#tokens.get(makerAsset);
    if (token === undefined) {
      token = new TokenExposure();
      this.#tokens.set(makerAsset, token);
    }
    if (before !== null && after !== null) token.adjust(after - before);
    else token.count(after === null ? -1 : 1, after ?? before ?? 0n, expiry);
    if (token.quotes === 0) this.#tokens.delete(makerAsset);
  }
}

/** What is signed and can still be filled of one token. Raw units. */
class TokenExposure {
  live = 0n;
  quotes = 0;
  /** How many live quotes end in which second. */
  readonly #expiries = new Map<number, number>();

  /** A quote became live, or is not live any more. `expiry` is Unix seconds. */
  count(change: 1 | -1, amount: bigint, expiry: number): void {
    const left = (this.#expiries.get(expiry) ?? 0) + change;
    if (left === 0) this.#expiries.delete(expiry);
    else this.#expiries.set(expiry, left);
    this.quotes += change;
    this.live += change === 1 ? amount : -amount;
    if (this.live < 0n || this.quotes < 0 || left < 0) throw new Error('The live exposure of a token fell below zero.');
  }

  /** A live quote was filled in part (`amount` below zero), or a fill of it was taken back. */
  adjust(amount: bigint): void {
    this.live += amount;
    if (this.live < 0n) throw new Error('The live exposure of a token fell below zero.');
  }

  /** When the last of it can no longer be filled, Unix milliseconds: an order is fillable in its expiry second. Null when nothing is live. */
  zeroAt(): number | null {
    if (this.quotes === 0) return null;
    let last = 0;
    for (const expiry of this.#expiries.keys()) if (expiry > last) last = expiry;
    return Math.min((last + 1) * 1_000, Number.MAX_SAFE_INTEGER);
  }
}

function applyEvent(reservation: Reservation, event: OrderEvent): boolean {
  if (event.kind === 'reverted') return reservation.takenBack(event.body.eventSeq);
  if (event.kind === 'cancel') return reservation.seen({ kind: 'cancel', seq: event.seq });
  const { makerAmount, block } = event.body;
  return reservation.seen({ kind: 'fill', seq: event.seq, amount: BigInt(makerAmount), block });
}

function signedOrder(quote: OpenQuote): SignedOrder {
  return { orderHash: quote.orderHash, terms: termsOf(quote), expiry: quote.expiry };
}
