import { hasReference } from '../book/combine-sources.ts';
import { AccountTurns } from '../chain/account-turns.ts';
import type { HedgeQuote } from '../contract/hedge.ts';
import type { HedgeEntry } from '../contract/hedge-steps.ts';
import type { HedgeAsk, HedgeCorrection, HedgeWish } from '../contract/hedge-terms.ts';
import type { CancelledIntents } from '../contract/still-live.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { type HedgeRecord, isEnded } from '../journal/hedges/fold.ts';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { inTime } from '../time/in-time.ts';
import { pause } from '../time/pause.ts';
import { carryOut } from './carry-out.ts';
import { checkHalted, questionOfCover } from './closes-position.ts';
import { coinDollars } from './coin-dollars.ts';
import { fillsFor } from './fills-to-hedge.ts';
import { HedgeLog } from './hedge-log.ts';
import { type HedgeNode, openHedgeNode } from './hedge-node.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { quoteVenues } from './hedge-quote.ts';
import { type HedgeRun, isHalted, type PlannedAllowance } from './hedge-run.ts';
import { openingOf } from './hedge-terms.ts';
import { canGiveUp, isCancellable, isNothingSigned } from './hedge-view.ts';
import { mostTaken, questionOfPromises, tellWhatHedgeTakes } from './most-taken.ts';
import { OutlivingOrders } from './outliving-orders.ts';
import { ReceiptWatch } from './receipt-watch.ts';
import { distanceOf, freshMid, pairOfHedge, questionOfDistance } from './reference-distance.ts';
import { expectEntrySeen } from './seen-entry.ts';
import type { VenueRun } from './venues/venue.ts';
import { builtOf, knownVenue, leftOf, VENUES, venueOf } from './venues/venues.ts';

/** How often the service is asked for an order; it takes a question a second from the whole desk. */
const POLL_MS = 2_500;
/** How often a transaction that waits, or a halt that holds, is looked at again. */
const LOOK_MS = 400;
/** How long the end of the desk waits for an answer that is under way. */
const STOP_PATIENCE_MS = 1_500;
const GIVE_UP_LOOKS = 100;
const GIVE_UP_LOOK_MS = 100;

export interface HedgeEngineOptions {
  pollMs?: number;
  /** How often what a hedge waits for is looked at again, milliseconds. */
  lookMs?: number;
  /** How often transactions that are not final are looked at, milliseconds. */
  watchMs?: number;
}

/** Opens hedges and carries them to their end, behind everything else: no quote ever waits for it. */
export class HedgeEngine {
  readonly log: HedgeLog;
  readonly #parts: HedgeParts;
  /** The same, as orders under way ask the service. */
  readonly #orderParts: HedgeParts;
  readonly #pollMs: number;
  readonly #lookMs: number;
  readonly #queue = new AccountTurns();
  readonly #ending = new AbortController();
  readonly #under = new Set<Promise<void>>();
  readonly #givenUp = new Map<number, string>();
  readonly #planned = new Map<number, PlannedAllowance>();
  readonly #nodes = new Map<number, HedgeNode>();
  readonly #watch: ReceiptWatch;
  readonly #outliving: OutlivingOrders;
  readonly #placing = new SerialQueue();

  constructor(parts: HedgeParts, { pollMs = POLL_MS, lookMs = LOOK_MS, watchMs }: HedgeEngineOptions = {}) {
    this.#parts = parts;
    this.#orderParts = { ...parts, service: (chainId) => parts.service(chainId).forOrders() };
    this.#pollMs = pollMs;
    this.#lookMs = lookMs;
    this.log = new HedgeLog(parts, { builtOf, leftOf });
    this.#outliving = new OutlivingOrders(parts, {
      node: this.node,
      running: () => this.log.all(),
      everyMs: watchMs,
      book: (hedge, blocks) => this.#bookLate(hedge, blocks),
    });
    this.log.onChange(({ hedge, block }) => void this.#tellTakes(hedge, block));
    this.#watch = new ReceiptWatch(parts, {
      log: this.log,
      node: this.node,
      everyMs: watchMs,
      runAgain: (seq) => void this.#launch(seq, false),
    });
  }

  /** Takes up what ran when the desk ended: looked up first, and nothing sent that was not signed before. */
  async start(): Promise<void> {
    const open = await this.log.load();
    for (const hedge of open) await this.#tellTakes(hedge, null);
    await this.#outliving.start();
    for (const { seq } of open) void this.#launch(seq, false);
    this.#watch.start();
  }

  /** Lets go of what runs; the next desk takes it up. */
  async stop(): Promise<void> {
    this.#ending.abort(new DeskError('desk_stopping', 'The desk is being closed.'));
    for (const { node } of this.#nodes.values()) node.close();
    // What still waits for an answer from outside writes nothing more: the journal is closed by then.
    const ended = Promise.allSettled([this.#watch.stop(), this.#outliving.stop(), ...this.#under]);
    await inTime(ended, STOP_PATIENCE_MS, () => {});
  }

  quote(ask: HedgeAsk): Promise<HedgeQuote> {
    return quoteVenues(this.#parts, this.node, ask);
  }

  /**
   * Opens a hedge, and carries it out behind the answer. Throws DeskError: `bad_ask`, `bad_terms`, `bad_fills`, `fleet_alone`,
   * `halted`, `halted_unconfirmed`, `off_reference_unconfirmed`, `promised`, `promised_unconfirmed`, `covered_unconfirmed`, `no_service`,
   * `service_day_spent`, `unknown_chain`, `unknown_token`.
   */
  async place(wish: HedgeWish, by: { actor: string; confirmed: boolean; automatic?: boolean }): Promise<HedgeRecord> {
    // One after the other: each is judged by what is open when the one before it is.
    const hedge = await this.#placing.run(() => this.#place(wish, by));
    // Carried out beside the next one, which may be of another chain: this one may wait for a node that is away.
    const work = this.#launch(hedge.seq, true);
    if (!venueOf(hedge.opened.way.mode).about.isRecord) return hedge;
    await work;
    return (await this.#parts.journal.read.hedge(hedge.seq)) ?? hedge;
  }

  async #place(
    wish: HedgeWish,
    { actor, confirmed: said, automatic = false }: Parameters<HedgeEngine['place']>[1],
  ): Promise<HedgeRecord> {
    const parts = this.#parts;
    // What was said while nothing was halted is no answer to the question that a halt asks.
    const confirmed = said && isHalted(parts, wish.ask.chainId);
    const draft = openingOf(parts, wish, { pair: null, fillSeqs: [], automatic, confirmed });
    if (venueOf(draft.way.mode).about.isRecord) return this.#enter(draft, wish.fillSeqs, actor);
    parts.service(draft.chainId).checkBudget();
    const underWay = await this.underWay();
    await checkHalted(parts, draft, confirmed);
    const near = await this.#nearReference(draft, wish);
    const accepts = wish.acceptPromised === true ? { acceptsPromises: true } : {};
    const nativeUsd = coinDollars(parts, draft.chainId);
    const reckoned = nativeUsd === null ? {} : { nativeUsd };
    const fills = await this.#notCovered(draft, wish, underWay);
    const opened = { ...draft, ...near, ...accepts, ...reckoned, ...fills };
    // From here on no quote is signed on what it takes.
    const letGo = this.#holdFor(opened);
    return this.log.open(opened, actor).finally(letGo);
  }

  /**
   * The fills of a hedge, none of which anything under way closes, unless a person wants that of the hedges that they were shown. Throws
   * DeskError `covered_unconfirmed`, `bad_fills`.
   */
  async #notCovered(draft: HedgeOpened, wish: HedgeWish, underWay: HedgeRecord[]) {
    const parts = this.#parts;
    const { fillSeqs: chosen, acceptCovered, seenCovering } = wish;
    const accepts = acceptCovered === true;
    // Who does not say what they were shown wants it whatever there is.
    const seen = accepts ? (seenCovering ?? underWay.map(({ seq }) => seq)) : [];
    const fills = await fillsFor(parts, draft, chosen, accepts ? [] : underWay);
    const question = await questionOfCover(parts, draft, { chosen, underWay, seen });
    if (question === null) return fills;
    throw new DeskError('covered_unconfirmed', question.sentence, {
      remedy: 'Hedge less, wait until that is over, or say that you want it all the same.',
      fields: { covering: question.covering },
    });
  }

  /** Writes down what was done elsewhere: nothing is asked, promised or sent. */
  async #enter(draft: HedgeOpened, fillSeqs: readonly number[], actor: string): Promise<HedgeRecord> {
    return this.log.open({ ...draft, ...(await fillsFor(this.#parts, draft, fillSeqs)) }, actor);
  }

  /**
   * Corrects what was entered of a hedge that was done elsewhere, or strikes it out with amounts of null, by one more event. `seen`: what
   * counted of it as whoever corrects it saw it. Throws DeskError `unknown_hedge`, `not_correctable`, `bad_terms`, FaultyInput
   * `changed_meanwhile`.
   */
  correct(seq: number, by: HedgeCorrection, actor: string, seen?: HedgeEntry): Promise<void> {
    // One after the other: each says what was there before it.
    return this.#placing.run(() => this.#correct(seq, by, actor, seen));
  }

  async #correct(seq: number, by: HedgeCorrection, actor: string, seen?: HedgeEntry): Promise<void> {
    const { journal, now } = this.#parts;
    const hedge = await journal.read.hedge(seq);
    if (hedge === null) throw new DeskError('unknown_hedge', `Row ${seq} of the journal opened no hedge.`);
    const written = await journal.read.hedgeSteps(seq);
    const steps = written.map(({ step }) => step);
    expectEntrySeen(hedge, written, seen);
    await this.log.restate(seq, venueOf(hedge.opened.way.mode).correct(hedge, steps, by, now()), actor);
  }

  /** Throws DeskError `promised`, `promised_unconfirmed` where quotes and other hedges promise what it takes. */
  #holdFor(opened: HedgeOpened): () => void {
    const { chainId, src, automatic, acceptsPromises } = opened;
    const most = mostTaken(this.#parts, opened, venueOf(opened.way.mode));
    const question = acceptsPromises === true ? null : questionOfPromises(this.#parts, opened, most);
    if (question !== null && automatic) throw new DeskError('promised', question);
    if (question !== null) {
      throw new DeskError('promised_unconfirmed', question, {
        remedy: 'Hedge less, wait until those quotes are over, or say that you want it all the same.',
      });
    }
    return this.#parts.guard.orders.of(chainId).hedges.hold(src.address, most ?? 0n);
  }

  /** Books what blocks took of an order whose hedge has ended. Throws DeskError of the node. */
  async #bookLate(hedge: HedgeRecord, blocks: { from: number; to: number }): Promise<void> {
    const { filledLate = null } = knownVenue(hedge.opened.way.mode) ?? {};
    if (filledLate === null) return;
    const parts = this.#parts;
    const steps = (await parts.journal.read.hedgeSteps(hedge.seq)).map(({ step }) => step);
    const step = await filledLate({ parts, node: this.node, signal: this.#ending.signal, hedge, steps, blocks });
    if (step === null) return;
    parts.log.warn('an order was filled after its hedge had ended', { seq: hedge.seq });
    await this.log.restate(hedge.seq, step);
  }

  async #tellTakes(hedge: HedgeRecord, block: number | null): Promise<void> {
    if (isEnded(hedge)) return this.#outliving.ended(hedge);
    this.#outliving.runsAgain(hedge.seq);
    // Also of a venue that this desk does not have: what it signed may be taken.
    const venue = knownVenue(hedge.opened.way.mode);
    await tellWhatHedgeTakes(this.#parts, this.log, hedge, venue, block).catch((error: unknown) =>
      this.#parts.log.warn('what a hedge takes is not known', { seq: hedge.seq, error: sentenceOf(error) }),
    );
  }

  /** How far it may be off the reference. Throws DeskError `no_reference` for what no person places, `off_reference_unconfirmed`. */
  async #nearReference(
    draft: HedgeOpened,
    wish: HedgeWish,
  ): Promise<Pick<HedgeOpened, 'maxDistanceBps' | 'referenceMid'>> {
    const parts = this.#parts;
    const found = pairOfHedge(parts, draft);
    if (found === null) {
      if (draft.automatic) throw new DeskError('no_reference', 'Without a listed pair there is no reference for it.');
      return {};
    }
    const { chainId } = draft;
    const mostBps = await distanceOf(parts, chainId, found.pair.id);
    if (draft.automatic) return { maxDistanceBps: mostBps, referenceMid: freshMid(parts, chainId, found.pair.id) };
    if (wish.acceptDistance === true || !hasReference(chainOf(parts, chainId).config, found.pair.id)) return {};
    const shown = wish.shown === undefined ? null : BigInt(wish.shown);
    const question = questionOfDistance(parts, draft, venueOf(draft.way.mode).limitOf(draft) ?? shown, mostBps);
    if (question === null) return { maxDistanceBps: mostBps };
    throw new DeskError('off_reference_unconfirmed', question, { remedy: 'Say that you want it all the same.' });
  }

  /** Ends a hedge of which nothing is signed, or asks the service to cancel its order. Throws DeskError, ServiceFault. */
  async cancel(seq: number, actor: string): Promise<void> {
    const hedge = this.log.running(seq);
    if (!isCancellable(hedge)) {
      throw new DeskError('not_cancellable', 'This hedge is signed and on its way: it cannot be called back.');
    }
    if (!isNothingSigned(hedge)) return venueOf(hedge.opened.way.mode).cancel(this.#runOf(seq), actor);
    this.#givenUp.set(seq, `${actor} gave it up before anything of it was signed.`);
    for (let look = 0; look < GIVE_UP_LOOKS && this.log.isRunning(seq); look += 1) {
      const { pending, note } = this.log.running(seq);
      // Once more where a step that was on its way took these words off.
      if (pending !== null && (look === 0 || note === null)) {
        await this.log.wait(seq, `${actor} gave it up: it ends once its allowance is mined.`);
      }
      await pause(GIVE_UP_LOOK_MS);
      if (this.log.isRunning(seq) && !isCancellable(this.log.running(seq))) {
        throw new DeskError('not_cancellable', 'It was signed a moment before: it cannot be called back.');
      }
    }
  }

  /**
   * Has the venues cancel every order of a chain that may be. One that is not signed yet is not any more, and is told by its hedge; one
   * that is, and is on its way to the service or not handed over yet, is told by its hash: it is not handed over any more, and cancelled
   * where the service has it.
   * Throws DeskError `unknown_chain`, `no_service`.
   */
  async cancelIntents(asked: { chainId: number; dryRun: boolean; actor: string }): Promise<CancelledIntents[]> {
    const asking = { parts: this.#orderParts, node: this.node, log: this.log, ...asked };
    const { chainId, dryRun, actor } = asked;
    const outcome = dryRun ? ('dry_run' as const) : ('asked' as const);
    const kept: CancelledIntents[] = [];
    for (const hedge of this.log.all()) {
      const { seq, opened, state, orderHash, cancel } = hedge;
      if (opened.chainId !== chainId || knownVenue(opened.way.mode)?.cancelAll == null) continue;
      if (state === 'signed' && orderHash !== null) {
        const about = { chainId, orderIds: [orderHash] };
        try {
          if (!dryRun && cancel === 'no') await this.log.step(seq, { step: 'cancel_wanted' }, actor);
          kept.push({ ...about, outcome, reason: null });
        } catch (error) {
          // It keeps no other from being cancelled; one that has ended meanwhile is none any more.
          if (this.log.isRunning(seq)) kept.push({ ...about, outcome: 'failed', reason: sentenceOf(error) });
        }
      } else if (isNothingSigned(hedge)) {
        if (!dryRun) this.#givenUp.set(seq, `${actor} had every intent cancelled before it was signed.`);
        const reason = `Hedge ${seq} is not signed yet, and ${dryRun ? 'would not be' : 'is not'} any more.`;
        kept.push({ chainId, orderIds: [], outcome, reason });
      }
    }
    const cancelled = await Promise.all(VENUES.map(({ cancelAll }) => cancelAll?.(asking) ?? []));
    return [...kept, ...cancelled.flat()];
  }

  /** Every hedge that may still move something: those that run, and those that have ended while what they signed is good. */
  async underWay(): Promise<HedgeRecord[]> {
    await this.#outliving.caughtUp();
    return [...this.log.all(), ...this.#outliving.unsettled()];
  }

  /** Lets a hedge go on that is held because the desk is halted. Throws DeskError `fleet_alone`, `halted`, `halted_unconfirmed`. */
  async send(seq: number, confirmed: boolean, actor: string): Promise<void> {
    const parts = this.#parts;
    const { opened } = this.log.running(seq);
    await checkHalted(parts, opened, confirmed);
    const underWay = (await this.underWay()).filter((hedge) => hedge.seq !== seq);
    const question = isHalted(parts, opened.chainId)
      ? await questionOfCover(parts, opened, { chosen: [], underWay })
      : null;
    if (question !== null) {
      throw new DeskError('halted', `The desk is halted. ${question.sentence}`, {
        remedy: 'Wait until that is over, or resume the desk.',
      });
    }
    await this.log.step(seq, { step: 'confirmed' }, actor);
  }

  /**
   * Ends a hedge of which something is signed and nobody can tell what becomes of it. What it moved as far as the chains confirm it
   * stays booked; a signature stays good until its deadline. Throws DeskError `hedge_ended`, `cannot_give_up`.
   */
  async giveUp(seq: number, reason: string, actor: string): Promise<void> {
    if (!canGiveUp(this.log.running(seq))) {
      throw new DeskError(
        'cannot_give_up',
        'Nothing of this hedge is in doubt: it is followed to its end, or cancelled.',
      );
    }
    await this.log.giveUp(seq, reason, actor);
  }

  /** Takes a person's word for which transaction the owner of the maker sent, once the chain shows it. Throws DeskError `not_mined`, `not_this_hedge`. */
  async sentBy(seq: number, hash: Hex, actor: string): Promise<void> {
    const { opened } = this.log.running(seq);
    await venueOf(opened.way.mode).bookTransaction(this.#runOf(seq), hash, actor);
  }

  /** A chain of the book as hedging talks to it; another address of its node is another connection. */
  readonly node = (chainId: number): HedgeNode => {
    const rpcUrl = this.#parts.book.seals.whole(chainOf(this.#parts, chainId).config.rpcUrl);
    const known = this.#nodes.get(chainId);
    if (known?.node.rpcUrl === rpcUrl) return known;
    known?.node.close();
    const opened = openHedgeNode(rpcUrl, chainId);
    this.#nodes.set(chainId, opened);
    return opened;
  };

  #runOf(seq: number): VenueRun {
    return { parts: this.#orderParts, log: this.log, seq, node: this.node };
  }

  #launch(seq: number, fresh: boolean): Promise<void> {
    const run: HedgeRun = {
      ...this.#runOf(seq),
      outliving: this.#outliving,
      planned: this.#planned,
      signal: this.#ending.signal,
      pollMs: this.#pollMs,
      lookMs: this.#lookMs,
      givenUp: () => this.#givenUp.get(seq) ?? null,
      letPass: () => {},
    };
    const work = carryOut(run, this.#queue, fresh)
      .catch((error: unknown) => this.#parts.log.warn('a hedge stopped', { seq, error: sentenceOf(error) }))
      .finally(() => {
        this.#under.delete(work);
        this.#givenUp.delete(seq);
        this.#planned.delete(seq);
      });
    this.#under.add(work);
    return work;
  }
}
