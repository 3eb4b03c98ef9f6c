import type { ChainBook } from '../book/chain-book.ts';
import type { Protection, Tried, Trip } from '../contract/protections.ts';
import type { AskedRow } from '../journal/protections/counted-rows.ts';
import type { FlowEvent, InDollars } from '../journal/protections/flow.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { markDue, ProtectionRules } from './protection-trips.ts';
import { type Counted, ProtectionWindows, type Use } from './protection-windows.ts';
import { dollarAmount } from './rule-dollars.ts';

/** Trips that are given one by one. */
const MOST_TRIPS = 200;

/** How long before a stretch its flow has to begin, so that no window lacks anything, milliseconds. */
export const WARM_UP_MS = 24 * 3_600_000;

/** A fill that a rule of losses may still count otherwise. */
type Fill = Extract<FlowEvent, { kind: 'filled' }>;

/**
 * Rules over a recorded flow, as if they had held then: the flow is taken event by event by what the desk itself counts and trips
 * with, so that the rules of then give the trips of then. A quote that would not have been signed is not counted, and neither are its
 * fills. Between two events time goes on to every moment in which something slides out of a window or a freeze ends, where the desk looks
 * a few times a second. `since`, Unix milliseconds: trips and requests of before count, and are not told.
 */
export class RuleTrial {
  readonly #rules: ProtectionRules;
  readonly #since: number;
  readonly #isOfLosses: boolean;
  readonly #dollars = new WeakMap<Counted, InDollars>();
  /** Marks of fills that come, the next one first. */
  readonly #due: { at: number; fill: Fill }[] = [];
  /** Quotes that were signed then and would not have been. */
  readonly #notSigned = new Set<number>();
  readonly #trips: Trip[] = [];
  readonly #ofRules = new Map<string, { trips: number; first: Trip; largest: Trip }>();
  readonly #sums = {
    requests: 0,
    quotes: 0,
    dollars: 0n,
    fills: 0,
    gain: 0n,
    signed: 0,
    unknown: 0,
    unpriced: 0,
    unread: 0,
  };

  constructor(rules: readonly Protection[], listed: readonly ChainBook[], since: number) {
    this.#since = since;
    this.#isOfLosses = rules.some(({ counts }) => counts === 'lost');
    this.#rules = new ProtectionRules((_event, trip) => this.#onTrip(trip));
    this.#rules.all = rules.map((rule) => {
      const windows = new ProtectionWindows(rule, listed);
      windows.filling = false;
      return windows;
    });
  }

  /** The next event, in the order of the journal. Says why its request would have been refused; null where it would not have been. */
  take(event: FlowEvent): ReturnType<ProtectionRules['refusal']> {
    this.#goOn(event.time);
    const isTold = event.time >= this.#since;
    switch (event.kind) {
      case 'asked':
        return this.#ask(event, isTold);
      case 'turned away':
        if (isTold) this.#sums.unknown += 1;
        return null;
      case 'filled':
        this.#fill(event, isTold);
        return null;
      case 'taken back':
        this.#rules.takeBackFill(event.fillSeq);
        return null;
      case 'reset': {
        const trip = this.#rules.tripOf(event.rule, event.subject, this.#rules.clock);
        if (trip !== null) this.#rules.reset(trip, event.seq);
        return null;
      }
      default:
        if (isTold) this.#sums.unread += 1;
        return null;
    }
  }

  /** What it came to up to a time, Unix milliseconds. */
  result(until: number): Tried {
    this.#goOn(until);
    const { requests, quotes, dollars, fills, gain, signed, unknown, unpriced, unread } = this.#sums;
    return {
      since: this.#since,
      until,
      requests,
      rules: this.#rules.all.map((windows) => {
        const of = this.#ofRules.get(windows.rule.name);
        return {
          rule: windows.rule,
          decimals: windows.decimals,
          limit: boundedAmount(windows.limit),
          trips: of?.trips ?? 0,
          first: of?.first ?? null,
          largest: of?.largest ?? null,
          peak: useOf(windows.peak(this.#rules.clock)),
        };
      }),
      trips: this.#trips,
      notSigned: { quotes, dollars: boundedAmount(dollars), fills, gain: `${gain}` },
      signed,
      unknown,
      unpriced,
      unread,
    };
  }

  #ask(event: Extract<FlowEvent, { kind: 'asked' }>, isTold: boolean): ReturnType<ProtectionRules['refusal']> {
    const { seq, time, row, wasSigned } = event;
    const counted = this.#countedOf(row, event.dollars, { at: time, gain: null });
    const code = this.#rules.refusal(counted, time);
    if (code === null) this.#rules.count(counted, time);
    else if (wasSigned) this.#notSigned.add(seq);
    if (!isTold) return code;
    const sums = this.#sums;
    sums.requests += 1;
    if (code === 'protection_unpriced') sums.unpriced += 1;
    if (code === null && !wasSigned) sums.signed += 1;
    if (code !== null && wasSigned) {
      sums.quotes += 1;
      sums.dollars += this.#dollarsOf(counted, time) ?? 0n;
    }
    return code;
  }

  #fill(fill: Fill, isTold: boolean): void {
    if (this.#notSigned.has(fill.quoteSeq)) {
      if (!isTold) return;
      this.#sums.fills += 1;
      this.#sums.gain += BigInt(fill.worthAt(Number.MAX_SAFE_INTEGER).gain ?? 0);
      return;
    }
    this.#rules.fill(this.#newFill(fill));
  }

  /** A fill as it is known now; the mark that comes next is waited for. */
  #newFill(fill: Fill): Parameters<ProtectionRules['fill']>[0] {
    const { gain, nextAt } = this.#isOfLosses ? fill.worthAt(this.#rules.clock) : { gain: null, nextAt: null };
    const known = { at: fill.time, gain: gain === null ? null : BigInt(gain) };
    const counted = this.#countedOf(fill.row, fill.dollars, known);
    const at = markDue(nextAt);
    if (nextAt !== null) {
      const place = this.#due.findLastIndex((due) => due.at <= at) + 1;
      this.#due.splice(place, 0, { at, fill });
    }
    return { seq: fill.seq, time: fill.time, counted, nextAt };
  }

  #countedOf(
    { makerAmount, takerAmount, ...row }: Omit<AskedRow, 'seq' | 'time'>,
    dollars: InDollars | null,
    { at, gain }: { at: number; gain: bigint | null },
  ): Counted {
    const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
    const counted = { ...row, ...amounts, dollars: dollars === null ? null : inDollars(dollars, at), gain };
    if (dollars !== null) this.#dollars.set(counted, dollars);
    return counted;
  }

  #dollarsOf(counted: Counted, at: number): bigint | null {
    const dollars = this.#dollars.get(counted);
    return dollars === undefined ? null : inDollars(dollars, at);
  }

  /** Lets time pass, moment by moment. */
  #goOn(to: number): void {
    for (let at = this.#nextMoment(); at <= to; at = this.#nextMoment()) {
      this.#rules.believe(at);
      this.#look();
    }
    this.#rules.believe(to);
    this.#priceWaiting();
    this.#rules.forget();
  }

  #nextMoment(): number {
    return Math.min(this.#due[0]?.at ?? Number.POSITIVE_INFINITY, this.#rules.nextFull());
  }

  #look(): void {
    const { clock } = this.#rules;
    this.#priceWaiting();
    this.#rules.tripFull();
    while ((this.#due[0]?.at ?? Number.POSITIVE_INFINITY) <= clock) {
      const later = this.#due.findIndex(({ at }) => at > clock);
      const due = this.#due.splice(0, later === -1 ? this.#due.length : later);
      this.#rules.mark(due.map(({ fill }) => ({ seq: fill.seq, marked: this.#newFill(fill) })));
    }
  }

  #priceWaiting(): void {
    this.#rules.priceWaiting((counted) => this.#dollarsOf(counted, this.#rules.clock));
  }

  #onTrip(trip: Trip): void {
    if (trip.at < this.#since) return;
    if (this.#trips.length < MOST_TRIPS) this.#trips.push(trip);
    const of = this.#ofRules.get(trip.rule.name);
    if (of === undefined) {
      this.#ofRules.set(trip.rule.name, { trips: 1, first: trip, largest: trip });
      return;
    }
    of.trips += 1;
    if (reachOf(trip) > reachOf(of.largest)) of.largest = trip;
  }
}

/** What a window would have come to. */
function reachOf({ used, asked }: Trip): bigint {
  return BigInt(used) + BigInt(asked);
}

function inDollars({ amount, decimals, rateAt }: InDollars, at: number): bigint | null {
  const rate = rateAt(at);
  return rate === null ? null : dollarAmount({ amount, decimals, rate });
}

function useOf(use: Use | null): Tried['rules'][number]['peak'] {
  return use === null ? null : { chainId: use.chainId, who: use.who, used: boundedAmount(use.used), at: use.at };
}
