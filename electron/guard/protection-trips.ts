import { type Protection, type Subject, stands, type Trip } from '../contract/protections.ts';
import { MARK_WRITTEN_MS } from '../journal/protections/counted-rows.ts';
import { foldTrip, type ProtectionEvent, subjectKey } from '../journal/protections/fold.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { type Counted, type CountedNow, FORGET_MS, type ProtectionWindows } from './protection-windows.ts';

/** Trips of one rule that stand at once; what would be one more is refused all the same, and frozen by none. */
const MOST_STANDING = 100;

/** A fill, and when it is to be looked at for its next mark, Unix milliseconds; null after the last. */
export interface FilledNow extends CountedNow {
  nextAt: number | null;
}

/** A fill as it comes to be known. `seq` and `time` are those of its row. */
export interface NewFill {
  readonly seq: number;
  readonly time: number;
  readonly counted: Counted;
  readonly nextAt: number | null;
}

export type TripEvent = Extract<ProtectionEvent, { kind: 'protection_tripped' }>;

/** Why rules speak against a quote. */
export type RuleRefusal = 'protection_limit' | 'protection_tripped' | 'protection_unpriced' | 'starting';

/**
 * Rules with what they have counted and what they froze. It knows neither journal nor book, and its clock is what it is told, never
 * backwards: the desk that signs and a trial of rules over the past both use it, so that both trip alike.
 */
export class ProtectionRules {
  /** Told of every trip once it is in force. */
  readonly #onTrip: (event: TripEvent, trip: Trip) => void;
  #all: readonly ProtectionWindows[] = [];
  /** By rule and subject. */
  readonly #standing = new Map<string, Trip>();
  /** Fills that are in a window, by their rows. */
  readonly #filled = new Map<number, FilledNow>();
  /** The latest time of a fill, Unix milliseconds: never less than one before. */
  #lastFill = 0;
  /** The latest time that was believed, Unix milliseconds. */
  #clock = 0;
  #forgottenAt = 0;

  constructor(onTrip: (event: TripEvent, trip: Trip) => void) {
    this.#onTrip = onTrip;
  }

  /** In the order of the desk file. */
  get all(): readonly ProtectionWindows[] {
    return this.#all;
  }

  /** From now on these hold. Trips stay with the names of their rules. */
  set all(rules: readonly ProtectionWindows[]) {
    this.#all = rules;
  }

  get clock(): number {
    return this.#clock;
  }

  /** Lets the clock go on to a time, Unix milliseconds. */
  believe(now: number): void {
    this.#clock = Math.max(this.#clock, now);
  }

  /** A trip of before is in force. */
  keep(trip: Trip): void {
    this.#standing.set(keyOf(trip.rule.name, trip), trip);
  }

  /**
   * Why a quote must not be signed at a time, or null; whoever is told null counts it in the same tick. One that would pass a limit with
   * what is signed trips that rule; one that is over it alone trips none, for nothing of it can ever be signed.
   */
  refusal(counted: Counted, now: number): RuleRefusal | null {
    this.believe(now);
    const at = this.#clock;
    const rules = this.#all.filter((windows) => windows.holdsOn(counted.chainId));
    if (rules.some(({ filling, unmarked }) => filling || unmarked)) return 'starting';
    if (rules.some((windows) => this.tripOf(windows.rule.name, windows.subjectOf(counted), at) !== null)) {
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
      this.#trip(windows, subject, { used, asked: amount });
      refused = true;
    }
    return refused ? 'protection_tripped' : null;
  }

  /** Counts an admitted quote from a time on. */
  count(counted: Counted, now: number): CountedNow {
    const one: CountedNow = { counted, at: Math.max(this.#clock, now), parts: [] };
    for (const windows of this.#all) {
      if (windows.holdsOn(counted.chainId) && !isOfFills(windows)) addTo(windows, one, { at: one.at, by: one.at });
    }
    return one;
  }

  /**
   * Counts a fill from now on, or from when its row says if that is later, and trips what it fills. Rules that were remade while it was on
   * its way have counted it from the journal: what they hold of it is kept, so that marks and reorganisations reach that as well.
   */
  fill({ seq, time, counted, nextAt }: NewFill): void {
    const at = this.#nextFill(time);
    const filled: FilledNow = this.#filled.get(seq) ?? { counted, at, parts: [], nextAt };
    filled.nextAt = nextAt;
    for (const windows of this.#all) {
      if (!isOfFills(windows) || windows.filling || seq <= windows.upTo || !windows.holdsOn(counted.chainId)) continue;
      addTo(windows, filled, { at, by: this.#clock, counted });
      this.#tripIfFull(windows, windows.subjectOf(counted));
    }
    this.#filled.set(seq, filled);
  }

  /** A fill counts no more; what tripped by it stands until its time is over, for what is gone may come again. */
  takeBackFill(seq: number): void {
    const filled = this.#filled.get(seq);
    if (filled === undefined) return;
    this.#filled.delete(seq);
    takeBack(filled);
    for (const windows of this.#all) windows.waitNoMore(filled);
    // Of a net rule it may have been what the others were held against.
    for (const windows of this.#all) {
      if (isOfFills(windows) && !windows.filling) this.#tripIfFull(windows, windows.subjectOf(filled.counted));
    }
  }

  /** A fill that is in a window, by its row. */
  fillOf(seq: number): FilledNow | undefined {
    return this.#filled.get(seq);
  }

  /** A fill of before, counted or not, is in its place. */
  keepFill(seq: number, filled: FilledNow): void {
    this.#filled.set(seq, filled);
    this.#lastFill = Math.max(this.#lastFill, filled.at);
  }

  /** Fills that have a mark which is in the journal by now. */
  dueMarks(): number[] {
    if (!this.#all.some(({ rule }) => rule.counts === 'lost')) return [];
    return [...this.#filled].flatMap(([seq, { nextAt }]) => (markDue(nextAt) <= this.#clock ? [seq] : []));
  }

  /**
   * What fills came to by their next marks: those that are given together are taken together, and their order trips nothing. One of
   * which nobody knows it counts nothing and is waited for, and one that cannot be read any more (undefined) stays at what it came to.
   */
  mark(marks: readonly { seq: number; marked: Omit<NewFill, 'seq'> | undefined }[]): void {
    const told = marks.flatMap(({ seq, marked }) => this.#takeMark(seq, marked));
    for (const { windows, subject } of told) {
      windows.seen(subject, this.#clock);
      this.#tripIfFull(windows, subject);
    }
  }

  /** Returns the windows that it may have filled. */
  #takeMark(seq: number, marked: Omit<NewFill, 'seq'> | undefined): { windows: ProtectionWindows; subject: Subject }[] {
    const filled = this.#filled.get(seq);
    if (filled === undefined) return [];
    filled.nextAt = marked?.nextAt ?? null;
    if (marked === undefined) return [];
    const { counted, time } = marked;
    const countedIn = new Set<ProtectionWindows>();
    for (const [index, part] of filled.parts.entries()) {
      if (part.of.rule.counts !== 'lost') continue;
      countedIn.add(part.of);
      filled.parts[index] = part.of.restate(part, counted);
    }
    return this.#all.flatMap((windows) => {
      if (windows.rule.counts !== 'lost' || windows.filling || !windows.holdsOn(counted.chainId)) return [];
      const subject = windows.subjectOf(counted);
      const waited = windows.waitNoMore(filled);
      const isCounted = countedIn.has(windows);
      if (counted.gain === null) {
        const isOver = this.#clock - filled.at >= windows.rule.windowSeconds * 1_000;
        if (waited || (isCounted && !isOver)) windows.waitForPrice(filled);
        if (waited || !isCounted) return [];
      } else if (waited && !isCounted) {
        addTo(windows, filled, { at: this.#nextFill(time), by: this.#clock, counted });
      }
      return [{ windows, subject }];
    });
  }

  /**
   * Counts from now on what had no price until now; `dollarsOf` gives null where it still has none. What waits and whose time is over is
   * forgotten, of losses too: what those came to only a mark says.
   */
  priceWaiting(dollarsOf: (counted: Counted) => bigint | null): void {
    for (const windows of this.#all) {
      if (windows.filling || !windows.isUnpriced()) continue;
      const waiting = windows.unpriced(this.#clock);
      if (windows.rule.counts === 'lost') continue;
      for (const one of waiting) {
        const dollars = dollarsOf(one.counted);
        if (dollars === null) continue;
        windows.waitNoMore(one);
        const at = isOfFills(windows) ? this.#nextFill(0) : this.#clock;
        addTo(windows, one, { at, by: this.#clock, counted: { ...one.counted, dollars } });
        if (isOfFills(windows)) this.#tripIfFull(windows, windows.subjectOf(one.counted));
      }
    }
  }

  /** Trips rules of fills that are full by now, where their subject has prices, which end with it: a pair or the desk. */
  tripFull(): void {
    for (const windows of this.#all) {
      if (windows.filling || !hasPrices(windows)) continue;
      for (const subject of windows.full(this.#clock)) this.#tripIfFull(windows, subject);
    }
  }

  /** When next, after now, `tripFull` may find more than it does now although nothing is counted; infinity where time alone trips nothing. */
  nextFull(): number {
    let next = Number.POSITIVE_INFINITY;
    const priced = this.#all.filter(hasPrices);
    for (const windows of priced) next = Math.min(next, windows.nextOut(this.#clock));
    for (const { rule, until, reset } of this.#standing.values()) {
      const isOfIt = reset === null && until !== null && until > this.#clock;
      if (isOfIt && priced.some((windows) => windows.rule.name === rule.name)) next = Math.min(next, until);
    }
    return next;
  }

  /** The trip of a rule that freezes a subject at a time; null without one. */
  tripOf(rule: string, subject: Subject, at: number): Trip | null {
    if (this.#standing.size === 0) return null;
    const trip = this.#standing.get(keyOf(rule, subject));
    return trip !== undefined && this.#freezes(trip, at) ? trip : null;
  }

  /** Whether a trip stands at a time: one of a rule that was kept for something else then freezes nothing. */
  #freezes(trip: Trip, at: number): boolean {
    return stands(trip, at) && this.#all.some(({ rule }) => rule.name === trip.rule.name && rule.per === trip.rule.per);
  }

  /** The trips that stand at a time, in the order of their rules. */
  standing(at: number): Trip[] {
    return this.#all.flatMap(({ rule }) =>
      [...this.#standing.values()].filter((trip) => trip.rule.name === rule.name && this.#freezes(trip, at)),
    );
  }

  /**
   * Ends a trip by a person's word: what was counted for its subject up to a row of the journal counts no more. False where it is not
   * the one that stands.
   */
  reset(trip: Trip, upTo: number): boolean {
    const key = keyOf(trip.rule.name, trip);
    if (this.#standing.get(key) !== trip) return false;
    this.#standing.delete(key);
    for (const windows of this.#all) if (windows.rule.name === trip.rule.name) this.#clear(windows, trip, upTo);
    return true;
  }

  /** Once a minute: windows that are empty, fills that are in none, and trips that are over. */
  forget(): void {
    if (this.#clock - this.#forgottenAt < FORGET_MS) return;
    this.#forgottenAt = this.#clock;
    for (const windows of this.#all) if (!windows.filling) windows.forget(this.#clock);
    for (const [key, trip] of this.#standing) if (!stands(trip, this.#clock)) this.#standing.delete(key);
    const longest = Math.max(0, ...this.#all.filter(isOfFills).map(({ rule }) => rule.windowSeconds * 1_000));
    for (const [seq, { at }] of this.#filled) if (this.#clock - at >= longest) this.#filled.delete(seq);
  }

  #clear(windows: ProtectionWindows, subject: Subject, upTo: number): void {
    windows.clear(subject);
    if (!isOfFills(windows)) return;
    for (const [seq, filled] of this.#filled) {
      if (!windows.holdsOn(filled.counted.chainId)) continue;
      if (subjectKey(windows.subjectOf(filled.counted)) !== subjectKey(subject)) continue;
      const own = filled.parts.findIndex((part) => part.of === windows);
      if (own !== -1) takeBack({ parts: filled.parts.splice(own, 1) });
      if (seq > upTo) addTo(windows, filled, { at: filled.at, by: this.#clock });
    }
  }

  /** From when on a fill counts that is seen now: never before one that was. */
  #nextFill(time: number): number {
    this.#lastFill = Math.max(this.#clock, this.#lastFill, time);
    return this.#lastFill;
  }

  /** Trips a rule of what is filled where its limit is reached; says whether it is. */
  #tripIfFull(windows: ProtectionWindows, subject: Subject): boolean {
    const used = windows.used(subject, this.#clock);
    if (used < windows.limit) return false;
    if (this.tripOf(windows.rule.name, subject, this.#clock) === null) {
      this.#trip(windows, subject, { used, asked: 0n });
    }
    return true;
  }

  #trip(windows: ProtectionWindows, subject: Subject, { used, asked }: { used: bigint; asked: bigint }): void {
    const { rule, decimals } = windows;
    const at = this.#clock;
    const ofRule = [...this.#standing.values()].filter(
      (trip) => trip.rule.name === rule.name && this.#freezes(trip, at),
    );
    if (ofRule.length >= MOST_STANDING) return;
    const until = rule.freezeSeconds === 0 ? null : at + rule.freezeSeconds * 1_000;
    const body = { ...subject, rule, used: boundedAmount(used), asked: boundedAmount(asked), decimals, until };
    const event = { time: at, actor: 'desk', kind: 'protection_tripped', body } as const;
    const trip = foldTrip(undefined, event);
    if (trip === undefined) throw new Error('A protection tripped without a trip.');
    this.keep(trip);
    this.#onTrip(event, trip);
  }
}

/** Whether a rule counts fills, or what they lost. */
export function isOfFills({ rule }: ProtectionWindows): boolean {
  return rule.counts !== 'signed';
}

/** Whether a rule of fills is of something that has prices. */
export function hasPrices(windows: ProtectionWindows): boolean {
  return isOfFills(windows) && (windows.rule.per === 'pair' || windows.rule.per === 'desk');
}

/** From when on a mark can be read, Unix milliseconds; never where there is none. */
export function markDue(nextAt: number | null): number {
  return nextAt === null ? Number.POSITIVE_INFINITY : nextAt + MARK_WRITTEN_MS;
}

/** Counts something from the time `at` on; its window is told as it is at the time `by`. */
export function addTo(
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

/** What was counted counts no more. */
export function takeBack({ parts }: Pick<CountedNow, 'parts'>): void {
  for (const { window, at, amount } of parts) window.takeBack(at, amount);
}

/** What tells the trips and the windows of all rules apart. */
export function keyOf(rule: Protection['name'], subject: Subject): string {
  return `${rule}\n${subjectKey(subject)}`;
}
