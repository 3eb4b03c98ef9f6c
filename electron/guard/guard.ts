import type { Book } from '../book/book.ts';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { utcText } from '../contract/names.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Closure, Status } from '../contract/trading.ts';
import type { HandOrder } from '../journal/desk/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { Token } from '../protocol/wire.ts';
import type { LatchReading } from '../signer/latch.ts';
import { type After, afterTimeout } from '../time/after.ts';
import { Alarms } from './alarms.ts';
import { ArmedFile } from './armed-file.ts';
import type { Ask } from './ask.ts';
import { clockSentence } from './chain-clock.ts';
import type { PairClosure } from './chain-guard.ts';
import { ChainGuards, type ChainGuardsOptions } from './chain-guards.ts';
import { DeadMan } from './dead-man.ts';
import { type OffSides, offReference } from './off-reference.ts';
import { Protections } from './protections.ts';
import type { Reservation, SignedOrder } from './reservation.ts';
import { type JudgedAgain, secondRefusal } from './second-refusal.ts';
import { sideRefusal, stopCode } from './side-refusal.ts';
import type { Covered } from './spendable.ts';
import { deskStatus } from './status.ts';
import { Trading, type TradingOptions } from './trading.ts';

export type GuardOptions = Omit<TradingOptions, 'journal' | 'after'> &
  Omit<ChainGuardsOptions, 'journal'> & {
    journal: Pick<Journal, 'append' | 'read' | 'onFailure' | 'onAppended' | 'head' | 'doubts' | 'found'>;
    book: Pick<Book, 'desk' | 'onChange'>;
    after?: After;
    /** Milliseconds of a clock that nobody sets. */
    monotonic: () => number;
  };

/** Why a desk comes up HALTED, and what to do, for a person. */
function unprovenSentence(why: readonly string[], missing: readonly HandOrder[] | null): string {
  const doubts = `What this desk signed before is not proven complete. ${why.join(' ')}`;
  const then = 'find out what happened, and resume with a reason if this folder is the one to go on with.';
  if (missing === null) {
    return `${doubts} It signs nothing until every firm quote it may have signed is over. Whether orders signed by hand are missing is not known, and they live for up to 30 days. Cancel those on the chain, or keep what they may take out of the maker’s reach. Then ${then}`;
  }
  const byHand =
    missing.length === 0
      ? ''
      : ' To open its chain before that, cancel what was signed by hand on the chain, then start the desk again.';
  return `${doubts} It signs nothing until every order it may have signed is over.${byHand} Then ${then}`;
}

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
  readonly orders: ChainGuards;
  readonly alarms: Alarms;
  readonly protections: Protections;
  readonly deadMan: DeadMan;
  readonly #options: GuardOptions;

  private constructor(
    options: GuardOptions,
    parts: Pick<Guard, 'trading' | 'orders' | 'alarms' | 'protections' | 'deadMan'>,
  ) {
    this.#options = options;
    this.trading = parts.trading;
    this.orders = parts.orders;
    this.alarms = parts.alarms;
    this.protections = parts.protections;
    this.deadMan = parts.deadMan;
  }

  /**
   * Takes up what the journal holds: trading states, and every signed order without an end as live. Where what was signed
   * is not proven complete the desk is HALTED with the reason, and signs nothing until all of it is over.
   */
  static async open(options: GuardOptions): Promise<Guard> {
    const { journal, book, now, log, folder } = options;
    const { read } = journal;
    const [states, { open, faults, unreadByHand, longestLifetimeSeconds: ofLastRows }] = await Promise.all([
      read.tradingStates(),
      read.provenOpenQuotes(now()),
    ]);
    const why = [...journal.doubts, ...faults];
    const lost = journal.found.missingByHand;
    const missing = lost === null ? null : [...lost, ...unreadByHand];
    if (why.length > 0) {
      // Disarmed before the row, and the row before anything that would speak for the journal next time.
      await new ArmedFile(folder).remove();
      await journal.append({
        time: now(),
        actor: 'desk',
        kind: 'past_unproven',
        body: { why, handOrders: [...(lost ?? []), ...unreadByHand] },
      });
      log?.error('What this desk signed before is not proven complete.', { why });
    }
    const trading = new Trading({ ...options, after: options.after ?? afterTimeout }, states);
    if (why.length > 0) void trading.halt({}, { actor: 'desk', cause: unprovenSentence(why, missing) });
    const past = await read.unprovenPast();
    const longestLifetimeSeconds = Math.max(ofLastRows, journal.found.longestLifetimeSeconds);
    const unproven = past && { ...past, isNew: why.length > 0, longestLifetimeSeconds };
    const orders = new ChainGuards(options, trading, open, unproven);
    const alarms = await Alarms.open({ journal, book, trading, now, log });
    const protections = await Protections.open({
      journal,
      book,
      trading,
      now,
      clockAgrees: () => orders.clockAgrees(),
    });
    const deadMan = await DeadMan.open({ journal, book, trading, now, monotonic: options.monotonic });
    return new Guard(options, { trading, orders, alarms, protections, deadMan });
  }

  /** The state of everything, as `makerdesk status` and the console show it. */
  status(): Status {
    const status = deskStatus(this.trading.states, this.#options.book.chains(), {
      chain: (chain) => this.closure(chain),
      why: (chain, closed) => this.#whyClosed(chain, closed),
      pair: (chain, pair) => this.pairClosure(chain, pair),
    });
    const alarms = this.alarms.list();
    return alarms.length === 0 ? status : { ...status, alarms };
  }

  /** Why a chain is closed for now although nobody stopped it, or null. */
  closure(chain: ChainBook): Closure | null {
    const now = this.#options.now();
    const closed = this.orders.of(chain.chainId).closure(chain, now, this.trading.checksPending);
    if (closed !== null) return closed;
    const fresh = this.#options.book.references.chainFreshUntil(chain);
    if (fresh !== null && now > fresh) return 'reference_stale';
    if (this.protections.chainFault(chain.chainId) !== null) return 'protection_tripped';
    return this.protections.isStarting(chain.chainId) ? 'starting' : null;
  }

  /** Why a chain is closed, in a sentence; null where its code says all there is. */
  #whyClosed({ chainId }: ChainBook, closed: Closure | null): string | null {
    const chain = this.orders.of(chainId);
    if (closed === 'checks_failed') return chain.failedChecks;
    if (closed === 'signer_unseen') return chain.keyFault;
    if (closed === 'chain_unconfirmed') return chain.view()?.fault ?? null;
    if (closed === 'protection_tripped') return this.protections.chainFault(chainId);
    return closed === 'past_unproven' ? this.unprovenFault(chainId) : null;
  }

  /** That orders may be live which this desk does not know, and until when, for a person; null when there are none. */
  unprovenFault(chainId: number): string | null {
    const until = this.orders.of(chainId).holdsOffUntil();
    if (until === null) return null;
    return `What was signed before is not proven complete, and may be filled until ${utcText(until * 1_000)}; the chain opens by itself after that.`;
  }

  /** Why the clock of a chain and ours are not believed, for a person; null while they agree. */
  clockFault(chain: ChainBook): string | null {
    if (this.closure(chain) !== 'chain_clock') return null;
    const fault = this.orders.of(chain.chainId).clockFault();
    return fault === null ? null : clockSentence(fault);
  }

  /** Until when (Unix milliseconds) the pair may be quoted by what its reference and its engine last said; null with neither. */
  freshUntil(chain: ChainBook, pair: BookPair): number | null {
    const [reference, pushed] = [this.referenceFreshUntil(chain, pair), this.pushedFreshUntil(chain, pair)];
    if (reference === null || pushed === null) return reference ?? pushed;
    return Math.min(reference, pushed);
  }

  /** Until when (Unix milliseconds) the pair may be quoted by the prices that an engine pushed; null where none prices it. */
  pushedFreshUntil(chain: ChainBook, pair: BookPair): number | null {
    return this.#options.book.pushed.freshUntil(chain, pair);
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

  /** What was heard of the key of a chain, which is held elsewhere: null while it signs, else why it does not, in a sentence. */
  keyHeard(chainId: number, fault: string | null): void {
    const chain = this.orders.of(chainId);
    if (chain.keyFault === fault) return;
    chain.keyFault = fault;
    this.report(chainId, 'signer_unseen', fault !== null);
    this.trading.tell(chainId);
  }

  /**
   * What the checks of a chain said: null when all passed, else what failed, in a sentence. Until they are told either
   * way a chain stays closed as `starting`.
   */
  chainChecked(chainId: number, failed: string | null): void {
    const chain = this.orders.of(chainId);
    chain.failedChecks = failed;
    this.report(chainId, 'checks_failed', failed !== null);
    this.report(chainId, 'starting', false);
    this.trading.tell(chainId);
  }

  /** A chain has to be checked anew before anything is signed for it: nothing found before holds for it any more. */
  chainUnchecked(chainId: number): void {
    const chain = this.orders.of(chainId);
    chain.failedChecks = null;
    chain.tokens.forget();
    this.report(chainId, 'checks_failed', false);
    this.report(chainId, 'starting', true);
  }

  /** What the chain said of a token as the book has it: null when it is so, else what is wrong. */
  tokenChecked(chainId: number, token: Pick<Token, 'address' | 'decimals'>, fault: string | null): void {
    this.orders.of(chainId).tokens.checked(token, fault);
    this.trading.tell(chainId);
  }

  /** Whether the chain was asked about a token as the book has it now. */
  wasTokenChecked(chainId: number, token: Pick<Token, 'address' | 'decimals'>): boolean {
    return this.orders.of(chainId).tokens.wasChecked(token);
  }

  /** Closes every pair of a token for a cause of its own, with a sentence for a person; null takes that cause back. */
  closeToken(chainId: number, address: Address, cause: string, sentence: string | null): void {
    this.orders.of(chainId).tokens.close(address, cause, sentence);
    this.trading.tell(chainId);
  }

  /**
   * Why a pair signs nothing although nobody stopped it: a token of it is closed, or not approved, a protection has tripped, or the
   * sources of its reference cannot be relied on.
   */
  pairClosure(chain: ChainBook, pair: BookPair): PairClosure | null {
    const { chainId } = chain;
    const isOff = (side: Side) => this.isSwitchedOff({ chainId, pair: pair.id, side });
    const closure = this.orders.of(chainId).pairClosure(pair, isOff);
    if (closure !== null) return closure;
    const fault = this.protections.pairFault(chain, pair);
    if (fault !== null) return { ...fault, tokenId: null };
    const reference = this.#options.book.references.of(chainId, pair.id);
    if (reference?.unsure === undefined || reference.heldBack === null) return null;
    const code = reference.unsure === 'apart' ? 'sources_apart' : 'reference_stale';
    return { code, tokenId: null, sentence: `${pair.id}: ${reference.heldBack}.` };
  }

  /** Whether somebody switched off this side, or its pair: what a stop of the chain or the desk is beside that. */
  isSwitchedOff({ chainId, pair, side }: { chainId: number; pair: string; side: Side }): boolean {
    const { states } = this.trading;
    return states.own({ chainId, pair })?.state === 'HALTED' || states.own({ chainId, pair, side })?.state === 'HALTED';
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
    return sideRefusal(this, { chain, pair, side }, this.#options.now());
  }

  /** How the best prices of a pair stand against its reference; null while no fresh one is known. */
  offReference(chain: ChainBook, pair: BookPair): OffSides | null {
    const reference = this.#options.book.references.of(chain.chainId, pair.id);
    const fresh = this.referenceFreshUntil(chain, pair);
    if (reference === undefined || fresh === null || this.#options.now() > fresh) return null;
    return offReference(chain, pair, reference);
  }

  /** Why an order must not be signed now, or null. Whoever is told null reserves in the same tick. */
  refusal(chain: ChainBook, ask: Ask): RefusalCode | null {
    return this.orders.of(chain.chainId).refusal(chain, ask, this.#options.now());
  }

  /**
   * Why an order that a person signs for one taker must not be signed now, or, once it `isCounted`, must not be handed over;
   * null when nothing speaks against it. Whoever is told null reserves in the same tick.
   */
  handRefusal(chain: ChainBook, ask: Ask, isCounted: boolean): RefusalCode | null {
    return (
      this.gridRefusal(chain) ??
      chain.blacklistCode(ask.taker, this.#options.now()) ??
      this.orders.of(chain.chainId).handRefusal(chain, ask, isCounted)
    );
  }

  /** Counts an order that a person has signed from now on. */
  reserveByHand(chain: ChainBook, order: SignedOrder): Reservation {
    return this.orders.of(chain.chainId).exposure.reserve(order);
  }

  /** What a decision about the order reads of balance, allowance and exposure. */
  covered(chain: ChainBook, ask: Ask): Covered {
    return this.orders.of(chain.chainId).covered(ask.makerAsset);
  }

  /** Counts an admitted order from now on. */
  reserve(chain: ChainBook, order: SignedOrder): Reservation {
    const { exposure, rate } = this.orders.of(chain.chainId);
    const reservation = exposure.reserve(order);
    rate.add(order.terms, this.#options.now());
    return reservation;
  }

  /** The order's row is durable. */
  written(chainId: number, reservation: Reservation, seq: number): void {
    this.orders.of(chainId).exposure.written(reservation, seq);
    this.protections.written(reservation.order.orderHash);
  }

  /** The order was not signed, or is in no journal, and never will be: it takes no room of any rule. */
  unsigned(chainId: number, reservation: Reservation): void {
    this.withhold(chainId, reservation);
    this.protections.unsigned(reservation.order.orderHash);
  }

  /** The order was not handed over and never will be; if it has a row, the journal knows that. */
  withhold(chainId: number, reservation: Reservation): void {
    this.orders.of(chainId).exposure.withhold(reservation);
  }

  /** Why a signed order must be withheld although the latch holds, or null. */
  secondRefusal(judged: JudgedAgain): RefusalCode | null {
    const { book, now } = this.#options;
    return secondRefusal(this, judged, { current: book.chain(judged.chain.chainId), now: now() });
  }

  /** What a stop, now or since, makes of an order of this side. */
  stopCode(chainId: number, pair: string, side: Side): RefusalCode {
    return stopCode(this.trading.states, { chainId, pair, side });
  }

  /** The most of a token that one quote may give now, raw units. */
  quotable(chain: ChainBook, token: Address): bigint {
    return this.orders.of(chain.chainId).quotable(chain, token);
  }

  /** What time brings: drains and orders end. Called a few times a second. */
  tick(): void {
    this.trading.tick();
    this.orders.tick();
    this.protections.tick();
    this.deadMan.tick();
  }

  close(): void {
    this.protections.close();
    this.trading.close();
  }
}
