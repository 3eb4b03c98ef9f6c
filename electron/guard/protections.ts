import type { Book } from '../book/book.ts';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import {
  frozenText,
  type NearLimit,
  type Protection,
  type ProtectionRow,
  type Subject,
  type Trip,
  tripText,
} from '../contract/protections.ts';
import type { Journal } from '../journal/journal.ts';
import type { FilledRow, FillWorth, SignedRow } from '../journal/protections/counted-rows.ts';
import { subjectKey } from '../journal/protections/fold.ts';
import type { FilledPage, Read, ResetUpTo, SignedPage } from '../journal/protections/slice.ts';
import type { Address } from '../protocol/address.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Token } from '../protocol/wire.ts';
import type { PairClosure } from './chain-guard.ts';
import {
  addTo,
  type FilledNow,
  isOfFills,
  keyOf,
  type NewFill,
  ProtectionRules,
  type RuleRefusal,
  type TripEvent,
  takeBack,
} from './protection-trips.ts';
import { type Counted, type CountedNow, PEAK_MS, ProtectionWindows, type Use, wordOf } from './protection-windows.ts';
import { dollarAmount, dollarsPer } from './rule-dollars.ts';
import { SeenFills } from './seen-fills.ts';
import type { Trading } from './trading.ts';

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

/** Fills that are read at once for their marks. */
const FILLS_AT_ONCE = 500;
/** More than this is not told of a window. */
const MOST_PERCENT = 10_000;

/**
 * What may be signed and filled in a time, by the rules of the desk file, and what is frozen where that would have been passed, or
 * was reached. It is asked and counts in the tick in which an order is signed, so that no two orders take the same room; a fill counts
 * from when its row is durable, and one that was taken back counts no more once that row is. Its clock never goes back, and goes on
 * only where a chain is open, which says that the clocks of chain and desk agree.
 */
export class Protections {
  readonly #parts: ProtectionParts;
  readonly #rules: ProtectionRules;
  /** What the rules were made of. */
  #madeOf: { protections: readonly Protection[] | null; words: string } = { protections: [], words: '' };
  /** Those of the rules that could not be remade. */
  #unfilled: ReadonlySet<ProtectionWindows> = new Set();
  readonly #flying = new Map<string, CountedNow>();
  /** Marks are being read. */
  #marking = false;
  readonly #fills: SeenFills;
  readonly #off: () => void;

  private constructor(parts: ProtectionParts) {
    this.#parts = parts;
    this.#rules = new ProtectionRules((event, trip) => this.#onTrip(event, trip));
    this.#off = parts.book.onChange(() => this.#follow());
    this.#fills = new SeenFills({
      journal: parts.journal,
      now: () => this.#rules.clock,
      wanted: () => this.#rules.all.some(isOfFills),
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
      for (const trip of rows) protections.#rules.keep(trip);
      if (unread.length > 0) void parts.trading.halt({}, { actor: 'desk', cause: unreadTrips(unread) });
    } catch (error) {
      parts.trading.failed({}, error);
    }
    await protections.#follow();
    return protections;
  }

  /** Why a quote must not be signed now, or null, as the rules say it. To be asked last, where nothing else speaks against it. */
  refusal(counted: Counted): RuleRefusal | null {
    if (this.#madeOf.protections === null) return 'protection_tripped';
    if (this.#rules.all.length === 0) return null;
    return this.#rules.refusal(counted, this.#parts.now());
  }

  /** Dollars a quote token of a pair now; null where no rule asks for it, or nothing fresh says it. */
  dollarRate(chain: ChainBook, pair: BookPair): string | null {
    return this.#inDollars(chain.chainId).length === 0 ? null : this.#rateOf(chain, pair.quote);
  }

  /** Counts an admitted quote from now on. */
  count(orderHash: string, counted: Counted): void {
    this.#flying.set(orderHash, this.#rules.count(counted, this.#parts.now()));
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
    takeBack(flying);
  }

  /** Why nothing of a chain is signed, for a person: a trip of the desk; null where none stands. */
  chainFault(chainId: number): string | null {
    if (this.#madeOf.protections === null) return 'The protections of the desk cannot be read from the journal.';
    const trip = this.#tripHere('desk', chainId, { chainId: null, who: '' });
    return trip === null ? null : sentenceOf(trip);
  }

  /** Whether what a rule counts that holds on a chain is not read yet: nothing of the chain is signed until then. */
  isStarting(chainId: number): boolean {
    return this.#rules.all.some((windows) => (windows.filling || windows.unmarked) && windows.holdsOn(chainId));
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
    if (this.#rateOf(chain, pair.quote) === null) return unpriced(first.rule.name, `${pair.definition.quote} is worth`);
    const waiting = inDollars.find(
      (windows) =>
        (windows.rule.per === 'pair' && windows.isUnpriced(subject)) ||
        (windows.rule.per === 'desk' && windows.isUnpriced()),
    );
    return waiting === undefined ? null : unpriced(waiting.rule.name, `was ${waiting.rule.counts} before comes to`);
  }

  /** The trips that stand, in the order of their rules. */
  standing(): Trip[] {
    return this.#rules.standing(this.#time());
  }

  /** The windows that are near their limit, and have not tripped; of each rule the fullest first. */
  near(): NearLimit[] {
    const at = this.#time();
    return this.#rules.all.flatMap((windows) => {
      const { rule, decimals, limit } = windows;
      if (rule.warnPercent === undefined || windows.filling) return [];
      return windows.near(at).flatMap(({ chainId, who, used }) => {
        if (this.#rules.tripOf(rule.name, { chainId, who }, at) !== null) return [];
        return [{ rule, decimals, chainId, who, used: boundedAmount(used), percent: percentOf(used, limit) }];
      });
    });
  }

  /** Each rule with its use now and the peak of the last 24 hours. */
  async rows(): Promise<ProtectionRow[]> {
    const last = new Map((await this.#parts.journal.read.lastTrips()).map((trip) => [trip.rule.name, trip]));
    const [at, standing] = [this.#time(), this.standing()];
    return this.#rules.all.map((windows) => ({
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
   * was halted by it stays halted. Resolves once that is durable and in force. Throws DeskError `unknown_protection`, `not_tripped`, and
   * `changed_meanwhile` where one tripped at another time than was `seen`.
   */
  async reset(
    { rule, subject, seen }: { rule: string; subject?: Subject | undefined; seen?: number | undefined },
    { actor, reason }: { actor: string; reason: string },
  ): Promise<Trip[]> {
    const { journal, now, trading } = this.#parts;
    if (!this.#rules.all.some((windows) => windows.rule.name === rule)) {
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
    if (seen !== undefined && asked.some(({ at }) => at !== seen)) {
      throw new DeskError('changed_meanwhile', `${rule} tripped again meanwhile, so it was not reset.`, {
        remedy: 'See what it tripped on now, and decide on that.',
      });
    }
    for (const trip of asked) {
      const { chainId, who } = trip;
      const event = { time: now(), actor, kind: 'protection_reset', body: { rule, chainId, who, reason } } as const;
      const seq = await journal.append(event);
      // It may have ended, and tripped again, meanwhile.
      if (this.#rules.reset(trip, seq)) trading.tell(chainId);
    }
    return asked;
  }

  /** What time brings: empty windows are forgotten, and those that could not be remade are tried again once the desk was resumed. */
  tick(): void {
    if (this.#unfilled.size > 0 && this.#parts.trading.said({})?.state !== 'HALTED') void this.#follow();
    if (this.#rules.all.some((windows) => isOfFills(windows) || windows.isUnpriced())) {
      this.#believe();
      this.#rules.priceWaiting((counted) => this.#dollarsOf(counted, null));
      void this.#readMarks();
      this.#rules.tripFull();
    }
    this.#rules.forget();
  }

  close(): void {
    this.#off();
  }

  /** Lets the clock go on where a chain says the same time. */
  #believe(): void {
    if (this.#parts.clockAgrees()) this.#rules.believe(this.#parts.now());
  }

  #inDollars(chainId: number): ProtectionWindows[] {
    return this.#rules.all.filter(({ rule }) => rule.usd !== undefined && (rule.chains?.includes(chainId) ?? true));
  }

  #rateOf(chain: ChainBook, quote: Pick<Token, 'address' | 'symbol'>): string | null {
    const { book, now } = this.#parts;
    return dollarsPer(chain, quote, { references: book.references, now: now() })?.rate ?? null;
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

  /** By the quote token that moved, whether its pair is listed or not; null where nothing says it. */
  #dollarsOf(
    { chainId, side, makerAsset, takerAsset, makerAmount, takerAmount }: Counted,
    known: string | null,
  ): bigint | null {
    const chain = this.#parts.book.chain(chainId);
    const [asset, amount] = side === 'bids' ? [makerAsset, makerAmount] : [takerAsset, takerAmount];
    const token = side === null || chain === undefined ? undefined : tokenAt(chain, asset);
    if (chain === undefined || token === undefined) return null;
    const rate = known ?? this.#rateOf(chain, token);
    return rate === null ? null : dollarAmount({ amount, decimals: token.decimals, rate });
  }

  /** Reads what fills came to by the marks that have come since. */
  async #readMarks(): Promise<void> {
    const ofLosses = this.#rules.all.filter(({ rule }) => rule.counts === 'lost');
    if (this.#marking || (this.#rules.dueMarks().length === 0 && !ofLosses.some(({ unmarked }) => unmarked))) return;
    this.#marking = true;
    try {
      await this.#fills.inTurn(async () => {
        for (let due = this.#rules.dueMarks(); due.length > 0; due = this.#rules.dueMarks()) {
          const read = await this.#readFills(due, this.#rules.clock);
          this.#rules.mark(due.map((seq) => ({ seq, marked: read.get(seq) })));
        }
        if (this.#parts.clockAgrees())
          for (const windows of this.#rules.all) if (!windows.filling) windows.unmarked = false;
      });
    } catch (error) {
      this.#onFillsLost(error);
    } finally {
      this.#marking = false;
    }
  }

  /** Fills by their rows, with what they came to at one moment, however many they are; one that cannot be read is missing. */
  async #readFills(seqs: readonly number[], now: number): Promise<Map<number, NewFill>> {
    const fills = new Map<number, NewFill>();
    for (let from = 0; from < seqs.length; from += FILLS_AT_ONCE) {
      const { rows } = await this.#parts.journal.read.filledRows(seqs.slice(from, from + FILLS_AT_ONCE), now);
      for (const row of rows) fills.set(row.seq, this.#newFill(row, now));
    }
    return fills;
  }

  #newFill(row: FilledRow, now: number): NewFill {
    return { seq: row.seq, time: row.time, counted: this.#countedOf(row), nextAt: nextLook(row.worth, now) };
  }

  #onFills({ rows, unread }: Read<FilledRow>): void {
    this.#believe();
    for (const row of rows) this.#rules.fill(this.#newFill(row, this.#rules.clock));
    if (unread.length > 0) void this.#parts.trading.halt({}, { actor: 'desk', cause: unreadFills(unread) });
  }

  #onTakenBack(fillSeq: number): void {
    if (this.#rules.fillOf(fillSeq) === undefined) return;
    this.#believe();
    this.#rules.takeBackFill(fillSeq);
  }

  /** What is filled is not known: rules of it are remade once the desk was resumed. */
  #onFillsLost(error: unknown): void {
    const lost = this.#rules.all.filter(isOfFills);
    for (const windows of lost) windows.filling = true;
    this.#unfilled = new Set([...this.#unfilled, ...lost]);
    this.#parts.trading.failed({}, error);
  }

  /** The time by which something is told: never before one that was believed. */
  #time(): number {
    return Math.max(this.#rules.clock, this.#parts.now());
  }

  #tripHere(per: Protection['per'], chainId: number, subject: Subject): Trip | null {
    const at = this.#time();
    for (const windows of this.#rules.all) {
      if (windows.rule.per !== per || !windows.holdsOn(chainId)) continue;
      const trip = this.#rules.tripOf(windows.rule.name, subject, at);
      if (trip !== null) return trip;
    }
    return null;
  }

  /** In force already; now it is written. */
  #onTrip(event: TripEvent, trip: Trip): void {
    const { journal, trading } = this.#parts;
    const { rule, until, chainId } = trip;
    if (rule.per === 'desk' && until === null) {
      const by = { actor: 'desk', cause: sentenceOf(trip) };
      if (rule.chains === undefined) void trading.halt({}, by);
      else for (const chainOfRule of rule.chains) void trading.halt({ chainId: chainOfRule }, by);
    }
    journal.append(event).catch((error: unknown) => trading.failed({}, error));
    trading.tell(chainId);
  }

  /** Takes up the rules as the book has them now. Those that count the same keep what they counted. */
  async #follow(): Promise<void> {
    const { book, trading } = this.#parts;
    try {
      const { protections } = book.desk();
      const listed = book.chains();
      if (protections?.length === 0 && this.#rules.all.length === 0 && this.#madeOf.protections !== null) return;
      const words = (protections ?? []).map((rule) => wordOf(rule, listed));
      const made = JSON.stringify([protections, words]);
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
        this.#rules.all.filter((windows) => !unfilled.has(windows)).map((windows) => [windows.word, windows]),
      );
      this.#rules.all = (protections ?? []).map((rule, index) => {
        const same = known.get(words[index] ?? '');
        same?.become(rule, this.#rules.clock);
        return same ?? new ProtectionWindows(rule, listed);
      });
      const fresh = this.#rules.all.filter((windows) => !known.has(windows.word));
      if (fresh.length > 0) {
        // No grid is served that nothing is signed of until they are filled.
        trading.tell(null);
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
    // A fill may have been seen by a clock that was behind.
    const seenSince = Math.min(since, ((await journal.read.lastFilledAt()) ?? Number.POSITIVE_INFINITY) - PEAK_MS);
    const filled = ofFilled.length === 0 ? [] : await this.#fillFilled(ofFilled, seenSince, resets);
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
    this.#rules.believe(latest);
    return unread;
  }

  /** Returns the rows that cannot be read. No fill is told meanwhile. */
  async #fillFilled(fresh: readonly ProtectionWindows[], since: number, resets: Resets): Promise<number[]> {
    const { journal } = this.#parts;
    const upTo = journal.head().seq;
    // A quote was signed then, so that this time is past whatever the clock says now.
    const now = Math.max(this.#rules.clock, (await journal.read.lastSignedAt()) ?? 0);
    let isOnItsWay = false;
    const unread: number[] = [];
    let latest = 0;
    for (let after: number | null = 0; after !== null; ) {
      const page: FilledPage = await journal.read.filledSince({ since, now }, { after, upTo }, PAGE);
      for (const row of page.rows) {
        latest = Math.max(latest, this.#rules.fillOf(row.seq)?.at ?? row.time);
        // That a quote was signed then says that the clock was right, which a fill does not.
        this.#rules.believe(row.signedAt);
        if (row.isTakenBack) continue;
        const nextAt = nextLook(row.worth, now);
        const counted = this.#countedOf(row);
        const past: FilledNow = this.#rules.fillOf(row.seq) ?? { counted, at: latest, parts: [], nextAt };
        past.nextAt = nextAt;
        isOnItsWay ||= nextAt !== null;
        this.#rules.keepFill(row.seq, past);
        for (const windows of fresh) addPast(windows, past, { seq: row.seq, by: row.signedAt, counted }, resets);
      }
      unread.push(...page.unread);
      after = page.last;
    }
    for (const windows of fresh) {
      windows.upTo = upTo;
      windows.unmarked = windows.rule.counts === 'lost' && isOnItsWay;
    }
    return unread;
  }

  /**
   * From when on windows of what is signed, and trips, are taken up: a day before the last quote, so that a clock that is ahead leaves none
   * out.
   */
  async #since(): Promise<number> {
    const now = this.#parts.now();
    return Math.min(now, (await this.#parts.journal.read.lastSignedAt()) ?? now) - PEAK_MS;
  }
}

function tokenAt({ tokens }: ChainBook, address: Address): Token | undefined {
  for (const token of tokens.values()) if (token.address === address) return token;
  return undefined;
}

/** When a fill is looked at for its next mark: where nobody knows when that is heard, with each look from `now` on. */
function nextLook({ gain, nextAt }: FillWorth, now: number): number | null {
  return nextAt ?? (gain === null ? now : null);
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

/** Of a limit smaller than one raw unit, and of one that was made far smaller after the window filled, `MOST_PERCENT` is used. */
function percentOf(used: bigint, limit: bigint): number {
  const isPast = used * 100n >= limit * BigInt(MOST_PERCENT);
  return isPast ? MOST_PERCENT : Number((used * 100n) / limit);
}

function useRow(use: Use | null): ProtectionRow['now'] {
  return use === null ? null : { chainId: use.chainId, who: use.who, used: boundedAmount(use.used), at: use.at };
}
