import type { ChainBook } from '../book/chain-book.ts';
import { CoolDown } from '../book/cool-down.ts';
import type { FollowOutcome } from '../book/follower.ts';
import { ReferenceFence } from '../book/reference-fence.ts';
import type { Reference } from '../book/references.ts';
import { isoTime } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readReference } from '../service/read-reference.ts';
import { ChainLoops } from './chain-loops.ts';
import type { Rooms } from './rooms.ts';

const EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;

/** How the reference of a chain is doing. */
export interface ReferenceState {
  /** When it last gave an answer that could be read; Unix milliseconds. */
  answeredAt: number | null;
  /** Why the last one could not be, or null. */
  fault: string | null;
  /** Pairs whose price in it cannot be used, and why. */
  pairFaults: ReadonlyMap<string, string>;
  /** Pairs that should follow it. */
  followers: ReadonlyMap<string, FollowOutcome>;
}

const UNASKED: ReferenceState = { answeredAt: null, fault: null, pairFaults: new Map(), followers: new Map() };

/**
 * Asks the reference of every chain once a second: its prices go into the book, a sample of each into the journal's plain
 * table, and the ladders that follow it are moved before a price counts as heard, so that a pair that was closed for want
 * of a reference never opens on prices from before.
 */
export class ReferencePolls {
  readonly #rooms: Pick<Rooms, 'book' | 'journal' | 'now' | 'log'>;
  readonly #states = new Map<number, ReferenceState>();
  readonly #sampled = new Map<string, number>();
  readonly #fence = new ReferenceFence();
  readonly #coolDown = new CoolDown();
  readonly #loops: ChainLoops;

  constructor(rooms: Pick<Rooms, 'book' | 'journal' | 'now' | 'log'>) {
    this.#rooms = rooms;
    this.#loops = new ChainLoops(rooms, {
      keyOf: ({ referenceUrl }) => referenceUrl,
      begin: (chainId) => {
        this.#states.delete(chainId);
        rooms.book.references.forget(chainId);
        this.#fence.forget(chainId);
        this.#coolDown.forget(chainId);
      },
      round: (chainId, url, signal) => this.#round(chainId, url, signal),
    });
  }

  start(): void {
    this.#loops.start();
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  of(chainId: number): ReferenceState {
    return this.#states.get(chainId) ?? UNASKED;
  }

  async #round(chainId: number, url: string, signal: AbortSignal): Promise<number> {
    const { book, now, log } = this.#rooms;
    const before = this.of(chainId);
    try {
      const { prices, faults } = await readReference(book.seals.whole(url), { now, signal });
      if (signal.aborted) return EVERY_MS;
      const followers = await this.#take(chainId, prices);
      const pairFaults = new Map(faults.map(({ pair, sentence }) => [pair, sentence]));
      this.#states.set(chainId, { answeredAt: now(), fault: null, pairFaults, followers });
    } catch (error) {
      if (signal.aborted) return EVERY_MS;
      if (!(error instanceof DeskError)) log.error('a reference could not be taken', { chainId, error: String(error) });
      const fault = error instanceof Error ? error.message : String(error);
      this.#states.set(chainId, { ...before, fault });
    }
    const { fault } = this.of(chainId);
    if ((fault === null) !== (before.fault === null)) log.info(fault ?? 'the reference answers again', { chainId });
    return EVERY_MS;
  }

  async #take(
    chainId: number,
    prices: ReadonlyMap<string, { mid: string; time: number }>,
  ): Promise<ReadonlyMap<string, FollowOutcome>> {
    const { book, now } = this.#rooms;
    const chain = book.chain(chainId);
    if (chain === undefined) return new Map();
    const listed = [...prices].filter(([pair]) => chain.pairs.has(pair));
    const fenced = await this.#fenced(chain, listed);
    const oldest = now() - chain.config.referenceMaxAgeSeconds * 1_000;
    const fresh = listed
      .filter(([pair, { time }]) => time >= oldest && !fenced.has(pair))
      .map(([pair, { mid }]) => [pair, mid] as const);
    const followers = await book.follow(chainId, new Map(fresh));
    // A ladder that could not move yet would stand through the new price for no fault of its own.
    const taken = listed.filter(([pair]) => followers.get(pair)?.kind !== 'later');
    const heard = taken.map(([pair, { mid, time }]): [string, Reference] => {
      const refused = fenced.get(pair);
      if (refused !== undefined) return [pair, { mid, time, heldBack: refused, fenced: true }];
      const outcome = followers.get(pair);
      const waitsUntil = this.#coolDown.waitsUntil(chain, pair, book.references.of(chainId, pair), { time }, now());
      if (outcome?.kind === 'held') return [pair, { mid, time, heldBack: outcome.sentence }];
      if (waitsUntil === null) return [pair, { mid, time, heldBack: null }];
      return [pair, { mid, time, heldBack: waiting(waitsUntil), waitsUntil }];
    });
    book.references.record(chainId, new Map(heard));
    for (const [pair, { mid, time }] of listed) if (!fenced.has(pair)) this.#sample(chainId, pair, time, mid);
    return followers;
  }

  /** The pairs whose price is not believed, and why: also of those that do not follow. */
  async #fenced(chain: ChainBook, listed: readonly [string, { mid: string }][]): Promise<Map<string, string>> {
    const { book, journal, now, log } = this.#rooms;
    const { chainId } = chain;
    const unknown = listed.filter(([pair]) => !this.#fence.knows(chainId, pair));
    await Promise.all(
      unknown.map(async ([id]) => {
        const known = await journal.read.referenceSpan(chainId, id, now() - HOUR_MS);
        const pair = chain.pairs.get(id);
        if (pair !== undefined) this.#fence.begin(chainId, pair, known, now());
      }),
    );
    const fenced = new Map<string, string>();
    for (const [id, { mid }] of listed) {
      const pair = chain.pairs.get(id);
      const refused = pair === undefined ? null : this.#fence.judge(chain, pair, mid, now());
      if (refused === null) continue;
      fenced.set(id, refused);
      if (book.references.of(chainId, id)?.fenced !== true) log.warn(`${id}: ${refused}`, { chainId });
    }
    return fenced;
  }

  /** A price that the reference only repeats is one sample. */
  #sample(chainId: number, pair: string, time: number, mid: string): void {
    const key = `${chainId} ${pair}`;
    if (time <= (this.#sampled.get(key) ?? 0)) return;
    this.#sampled.set(key, time);
    // A journal that cannot be written halts the desk by itself.
    this.#rooms.journal.put({ table: 'reference_samples', chainId, pair, time, mid }).catch(() => {});
  }
}

/** Why a pair is held back whose reference was too old, as the end of a sentence. */
function waiting(until: number): string {
  return `it was too old; the pair is quoted again at ${isoTime(until).slice(11, 19)} UTC if it stays fresh`;
}
