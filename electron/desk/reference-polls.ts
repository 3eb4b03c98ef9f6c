import type { ChainBook } from '../book/chain-book.ts';
import { combineSources, mostAge, referenceLine, ruleOf } from '../book/combine-sources.ts';
import type { FollowOutcome } from '../book/follower.ts';
import { type Listed, ReferenceJudge, type SaidOfPair, takenBack } from '../book/judge-reference.ts';
import type { Reference } from '../book/references.ts';
import { formulaOf } from '../contract/formula.ts';
import { REFERENCE_URL, type ReferenceLine, type SourceLine, type SourcePrice } from '../contract/sources.ts';
import { ChainLoops } from './chain-loops.ts';
import { FormulaInputSource } from './formula-inputs.ts';
import { NetPositions } from './net-positions.ts';
import type { Rooms } from './rooms.ts';
import { SourceFeeds, type SourceParts } from './source-feeds.ts';

const EVERY_MS = 1_000;
/** Without news the prices are gone through after so long, for what grew too old. */
const QUIET_MS = 500;

/** How the reference of a chain is doing. */
export interface ReferenceState {
  /** When its `referenceUrl` gave the answer that was taken up last; Unix milliseconds. */
  answeredAt: number | null;
  /** Why the last one could not be, or null. */
  fault: string | null;
  /** Pairs whose price in it cannot be used, and why. */
  pairFaults: ReadonlyMap<string, string>;
  /** Pairs that should follow their reference. */
  followers: ReadonlyMap<string, FollowOutcome>;
}

/** What was sampled last of a pair: when, the time and the price of the word, and until when that is believed. Unix milliseconds. */
interface Sampled {
  readonly chainId: number;
  readonly pair: string;
  readonly time: number;
  readonly said: number;
  readonly mid: string;
  readonly until: number;
}

interface Parts extends SourceParts, Pick<Rooms, 'journal'> {
  /** Stops pairs whose sources are apart where the desk file says so, and knows whether the clocks agree. */
  readonly guard: {
    trading: Pick<Rooms['guard']['trading'], 'halt' | 'stateOf'>;
    orders: Pick<Rooms['guard']['orders'], 'of'>;
  };
}

/**
 * Goes through what the sources of every chain said, once a second: what they come to goes into the book, a sample of each
 * pair into the journal's plain table, and the ladders that follow are moved before a price counts as heard, so that a pair
 * that was closed for want of a reference never opens on prices from before.
 */
export class ReferencePolls {
  readonly #rooms: Parts;
  readonly #feeds: SourceFeeds;
  readonly #followers = new Map<number, ReadonlyMap<string, FollowOutcome>>();
  /** When the `referenceUrl` of a chain gave the answer that was taken up last. */
  readonly #answeredAt = new Map<number, number>();
  /** The last sample of each pair since the start. */
  readonly #sampled = new Map<string, Sampled>();
  /** What was taken last of pairs that have what their `referenceUrl` says: a word is taken once. */
  readonly #taken = new Map<string, SourcePrice>();
  readonly #judge: ReferenceJudge;
  /** What formulas work with. */
  readonly inputs: FormulaInputSource;
  readonly #loops: ChainLoops;

  constructor(rooms: Parts) {
    this.#rooms = rooms;
    this.#feeds = new SourceFeeds(rooms);
    const { references } = rooms.book;
    this.#judge = new ReferenceJudge({ references, read: rooms.journal.read, now: rooms.now });
    this.inputs = new FormulaInputSource(rooms.journal, new NetPositions(rooms.journal, rooms.log), rooms.now);
    this.#loops = new ChainLoops(rooms, {
      keyOf: ({ referenceUrl, sources = {}, references }) => {
        if (referenceUrl === null && Object.keys(sources).length === 0) return null;
        return JSON.stringify([referenceUrl, sources, references]);
      },
      begin: (chainId) => {
        this.#feeds.forget(chainId);
        this.#followers.delete(chainId);
        this.#answeredAt.delete(chainId);
        references.forget(chainId);
        for (const { pair } of this.#samplesOf(chainId)) this.#believeUntil(chainId, pair, rooms.now());
        this.#judge.forget(chainId);
        this.inputs.forget(chainId);
      },
      round: (chainId, _key, signal) => this.#round(chainId, signal),
    });
  }

  start(): void {
    this.#loops.start();
  }

  async stop(): Promise<void> {
    await this.#loops.stop();
    await this.#feeds.ended();
  }

  of(chainId: number): ReferenceState {
    const heard = this.#feeds.of(chainId, REFERENCE_URL);
    return {
      answeredAt: this.#answeredAt.get(chainId) ?? null,
      fault: heard?.fault ?? null,
      pairFaults: heard?.pairFaults ?? new Map(),
      followers: this.#followers.get(chainId) ?? new Map(),
    };
  }

  /** How each source of a chain does. */
  sources(chainId: number): SourceLine[] {
    return this.#feeds.lines(chainId);
  }

  /** The sources of a chain that cannot be heard, and why. */
  silent(chainId: number): { name: string; fault: string }[] {
    return this.#feeds.silent(chainId);
  }

  /** How the reference of each pair of a chain stands; a pair without one is left out. */
  references(chainId: number): ReferenceLine[] {
    const { book, now } = this.#rooms;
    const chain = book.chain(chainId);
    const voiceOf = (pair: string) => (name: string) => ({ name, price: this.#feeds.of(chainId, name)?.of(pair) });
    return [...(chain?.pairs.keys() ?? [])].flatMap((pair) => {
      const line = chain === undefined ? null : referenceLine(chain, pair, voiceOf(pair), now());
      return line === null ? [] : [line];
    });
  }

  async #round(chainId: number, signal: AbortSignal): Promise<number> {
    this.#feeds.begin(chainId, signal);
    await this.#feeds.news(chainId, QUIET_MS);
    if (signal.aborted) return EVERY_MS;
    const answeredAt = this.#feeds.of(chainId, REFERENCE_URL)?.answeredAt ?? null;
    try {
      await this.#take(chainId, signal);
      if (answeredAt !== null) this.#answeredAt.set(chainId, answeredAt);
    } catch (error) {
      this.#rooms.log.error('a reference could not be taken', { chainId, error: String(error) });
    }
    return EVERY_MS;
  }

  async #take(chainId: number, signal: AbortSignal): Promise<void> {
    const { book, now } = this.#rooms;
    const chain = book.chain(chainId);
    if (chain === undefined) return;
    const all = this.#listed(chain);
    this.#haltApart(chain, all);
    const listed = all.filter(([, { unsure }]) => unsure === null);
    const fenced = await this.#judge.fenced(chain, listed);
    this.#tellFenced(chainId, fenced);
    const oldest = now() - chain.config.referenceMaxAgeSeconds * 1_000;
    const fresh = listed
      .filter(([pair, { time }]) => time >= oldest && !fenced.has(pair))
      .map(([pair, { mid }]) => [pair, mid] as const);
    const priced = chain.config.formulas ?? {};
    await Promise.all(Object.entries(priced).map(([pair, formula]) => this.inputs.ready(chainId, pair, formula)));
    for (const [pair, heard] of listed) if (!fenced.has(pair)) this.inputs.note(chainId, pair, heard);
    const said = new Map(listed);
    const followers = await book.follow(chainId, new Map(fresh), (id, formula) => {
      const [pair, heard] = [chain.pairs.get(id), said.get(id)];
      return pair && heard ? this.inputs.of(chainId, pair, formula, heard) : { kind: 'later' };
    });
    if (signal.aborted) return; // others are heard by now
    // A ladder that could not move yet would stand through the new price for no fault of its own.
    const taken = all.filter(([pair]) => followers.get(pair)?.kind !== 'later');
    const found = { fenced, followers };
    const heard = taken.map((one): [string, Reference] => [one[0], this.#judge.judged(chain, one, found)]);
    book.references.record(chainId, new Map(heard), (pair) => ruleOf(chain.config, pair) !== null);
    for (const [pair, said] of listed) if (!fenced.has(pair)) this.#sample(chain, pair, said);
    this.#endBelief(chain, all, fenced);
    this.#followers.set(chainId, followers);
  }

  /**
   * What is said of the listed pairs: of those that name their sources what these come to, of the others what is new; of those with a
   * formula what was last said, which may have grown old.
   */
  #listed(chain: ChainBook): Listed[] {
    const { chainId, config, pairs } = chain;
    const now = this.#rooms.now();
    return [...pairs.keys()].flatMap((pair): Listed[] => {
      const rule = ruleOf(config, pair);
      if (rule !== null) {
        const voices = rule.sources.map((name) => ({ name, price: this.#feeds.of(chainId, name)?.of(pair) }));
        const combined = combineSources(rule, voices, now);
        if (combined !== null) return [[pair, combined]];
        // What was heard before has been taken back, as where the count of an engine broke off.
        const before = this.#rooms.book.references.of(chainId, pair);
        return before === undefined ? [] : [[pair, takenBack(before)]];
      }
      const price = this.#feeds.of(chainId, REFERENCE_URL)?.of(pair);
      const isTaken = price !== undefined && this.#taken.get(keyOf(chainId, pair)) === price;
      if (price === undefined || (isTaken && formulaOf(config, pair) === null)) return [];
      this.#taken.set(keyOf(chainId, pair), price);
      return [[pair, { mid: price.bid, time: price.time, unsure: null }]];
    });
  }

  /** Switches off the pairs whose sources are apart and whose rule says so, until a person resumes them. */
  #haltApart({ chainId, config }: ChainBook, listed: readonly Listed[]): void {
    const { trading } = this.#rooms.guard;
    for (const [pair, { unsure }] of listed) {
      if (unsure?.why !== 'apart' || ruleOf(config, pair)?.whenApart !== 'halts') continue;
      if (trading.stateOf({ chainId, pair }) === 'HALTED') continue;
      void trading.halt({ chainId, pair }, { actor: 'desk', cause: `${pair}: ${unsure.sentence}.` });
    }
  }

  /** Logs which pairs are not believed from now on. */
  #tellFenced(chainId: number, fenced: ReadonlyMap<string, string>): void {
    const { book, log } = this.#rooms;
    for (const [pair, refused] of fenced) {
      if (book.references.of(chainId, pair)?.fenced !== true) log.warn(`${pair}: ${refused}`, { chainId });
    }
  }

  /**
   * A price that the reference only repeats is one sample. One of several sources may move while the word that dates it stands, and a word
   * that was doubted may be believed again: that is of now, and believed for as long as the word.
   */
  #sample({ chainId, config }: ChainBook, pair: string, { mid, time: said, midTime }: SaidOfPair): void {
    const { journal, guard, now } = this.#rooms;
    const last = this.#sampled.get(keyOf(chainId, pair));
    // One of a time to come was taken before our clock was set back.
    const isBefore = last !== undefined && said <= last.time && last.time <= now();
    const until = said + mostAge(config, pair) * 1_000;
    if (isBefore && said <= last.said && mid === last.mid && until <= last.until) return;
    // What was written of the word before the start may have been doubted since.
    const isFirst = (last?.time ?? 0) === 0;
    const time = isBefore || (isFirst && said < now()) ? now() : said;
    this.#sampled.set(keyOf(chainId, pair), { chainId, pair, time, said, mid, until });
    // A journal that cannot be written halts the desk by itself.
    const clockAgrees = guard.orders.of(chainId).clockAgrees();
    const sample = { chainId, pair, time, heard: now(), mid, midTime, believedUntil: until, clockAgrees };
    journal.put({ table: 'reference_samples', ...sample }).catch(() => {});
  }

  /**
   * What is not relied on any more was believed until now, and what may be less old than when it was heard no longer than that. A price
   * that grows too old ends by itself.
   */
  #endBelief({ chainId, config }: ChainBook, listed: readonly Listed[], fenced: ReadonlyMap<string, string>): void {
    const now = this.#rooms.now();
    for (const [pair, { unsure }] of listed) {
      if (unsure !== null || fenced.has(pair)) this.#believeUntil(chainId, pair, now);
    }
    for (const { pair, said } of this.#samplesOf(chainId)) {
      this.#believeUntil(chainId, pair, Math.max(now, said + mostAge(config, pair) * 1_000));
    }
  }

  #samplesOf(chainId: number): Sampled[] {
    return [...this.#sampled.values()].filter((sample) => sample.chainId === chainId);
  }

  /** Writes down that what was sampled last of a pair is believed until then at most. */
  #believeUntil(chainId: number, pair: string, until: number): void {
    const last = this.#sampled.get(keyOf(chainId, pair));
    if (last !== undefined && last.until <= until) return;
    // What was sampled before the start nobody here knows.
    const { time, said, mid } = last ?? { time: 0, said: 0, mid: '' };
    this.#sampled.set(keyOf(chainId, pair), { chainId, pair, time, said, mid, until });
    this.#rooms.journal.put({ table: 'reference_ends', chainId, pair, at: until }).catch(() => {});
  }
}

function keyOf(chainId: number, pair: string): string {
  return `${chainId} ${pair}`;
}
