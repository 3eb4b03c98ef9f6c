import { isoTime } from '../contract/names.ts';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import type { Restriction } from '../contract/service-view.ts';
import type { EventBody, JournalEvent } from '../journal/events.ts';
import type { Rooms } from './rooms.ts';

/** What the service's public adapter is known to do about a pair, in milliseconds; see `restrictionOf`. */
const AFTER_ERROR_MS = 15 * 60_000;
const AFTER_SILENCE_MS = 5 * 60_000;
/** It waits this long for a firm quote. */
const PATIENCE_MS = 4_000;
/** Signed orders whose pair is remembered in case they are withheld. */
const MOST_REMEMBERED = 5_000;
/** Refusals that are read back at the start. */
const MOST_READ_BACK = 500;

type Answered = { chainId: number; pair: string; at: number; code: RefusalCode | null; latencyMs: number };

/**
 * Pairs that the service probably skips. It does not tell; this is inferred from what we answered: an error
 * costs a pair 15 minutes in both directions, no answer within 4 s costs it 5 minutes.
 */
export class Restrictions {
  readonly #now: () => number;
  readonly #book: Rooms['book'];
  readonly #found = new Map<string, Restriction>();
  readonly #signed = new Map<number, { chainId: number; pair: string }>();

  constructor({ journal, book, now }: Pick<Rooms, 'journal' | 'book' | 'now'>) {
    this.#now = now;
    this.#book = book;
    journal.onAppended((events) => {
      for (const event of events) this.#hear(event);
    });
  }

  /** Takes up what was refused shortly before the desk started. */
  async readBack({ journal, now }: Pick<Rooms, 'journal' | 'now'>): Promise<void> {
    const filter = { state: 'refused' as const, since: Math.max(0, now() - AFTER_ERROR_MS) };
    const { rows } = await journal.read.logPage({ filter, limit: MOST_READ_BACK, order: 'newest' });
    for (const { chainId, pair, time, code, latencyMs } of rows.reverse()) {
      if (pair !== null) this.#answered({ chainId, pair, at: Date.parse(time), code, latencyMs });
    }
  }

  /** Those that are not over, of one chain or of all, the latest end first. */
  list(chainId?: number): Restriction[] {
    for (const [key, { until }] of this.#found) if (until <= this.#now()) this.#found.delete(key);
    return [...this.#found.values()]
      .filter((found) => chainId === undefined || found.chainId === chainId)
      .sort((a, b) => b.until - a.until);
  }

  #hear({ kind, body, seq, time }: JournalEvent): void {
    if (kind === 'quote') this.#hearQuote(body, seq);
    if (kind === 'quote_withheld') {
      const pair = this.#signed.get(body.quoteSeq);
      if (pair !== undefined) this.#answered({ ...pair, at: time, code: body.code, latencyMs: 0 });
    }
  }

  #hearQuote({ chainId, pair, code, receivedAt, latencyMs }: EventBody<'quote'>, seq: number): void {
    if (pair === null) return;
    if (code === null) {
      this.#signed.set(seq, { chainId, pair });
      const oldest = this.#signed.keys().next().value;
      if (this.#signed.size > MOST_REMEMBERED && oldest !== undefined) this.#signed.delete(oldest);
    }
    this.#answered({ chainId, pair, at: receivedAt, code, latencyMs });
  }

  #answered({ chainId, pair, at, code, latencyMs }: Answered): void {
    const late = latencyMs > PATIENCE_MS;
    if (code === null && !late) return;
    // With 403 it blacklists the user, and the pair is left as it is.
    if (code === 'blacklisted' && this.#book.chain(chainId)?.config.blacklistedAnswer === 'forbidden') return;
    const until = at + (late ? AFTER_SILENCE_MS : AFTER_ERROR_MS);
    const key = `${chainId} ${pair}`;
    const before = this.#found.get(key);
    const count = before !== undefined && at <= before.until ? before.count + 1 : 1;
    if (before !== undefined && before.until >= until && at <= before.until) {
      this.#found.set(key, { ...before, count });
      return;
    }
    const sentence = `The service probably skips ${pair} until ${clock(until)}: ${whyOf(code, late, at)}`;
    this.#found.set(key, { chainId, pair, at, until, code: late ? null : code, count, sentence });
  }
}

function whyOf(code: RefusalCode | null, late: boolean, at: number): string {
  if (late) return `our answer at ${clock(at)} took longer than the 4 s it waits.`;
  if (code === 'blacklisted') return `at ${clock(at)} a blacklisted user got an answer without an order.`;
  const said = code === null ? '' : REFUSALS[code].sentence;
  return `at ${clock(at)} it was refused a firm quote (${code}). ${said}`.trimEnd();
}

/** Hours and minutes, UTC. */
function clock(time: number): string {
  return `${isoTime(time).slice(11, 16)} UTC`;
}
