import type { Ladder } from '../contract/desk-file.ts';
import { isProgram } from '../contract/names.ts';
import {
  add,
  compare,
  formatDecimal,
  mul,
  parseDecimal,
  parseSigned,
  type Rational,
  sub,
} from '../protocol/decimal.ts';
import type { Level } from '../protocol/wire.ts';
import type { BookPair, ChainBook } from './chain-book.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Prices that came within this time share a lowest and a highest. */
const BUCKET_MS = 30_000;
const HALF: Rational = { n: 1n, d: 2n };
/** Half-way between two prices needs one digit behind the point more than they have, which is 77 at most. */
export const MIDDLE_PLACES = 78;

/** What is known of a pair's reference from before the start: within the last hour, quote per base. */
export interface KnownSpan {
  low: string;
  high: string;
  last: string;
}

interface Bucket {
  readonly at: number;
  low: Rational;
  high: Rational;
}

interface Watched {
  /** The newest revision that a person published. */
  revision: number;
  /** Of the prices that were believed, the oldest first. */
  buckets: Bucket[];
  /** Since when it is not believed; null while it is. */
  heldSince: number | null;
}

/**
 * What the reference may say without a person: no further in a minute and in an hour than the chain's limits, and no further
 * from the ladder that a person published last than the one for that, however small the steps. What is further is not
 * believed, and the pair not quoted by it, until the reference comes back or a person publishes.
 */
export class ReferenceFence {
  readonly #watched = new Map<string, Watched>();
  readonly #who: string;
  readonly #anchorOf: typeof anchorOf;

  /** `who` says the prices, as sentences name it; `heldTo` is what they are held to however small their steps. */
  constructor(who = 'the reference', heldTo = anchorOf) {
    this.#who = who;
    this.#anchorOf = heldTo;
  }

  knows(chainId: number, pair: string): boolean {
    return this.#watched.has(`${chainId} ${pair}`);
  }

  /**
   * Takes up what was believed before the start, so that a restart is no way around; where nothing was within the hour, the
   * ladder that is published is what the reference is held against.
   */
  begin(chainId: number, pair: BookPair, known: KnownSpan | null, now: number): void {
    const buckets: Bucket[] = [];
    if (known === null) {
      const middle = middleOf(pair.ladder.ladder);
      const at = Math.max(now - HOUR_MS, Math.min(now, pair.ladder.time));
      if (middle !== null) buckets.push({ at, low: middle, high: middle });
    } else {
      const last = parseDecimal(known.last);
      // Whether it was silent or not believed since is not known: it is held against as if it was said just now.
      buckets.push({ at: now - MINUTE_MS - BUCKET_MS, low: parseDecimal(known.low), high: parseDecimal(known.high) });
      buckets.push({ at: now - BUCKET_MS, low: last, high: last });
    }
    this.#watched.set(`${chainId} ${pair.id}`, { revision: personRevision(pair, 0), buckets, heldSince: null });
  }

  /** Another reference is asked from now on. */
  forget(chainId: number): void {
    for (const key of this.#watched.keys()) if (key.startsWith(`${chainId} `)) this.#watched.delete(key);
  }

  /** Why this price of a pair is not believed, or null; then it counts. `now` is Unix milliseconds. */
  judge(chain: Pick<ChainBook, 'chainId' | 'config'>, pair: BookPair, mid: string, now: number): string | null {
    const watched = this.#watched.get(`${chain.chainId} ${pair.id}`);
    if (watched === undefined) return 'what it said before is not known yet';
    const revision = personRevision(pair, watched.revision);
    if (revision !== watched.revision) {
      watched.revision = revision;
      // What is believed goes on counting; a price that is not, or is silent, is held against what the person said from now on.
      const isBelieved = watched.heldSince === null && isWithin(watched.buckets.at(-1), MINUTE_MS, now);
      if (!isBelieved) begunAnew(watched, pair, now);
    }
    const price = parseDecimal(mid);
    const why = this.#refused(chain, pair, watched, price, now);
    watched.heldSince = why === null ? null : (watched.heldSince ?? now);
    if (why !== null) return `${this.#who} says ${mid}, ${why}`;
    believe(watched, price, now);
    return null;
  }

  #refused(
    { config }: Pick<ChainBook, 'config'>,
    pair: BookPair,
    watched: Watched,
    price: Rational,
    now: number,
  ): string | null {
    const { referenceMinuteBps, referenceHourBps, referenceAnchorBps } = config;
    const within = (ms: number) => watched.buckets.filter((bucket) => isWithin(bucket, ms, now));
    const last = watched.buckets.slice(-1);
    // After a silence the last believed price is the one to come back to, within what the time of the silence allows.
    const silence = Math.max(0, (watched.heldSince ?? now) - (last[0]?.at ?? now));
    const [minute, hour] = [within(MINUTE_MS), within(HOUR_MS)];
    const minutes = minute.length > 0 ? 1 : Math.max(1, Math.floor(silence / MINUTE_MS));
    const spans = [
      {
        from: minute.length > 0 ? minute : last,
        limit: limitFor(minutes, referenceMinuteBps, referenceHourBps),
        when: minutes === 1 ? 'within a minute' : `within ${minutes} minutes`,
      },
      { from: hour.length > 0 ? hour : last, limit: referenceHourBps, when: 'within an hour' },
    ];
    for (const { from, limit, when } of spans) {
      for (const bound of from.flatMap(({ low, high }) => [low, high])) {
        if (isFurther(price, bound, limit)) return `more than ${limit} bps from ${shown(bound)} ${when}`;
      }
    }
    const anchor = this.#anchorOf(pair);
    if (anchor !== null && isFurther(price, anchor, referenceAnchorBps)) {
      return `more than ${referenceAnchorBps} bps from ${shown(anchor)}, around which a person published last`;
    }
    return null;
  }
}

function isWithin(bucket: Bucket | undefined, ms: number, now: number): boolean {
  return bucket !== undefined && now - bucket.at < ms + BUCKET_MS;
}

/** How far a price may move in so many minutes, bps: from the minute's limit to the hour's, evenly. 0: any distance. */
function limitFor(minutes: number, minuteBps: number, hourBps: number): number {
  if (minuteBps === 0 || hourBps === 0) return minuteBps === 0 ? 0 : minuteBps * minutes;
  const part = Math.min(1, (minutes - 1) / 59);
  return Math.max(minuteBps, Math.floor(minuteBps + (hourBps - minuteBps) * part));
}

/** A person has said where the market is: nothing of before counts, and the next price is held against that. */
function begunAnew(watched: Watched, pair: BookPair, now: number): void {
  const middle = anchorOf(pair);
  watched.buckets = middle === null ? [] : [{ at: now, low: middle, high: middle }];
  watched.heldSince = null;
}

function believe({ buckets }: Watched, price: Rational, now: number): void {
  const last = buckets.at(-1);
  if (last !== undefined && now - last.at < BUCKET_MS) {
    if (compare(price, last.low) < 0) last.low = price;
    if (compare(price, last.high) > 0) last.high = price;
    return;
  }
  while (buckets[0] !== undefined && now - buckets[0].at >= HOUR_MS + BUCKET_MS) buckets.shift();
  buckets.push({ at: now, low: price, high: price });
}

/** The revision that a person published last, as far as that is to be seen. */
function personRevision({ ladder }: BookPair, before: number): number {
  return isProgram(ladder.actor) ? before : ladder.revision;
}

type Standing = Pick<BookPair['ladder'], 'ladder' | 'followed' | 'anchor'>;

/**
 * The middle of the ladder that a person published last, whatever was made of it since; where nobody did, of the first that was made.
 * Null without one.
 */
export function anchorOf({ ladder }: { ladder: Standing }): Rational | null {
  return ladder.anchor === undefined ? originOf({ ladder }) : parseDecimal(ladder.anchor);
}

/** The same as it is written with a ladder that no person publishes over this one. */
export function anchorText({ ladder }: { ladder: Standing }): string | undefined {
  const origin = ladder.anchor === undefined ? originOf({ ladder }) : null;
  return origin === null ? ladder.anchor : formatDecimal(origin, MIDDLE_PLACES, 'floor');
}

/** The middle of the ladder that was written whole last, whoever wrote it: what it was moved since does not count. Null without one. */
export function originOf({ ladder: { ladder, followed } }: { ladder: Standing }): Rational | null {
  const from = ([best]: Level[], by = '0') => (best === undefined ? null : sub(parseDecimal(best[0]), parseSigned(by)));
  const [bid, ask] = [from(ladder.bids, followed?.bids), from(ladder.asks, followed?.asks)];
  const [low, high] = [bid ?? ask, ask ?? bid];
  return low === null || high === null ? null : mul(add(low, high), HALF);
}

/** A ladder with levels on one side only has its best price for a middle. */
export function middleOf({ bids, asks }: Ladder): Rational | null {
  const [bid, ask] = [bids[0] ?? asks[0], asks[0] ?? bids[0]];
  return bid === undefined || ask === undefined ? null : mul(add(parseDecimal(bid[0]), parseDecimal(ask[0])), HALF);
}

/** Whether `price` is more than `limit` bps off, whichever way; a limit of 0 is none. */
export function isFurther(price: Rational, from: Rational, limit: number): boolean {
  if (limit === 0) return false;
  const away = sub(price, from);
  const distance = { n: away.n < 0n ? -away.n : away.n, d: away.d };
  // Downwards the same distance is more: from 2 to 1 is as far as from 1 to 2.
  const lower = away.n < 0n ? price : from;
  return compare(mul(distance, { n: 10_000n, d: 1n }), mul(lower, { n: BigInt(limit), d: 1n })) > 0;
}

function shown(price: Rational): string {
  return formatDecimal(price, 8, 'floor');
}
