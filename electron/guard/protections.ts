import type { Book } from '../book/book.ts';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import {
  frozenText,
  type Protection,
  type ProtectionRow,
  type Subject,
  stands,
  type Trip,
  tripText,
} from '../contract/protections.ts';
import type { Journal } from '../journal/journal.ts';
import { foldTrip, subjectKey } from '../journal/protections/fold.ts';
import type { FilledPage, FilledRow, Read, ResetUpTo, SignedPage, SignedRow } from '../journal/protections/slice.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { PairClosure } from './chain-guard.ts';
import {
  type Counted,
  type CountedNow,
  FORGET_MS,
  PEAK_MS,
  ProtectionWindows,
  type Use,
  wordOf,
} from './protection-windows.ts';
import { dollarAmount, dollarRate } from './rule-dollars.ts';
import { SeenFills } from './seen-fills.ts';
import type { Trading } from './trading.ts';

/** Trips of one rule that stand at once; what would be one more is refused all the same, and frozen by none. */
const MOST_STANDING = 100;
/** Rows of the journal that are read at once. */
const PAGE = 5_000;

interface ProtectionParts {
  journal: Pick<Journal, 'append' | 'read' | 'onAppended' | 'head'>;
  book: Pick<Book, 'chain' | 'chains' | 'desk' | 'onChange' | 'references'>;
  trading: Trading;
  /** Unix milliseconds. */
  now: () => number;
  /** Whether the clock of some chain and ours agree at this moment. */
  clockAgrees: () => boolean;
}

/** A fill, and when its next mark comes, Unix milliseconds; null after the last. */
interface FilledNow extends CountedNow {
  nextAt: number | null;
}

/** So long after a mark its reference is in the journal, milliseconds. */
const MARK_WRITTEN_MS = 2_000;
/** Fills whose marks are read at once. */
const MARKS_AT_ONCE = 500;

/**
 * What may be signed and filled in a time, by the rules of the desk file, and what is frozen where that would have been passed, or
 * was reached. It is asked and counts in the tick in which an order is signed, so that no two orders take the same room; a fill counts
 * from when its row is durable, and one that was taken back counts no more once that row is. Its clock never goes back, and goes on
 * only where a chain is open, which says that the clocks of chain and desk agree.
 */
export class Protections {
  readonly #parts: ProtectionParts;
  #rules: readonly ProtectionWindows[] = [];
  /** What the rules were made of. */
  #madeOf: { protections: readonly Protection[] | null; words: string } = { protections: [], words: '' };
  /** Those of the rules that could not be remade. */
  #unfilled: ReadonlySet<ProtectionWindows> = new Set();
  /** By rule and subject. */
  readonly #standing = new Map<string, Trip>();
  readonly #flying = new Map<string, CountedNow>();
  /** Fills that are in a window, by their rows. */
  readonly #filled = new Map<number, FilledNow>();
  /** Marks are being read. */
  #marking = false;
  readonly #fills: SeenFills;
  /** The latest time of a fill, Unix milliseconds: never less than one before. */
  #lastFill = 0;
  /** The latest time that was believed, Unix milliseconds. */
  #clock = 0;
  #forgottenAt = 0;
  readonly #off: () => void;

  private constructor(parts: ProtectionParts) {
    this.#parts = parts;
    this.#off = parts.book.onChange(() => this.#follow());
    this.#fills = new SeenFills({
      journal: parts.journal,
      now: () => this.#clock,
      wanted: () => this.#rules.some(isOfFills),
      onFills: (fills) => this.#onFills(fills),
      onTakenBack: (fillSeq) => this.#onTakenBack(fillSeq),
      onLost: (error) => this.#onFillsLost(error),
    });
  }

  /** Takes up the trips that stand, and what was signed in each window that has not ended. What cannot be read halts the desk. */
  static async open(parts: ProtectionParts): Promise<Protections> {
    const protections = new Protections(parts);
    try {
      // Also those that ended in the last day: a clock that is ahead for a while ends none.
      const { rows, unread } = await parts.journal.read.standingTrips(await protections.#since());
      for (const trip of rows) protections.#standing.set(keyOf(trip.rule.name, trip), trip);
      if (unread.length > 0) void parts.trading.halt({}, { actor: 'desk', cause: unreadTrips(unread) });
    } catch (error) {
      parts.trading.failed({}, error);
    }
    await protections.#follow();
    return protections;
  }

  /**
   * Why a quote must not be signed now, or null; whoever is told null counts it in the same tick. One that would pass a limit with what
   * is signed trips that rule; one that is over it alone trips none, for nothing of it can ever be signed. To be asked last, where
   * nothing else speaks against it.
   */
  refusal(counted: Counted): 'protection_limit' | 'protection_tripped' | 'protection_unpriced' | 'starting' | null {
    if (this.#madeOf.protections === null) return 'protection_tripped';
    if (this.#rules.length === 0) return null;
    this.#clock = Math.max(this.#clock, this.#parts.now());
    const at = this.#clock;
    const rules = this.#rules.filter((windows) => windows.holdsOn(counted.chainId));
    if (rules.some(({ filling, unmarked }) => filling || unmarked)) return 'starting';
    if (rules.some((windows) => this.#tripOf(windows.rule.name, windows.subjectOf(counted), at) !== null)) {
      return 'protection_tripped';
    }
    const [ofFilled, ofSigned] = [rules.filter(isOfFills), rules.filter((windows) => !isOfFills(windows))];
    // What slid out of a window may have been against what is left in it.
    const full = ofFilled.filter((windows) => this.#tripIfFull(windows, windows.subjectOf(counted)));
    if (full.length > 0) return 'protection_tripped';
    const isUnpriced = (windows: ProtectionWindows) =>
      (windows.rule.usd !== undefined && counted.dollars === null) || windows.isUnpriced(windows.subjectOf(counted));
    if (rules.some(isUnpriced)) return 'protection_unpriced';
    if (ofSigned.some((windows) => (windows.amountOf(counted) ?? 0n) > windows.limit)) return 'protection_limit';
    let refused = false;
    for (const windows of ofSigned) {
      const amount = windows.amountOf(counted) ?? 0n;
      if (amount === 0n) continue;
      const subject = windows.subjectOf(counted);
      const used = windows.usedBeside(subject, counted, at);
      if (used + amount <= windows.limit) continue;
      this.#trip(windows, subject, { used, asked: amount }, at);
      refused = true;
    }
    return refused ? 'protection_tripped' : null;
  }

  /** Dollars a quote token of a pair now; null where no rule asks for it, or nothing fresh says it. */
  dollarRate(chain: ChainBook, pair: BookPair): string | null {
    return this.#inDollars(chain.chainId).length === 0 ? null : this.#rateOf(chain, pair);
  }

  /** Counts an admitted quote from now on. */
  count(orderHash: string, counted: Counted): void {
    const rules = this.#rules.filter((windows) => windows.holdsOn(counted.chainId) && !isOfFills(windows));
    const flying: CountedNow = { counted, at: Math.max(this.#clock, this.#parts.now()), parts: [] };
    for (const windows of rules) addTo(windows, flying, { at: flying.at, by: flying.at });
    this.#flying.set(orderHash, flying);
  }

  /** The row of a quote is durable. */
  written(orderHash: string): void {
    this.#flying.delete(orderHash);
  }

  /** A quote that was counted was never signed, or is in no journal: it counts no more. */
  unsigned(orderHash: string): void {
    const flying = this.#flying.get(orderHash);
    if (flying === undefined) return;
    this.#flying.delete(orderHash);
    for (const { window, at, amount } of flying.parts) window.takeBack(at, amount);
  }

  /** Why nothing of a chain is signed, for a person: a trip of the desk; null where none stands. */
  chainFault(chainId: number): string | null {
    if (this.#madeOf.protections === null) return 'The protections of the desk cannot be read from the journal.';
    const trip = this.#tripHere('desk', chainId, { chainId: null, who: '' });
    return trip === null ? null : sentenceOf(trip);
  }

  /** Why nothing of a pair is signed, for a person: a trip of it, or a rule in dollars that cannot be told; null where neither is. */
  pairFault(chain: ChainBook, pair: BookPair): Pick<PairClosure, 'code' | 'sentence'> | null {
    const { chainId } = chain;
    const subject = { chainId, who: pair.id };
    const trip = this.#tripHere('pair', chainId, subject);
    if (trip !== null) return { code: 'protection_tripped', sentence: sentenceOf(trip) };
    const inDollars = this.#inDollars(chainId);
    const [first] = inDollars;
    if (first === undefined) return null;
    const unpriced = (rule: string, what: string) => ({
      code: 'protection_unpriced' as const,
      sentence: `Protection ${rule} counts US dollars, and no fresh reference says what ${what}: give the pair a reference in a dollar token, or wait for it.`,
    });
    if (this.#rateOf(chain, pair) === null) return unpriced(first.rule.name, `${pair.definition.quote} is worth`);
    const waiting = inDollars.find(
      (windows) =>
        (windows.rule.per === 'pair' && windows.isUnpriced(subject)) ||
        (windows.rule.per === 'desk' && windows.isUnpriced()),
    );
    return waiting === undefined ? null : unpriced(waiting.rule.name, `was ${waiting.rule.counts} before comes to`);
  }

  /** The trips that stand, in the order of their rules. */
  standing(): Trip[] {
    const at = this.#time();
    return this.#rules.flatMap(({ rule }) =>
      // One of a rule that was kept for something else then freezes nothing.
      [...this.#standing.values()].filter(
        (trip) => trip.rule.name === rule.name && trip.rule.per === rule.per && stands(trip, at),
      ),
    );
  }

  /** Each rule with its use now and the peak of the last 24 hours. */
  async rows(): Promise<ProtectionRow[]> {
    const last = new Map((await this.#parts.journal.read.lastTrips()).map((trip) => [trip.rule.name, trip]));
    const [at, standing] = [this.#time(), this.standing()];
    return this.#rules.map((windows) => ({
      rule: windows.rule,
      decimals: windows.decimals,
      limit: boundedAmount(windows.limit),
      filling: windows.filling || windows.unmarked,
      unpriced: windows.isUnpriced(),
      now: useRow(windows.fullest(at)),
      peak: useRow(windows.peak(at)),
      standing: standing.filter(({ rule }) => rule.name === windows.rule.name),
      last: last.get(windows.rule.name) ?? null,
    }));
  }

  /**
   * Ends the trips of a rule that stand, or the one of a subject: what was counted for them until now counts no more. A desk that
   * was halted by it stays halted. Resolves once that is durable and in force. Throws DeskError `unknown_protection`, `not_tripped`.
   */
  async reset(
    { rule, subject }: { rule: string; subject?: Subject | undefined },
    { actor, reason }: { actor: string; reason: string },
  ): Promise<Trip[]> {
    const { journal, now, trading } = this.#parts;
    if (!this.#rules.some((windows) => windows.rule.name === rule)) {
      throw new DeskError('unknown_protection', `This desk has no protection called ${rule}.`, {
        remedy: 'See which there are: makerdesk protections.',
      });
    }
    const asked = this.standing().filter(
      (trip) => trip.rule.name === rule && (subject === undefined || subjectKey(trip) === subjectKey(subject)),
    );
    if (asked.length === 0) {
      throw new DeskError('not_tripped', `Nothing is frozen by ${rule}${subject === undefined ? '' : ' there'}.`);
    }
    for (const trip of asked) {
      const { chainId, who } = trip;
      const event = { time: now(), actor, kind: 'protection_reset', body: { rule, chainId, who, reason } } as const;
      const seq = await journal.append(event);
      const key = keyOf(rule, trip);
      if (this.#standing.get(key) !== trip) continue; // it ended, and tripped again, meanwhile
      this.#standing.delete(key);
      for (const windows of this.#rules) if (windows.rule.name === rule) this.#clear(windows, trip, seq);
      trading.tell(chainId);
    }
    return asked;
  }

  /** What was counted for a subject up to a row of the journal counts no more. */
  #clear(windows: ProtectionWindows, subject: Subject, upTo: number): void {
    windows.clear(subject);
    if (!isOfFills(windows)) return;
    for (const [seq, filled] of this.#filled) {
      if (seq <= upTo || !windows.holdsOn(filled.counted.chainId)) continue;
      const isOfIt = subjectKey(windows.subjectOf(filled.counted)) === subjectKey(subject);
      if (isOfIt) addTo(windows, filled, { at: filled.at, by: this.#clock });
    }
  }

  /** What time brings: empty windows are forgotten, and those that could not be remade are tried again once the desk was resumed. */
  tick(): void {
    if (this.#unfilled.size > 0 && this.#parts.trading.said({})?.state !== 'HALTED') void this.#follow();
    if (this.#rules.some((windows) => isOfFills(windows) || windows.isUnpriced())) {
      this.#believe();
      this.#priceWaiting();
      void this.#readMarks();
      // A pair or a desk has prices, which end with what fills it.
      for (const windows of this.#rules) {
        const { per } = windows.rule;
        if (windows.filling || !isOfFills(windows) || (per !== 'pair' && per !== 'desk')) continue;
        for (const subject of windows.full(this.#clock)) this.#tripIfFull(windows, subject);
      }
    }
    if (this.#clock - this.#forgottenAt < FORGET_MS) return;
    this.#forgottenAt = this.#clock;
    for (const windows of this.#rules) if (!windows.filling) windows.forget(this.#clock);
    for (const [key, trip] of this.#standing) if (!stands(trip, this.#clock)) this.#standing.delete(key);
    const longest = Math.max(0, ...this.#rules.filter(isOfFills).map(({ rule }) => rule.windowSeconds * 1_000));
    for (const [seq, { at }] of this.#filled) if (this.#clock - at >= longest) this.#filled.delete(seq);
  }

  close(): void {
    this.#off();
  }

  /** Lets the clock go on where a chain says the same time. */
  #believe(): void {
    if (this.#parts.clockAgrees()) this.#clock = Math.max(this.#clock, this.#parts.now());
  }

  #inDollars(chainId: number): ProtectionWindows[] {
    return this.#rules.filter(({ rule }) => rule.usd !== undefined && (rule.chains?.includes(chainId) ?? true));
  }

  #rateOf(chain: ChainBook, pair: BookPair): string | null {
    return dollarRate(chain, pair, { references: this.#parts.book.references, now: this.#parts.now() });
  }

  /** A quote or a fill as rules count it: in dollars by the rate in its row, or where that has none by the one of now. */
  #countedOf({ makerAmount, takerAmount, dollarRate: known, ...row }: SignedRow | FilledRow): Counted {
    const counted = {
      ...row,
      makerAmount: BigInt(makerAmount),
      takerAmount: BigInt(takerAmount),
      dollars: null,
      gain: null,
    };
    const inDollars = this.#inDollars(row.chainId).length > 0;
    if (!inDollars) return counted;
    const gain = 'worth' in row && row.worth.gain !== null ? BigInt(row.worth.gain) : null;
    return { ...counted, dollars: this.#dollarsOf(counted, known), gain };
  }

  /** Null where nothing says it. */
  #dollarsOf(
    { chainId, pair: id, makerAsset, makerAmount, takerAmount }: Counted,
    known: string | null,
  ): bigint | null {
    const chain = this.#parts.book.chain(chainId);
    const pair = chain?.pairs.get(id);
    if (chain === undefined || pair === undefined) return null;
    const rate = known ?? this.#rateOf(chain, pair);
    if (rate === null) return null;
    const { address, decimals } = pair.quote;
    return dollarAmount({ amount: makerAsset === address ? makerAmount : takerAmount, decimals, rate });
  }

  /** Counts what had no price until now, from now on. */
  #priceWaiting(): void {
    for (const windows of this.#rules) {
      if (windows.filling || !windows.isUnpriced() || windows.rule.counts === 'lost') continue;
      for (const one of windows.unpriced(this.#clock)) {
        const dollars = this.#dollarsOf(one.counted, null);
        if (dollars === null) continue;
        windows.waitNoMore(one);
        const at = isOfFills(windows) ? this.#nextFill(0) : this.#clock;
        addTo(windows, one, { at, by: this.#clock, counted: { ...one.counted, dollars } });
        if (isOfFills(windows)) this.#tripIfFull(windows, windows.subjectOf(one.counted));
      }
    }
  }

  /** Reads what fills came to by the marks that have come since. */
  async #readMarks(): Promise<void> {
    const ofLosses = this.#rules.filter(({ rule }) => rule.counts === 'lost');
    if (this.#marking || (this.#dueMarks().length === 0 && !ofLosses.some(({ unmarked }) => unmarked))) return;
    this.#marking = true;
    try {
      await this.#fills.inTurn(async () => {
        for (let due = this.#dueMarks(); due.length > 0; due = this.#dueMarks()) {
          const { rows } = await this.#parts.journal.read.filledRows(due.slice(0, MARKS_AT_ONCE), this.#clock);
          const read = new Map(rows.map((row) => [row.seq, row]));
          for (const seq of due.slice(0, MARKS_AT_ONCE)) this.#onMarked(seq, read.get(seq));
        }
        if (this.#parts.clockAgrees())
          for (const windows of this.#rules) if (!windows.filling) windows.unmarked = false;
      });
    } catch (error) {
      this.#onFillsLost(error);
    } finally {
      this.#marking = false;
    }
  }

  /** Fills that have a mark which is in the journal by now. */
  #dueMarks(): number[] {
    if (!this.#rules.some(({ rule }) => rule.counts === 'lost')) return [];
    return [...this.#filled].flatMap(([seq, { nextAt }]) =>
      nextAt !== null && nextAt + MARK_WRITTEN_MS <= this.#clock ? [seq] : [],
    );
  }

  #onMarked(seq: number, row: FilledRow | undefined): void {
    const filled = this.#filled.get(seq);
    if (filled === undefined) return;
    // One that cannot be read any more stays at what it came to.
    filled.nextAt = row === undefined ? null : row.worth.nextAt;
    if (row === undefined) return;
    const counted = this.#countedOf(row);
    if (counted.gain === null) return;
    for (const [index, part] of filled.parts.entries()) {
      if (part.of.rule.counts === 'lost') filled.parts[index] = part.of.restate(part, counted);
    }
    for (const windows of this.#rules) {
      if (windows.rule.counts !== 'lost' || windows.filling || !windows.holdsOn(row.chainId)) continue;
      const subject = windows.subjectOf(counted);
      if (windows.waitNoMore(filled))
        addTo(windows, filled, { at: this.#nextFill(row.time), by: this.#clock, counted });
      windows.seen(subject, this.#clock);
      this.#tripIfFull(windows, subject);
    }
  }

  /** From when on a fill counts that is seen now: never before one that was. */
  #nextFill(time: number): number {
    this.#lastFill = Math.max(this.#clock, this.#lastFill, time);
    return this.#lastFill;
  }

  #onFills({ rows, unread }: Read<FilledRow>): void {
    this.#believe();
    for (const row of rows) {
      const { nextAt } = row.worth;
      const filled: FilledNow = { counted: this.#countedOf(row), at: this.#nextFill(row.time), parts: [], nextAt };
      for (const windows of this.#rules) {
        if (!isOfFills(windows) || windows.filling || row.seq <= windows.upTo || !windows.holdsOn(row.chainId))
          continue;
        addTo(windows, filled, { at: filled.at, by: this.#clock });
        this.#tripIfFull(windows, windows.subjectOf(filled.counted));
      }
      this.#filled.set(row.seq, filled);
    }
    if (unread.length > 0) void this.#parts.trading.halt({}, { actor: 'desk', cause: unreadFills(unread) });
  }

  /** It counts no more; what tripped by it stands until its time is over, for what is gone may come again. */
  #onTakenBack(fillSeq: number): void {
    const filled = this.#filled.get(fillSeq);
    if (filled === undefined) return;
    this.#filled.delete(fillSeq);
    this.#believe();
    for (const { window, at, amount } of filled.parts) window.takeBack(at, amount);
    for (const windows of this.#rules) windows.waitNoMore(filled);
    // Of a net rule it may have been what the others were held against.
    for (const windows of this.#rules) {
      if (isOfFills(windows) && !windows.filling) this.#tripIfFull(windows, windows.subjectOf(filled.counted));
    }
  }

  /** What is filled is not known: rules of it are remade once the desk was resumed. */
  #onFillsLost(error: unknown): void {
    const lost = this.#rules.filter(isOfFills);
    for (const windows of lost) windows.filling = true;
    this.#unfilled = new Set([...this.#unfilled, ...lost]);
    this.#parts.trading.failed({}, error);
  }

  /** Trips a rule of what is filled where its limit is reached; says whether it is. */
  #tripIfFull(windows: ProtectionWindows, subject: Subject): boolean {
    const used = windows.used(subject, this.#clock);
    if (used < windows.limit) return false;
    if (this.#tripOf(windows.rule.name, subject, this.#clock) === null) {
      this.#trip(windows, subject, { used, asked: 0n }, this.#clock);
    }
    return true;
  }

  /** The time by which something is told: never before one that was believed. */
  #time(): number {
    return Math.max(this.#clock, this.#parts.now());
  }

  #tripOf(rule: string, subject: Subject, at: number): Trip | null {
    if (this.#standing.size === 0) return null;
    const trip = this.#standing.get(keyOf(rule, subject));
    return trip !== undefined && stands(trip, at) ? trip : null;
  }

  #tripHere(per: Protection['per'], chainId: number, subject: Subject): Trip | null {
    if (this.#standing.size === 0) return null;
    const at = this.#time();
    for (const windows of this.#rules) {
      if (windows.rule.per !== per || !windows.holdsOn(chainId)) continue;
      const trip = this.#tripOf(windows.rule.name, subject, at);
      if (trip !== null) return trip;
    }
    return null;
  }

  /** In force at once, and then written. */
  #trip(
    windows: ProtectionWindows,
    subject: Subject,
    { used, asked }: { used: bigint; asked: bigint },
    at: number,
  ): void {
    const { journal, trading } = this.#parts;
    const { rule, decimals } = windows;
    const ofRule = [...this.#standing.values()].filter((trip) => trip.rule.name === rule.name && stands(trip, at));
    if (ofRule.length >= MOST_STANDING) return;
    const until = rule.freezeSeconds === 0 ? null : at + rule.freezeSeconds * 1_000;
    const body = { ...subject, rule, used: boundedAmount(used), asked: boundedAmount(asked), decimals, until };
    const event = { time: at, actor: 'desk', kind: 'protection_tripped', body } as const;
    const trip = foldTrip(undefined, event);
    if (trip === undefined) throw new Error('A protection tripped without a trip.');
    this.#standing.set(keyOf(rule.name, subject), trip);
    if (rule.per === 'desk' && until === null) {
      const by = { actor: 'desk', cause: sentenceOf(trip) };
      if (rule.chains === undefined) void trading.halt({}, by);
      else for (const chainId of rule.chains) void trading.halt({ chainId }, by);
    }
    journal.append(event).catch((error: unknown) => trading.failed({}, error));
    trading.tell(subject.chainId);
  }

  /** Takes up the rules as the book has them now. Those that stay the same keep what they counted. */
  async #follow(): Promise<void> {
    const { book, trading } = this.#parts;
    try {
      const { protections } = book.desk();
      const listed = book.chains();
      if (protections?.length === 0 && this.#rules.length === 0 && this.#madeOf.protections !== null) return;
      const words = (protections ?? []).map((rule) => wordOf(rule, listed));
      const made = words.join('\n');
      const unfilled = this.#unfilled;
      if (
        unfilled.size === 0 &&
        this.#madeOf.words === made &&
        (this.#madeOf.protections === null) === (protections === null)
      )
        return;
      this.#madeOf = { protections, words: made };
      this.#unfilled = new Set();
      const known = new Map(
        this.#rules.filter((windows) => !unfilled.has(windows)).map((windows) => [windows.word, windows]),
      );
      this.#rules = (protections ?? []).map(
        (rule, index) => known.get(words[index] ?? '') ?? new ProtectionWindows(rule, listed),
      );
      const fresh = this.#rules.filter((windows) => !known.has(windows.word));
      if (fresh.length > 0) {
        await this.#fills
          .inTurn(() => this.#fill(fresh))
          .catch((error: unknown) => {
            this.#unfilled = new Set([...this.#unfilled, ...fresh]);
            throw error;
          });
      }
      trading.tell(null);
    } catch (error) {
      trading.failed({}, error);
    }
  }

  /** Remakes windows from what the journal says was signed and filled. Until that is done nothing that they hold for is signed. */
  async #fill(fresh: readonly ProtectionWindows[]): Promise<void> {
    const { journal, trading } = this.#parts;
    const [ofFilled, ofSigned] = [fresh.filter(isOfFills), fresh.filter((windows) => !isOfFills(windows))];
    const since = await this.#since();
    const resets = new Map((await journal.read.resetsSince(since)).map((reset) => [keyOf(reset.rule, reset), reset]));
    const signed = await this.#fillSigned(ofSigned, since, resets);
    const filled = ofFilled.length === 0 ? [] : await this.#fillFilled(ofFilled, since, resets);
    for (const windows of fresh) windows.filling = false;
    // Whoever resumes the desk lets it sign without them.
    if (signed.length > 0) void trading.halt({}, { actor: 'desk', cause: unreadQuotes(signed) });
    if (filled.length > 0) void trading.halt({}, { actor: 'desk', cause: unreadFills(filled) });
  }

  /** Returns the rows that cannot be read. */
  async #fillSigned(fresh: readonly ProtectionWindows[], since: number, resets: Resets): Promise<number[]> {
    const { journal } = this.#parts;
    // What is signed and not in the journal yet; nothing is added to these rules meanwhile.
    const onTheirWay = new Map(this.#flying);
    const unread: number[] = [];
    let latest = 0;
    for (let after: number | null = 0; after !== null && fresh.length > 0; ) {
      const page: SignedPage = await journal.read.signedSince(since, after, PAGE);
      for (const row of page.rows) {
        latest = Math.max(latest, row.time);
        if (onTheirWay.has(row.orderHash)) continue;
        const past = { counted: this.#countedOf(row), at: latest, parts: [] };
        for (const windows of fresh)
          addPast(windows, past, { seq: row.seq, by: latest, counted: past.counted }, resets);
      }
      unread.push(...page.unread);
      after = page.last;
    }
    for (const [orderHash, flying] of onTheirWay) {
      const { chainId } = flying.counted;
      // One that was taken back meanwhile is in no journal.
      if (!this.#flying.has(orderHash) && (await journal.read.quoteByHash(chainId, orderHash)) === null) continue;
      latest = Math.max(latest, flying.at);
      for (const windows of fresh) {
        if (windows.holdsOn(chainId)) addTo(windows, flying, { at: latest, by: latest });
      }
    }
    this.#clock = Math.max(this.#clock, latest);
    return unread;
  }

  /** Returns the rows that cannot be read. No fill is told meanwhile. */
  async #fillFilled(fresh: readonly ProtectionWindows[], since: number, resets: Resets): Promise<number[]> {
    const { journal } = this.#parts;
    const upTo = journal.head().seq;
    // A quote was signed then, so that this time is past whatever the clock says now.
    const now = Math.max(this.#clock, (await journal.read.lastSignedAt()) ?? 0);
    let isOnItsWay = false;
    const unread: number[] = [];
    let latest = 0;
    for (let after: number | null = 0; after !== null; ) {
      const page: FilledPage = await journal.read.filledSince({ since, now }, { after, upTo }, PAGE);
      for (const row of page.rows) {
        latest = Math.max(latest, this.#filled.get(row.seq)?.at ?? row.time);
        // That a quote was signed then says that the clock was right, which a fill does not.
        this.#clock = Math.max(this.#clock, row.signedAt);
        if (row.isTakenBack) continue;
        const { nextAt } = row.worth;
        const counted = this.#countedOf(row);
        const past: FilledNow = this.#filled.get(row.seq) ?? { counted, at: latest, parts: [], nextAt };
        past.nextAt = nextAt;
        isOnItsWay ||= nextAt !== null;
        this.#filled.set(row.seq, past);
        for (const windows of fresh) addPast(windows, past, { seq: row.seq, by: row.signedAt, counted }, resets);
      }
      unread.push(...page.unread);
      after = page.last;
    }
    this.#lastFill = Math.max(this.#lastFill, latest);
    for (const windows of fresh) {
      windows.upTo = upTo;
      windows.unmarked = windows.rule.counts === 'lost' && isOnItsWay;
    }
    return unread;
  }

  /** From when on windows and trips are taken up: a day before the last quote or fill, so that a clock that is ahead leaves none out. */
  async #since(): Promise<number> {
    const { read } = this.#parts.journal;
    const lasts = await Promise.all([read.lastSignedAt(), read.lastFilledAt()]);
    return Math.min(this.#parts.now(), ...lasts.map((at) => at ?? Number.POSITIVE_INFINITY)) - PEAK_MS;
  }
}

/** What a rule says tripped, and what is frozen by it. */
function sentenceOf(trip: Trip): string {
  return `Protection ${trip.rule.name}: ${tripText(trip)} ${frozenText(trip)}`;
}

function unreadTrips(rows: readonly number[]): string {
  return `What protections froze in ${rowsText(rows)} of the journal cannot be read from its table, and is free once the desk is resumed: stop it and run "makerdesk rebuild" before.`;
}

function unreadQuotes(rows: readonly number[]): string {
  return `What was signed in ${rowsText(rows)} of the journal cannot be read, and no protection counts it once the desk is resumed: run "makerdesk verify" before.`;
}

function unreadFills(rows: readonly number[]): string {
  return `What was filled in ${rowsText(rows)} of the journal cannot be read, and no protection counts it once the desk is resumed: run "makerdesk verify" before.`;
}

function rowsText([first, ...others]: readonly number[]): string {
  return others.length === 0 ? `row ${first}` : `${others.length + 1} rows, the first of them ${first},`;
}

/** Counts something from the time `at` on; its window is told as it is at the time `by`. */
function addTo(
  windows: ProtectionWindows,
  one: CountedNow,
  { at, by, counted = one.counted }: { at: number; by: number; counted?: Counted },
): void {
  const amount = windows.amountOf(counted);
  if (amount === null) {
    windows.waitForPrice(one);
    return;
  }
  const subject = windows.subjectOf(counted);
  const part = windows.add(subject, counted, at);
  if (part === null) return;
  windows.seen(subject, by);
  one.parts.push(part);
}

type Resets = ReadonlyMap<string, ResetUpTo>;

function addPast(
  windows: ProtectionWindows,
  past: CountedNow,
  { seq, by, counted }: { seq: number; by: number; counted: Counted },
  resets: Resets,
): void {
  if (!windows.holdsOn(past.counted.chainId)) return;
  const subject = windows.subjectOf(past.counted);
  if (seq > (resets.get(keyOf(windows.rule.name, subject))?.seq ?? 0)) {
    addTo(windows, past, { at: past.at, by, counted });
  }
}

function isOfFills({ rule }: ProtectionWindows): boolean {
  return rule.counts !== 'signed';
}

function useRow(use: Use | null): ProtectionRow['now'] {
  return use === null ? null : { chainId: use.chainId, who: use.who, used: boundedAmount(use.used), at: use.at };
}

function keyOf(rule: string, subject: Subject): string {
  return `${rule}\n${subjectKey(subject)}`;
}
