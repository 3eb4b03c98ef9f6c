import { isDeepStrictEqual } from 'node:util';
import type { Followed } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { formulaOf } from '../contract/formula.ts';
import { isProgram, pusher, tokenOf } from '../contract/names.ts';
import type { PriceAnswer, PriceRefusal, PriceUpdate, PushLine } from '../contract/prices.ts';
import type { LadderMove } from '../journal/book/events.ts';
import type { ChainEvent } from '../journal/book/fold.ts';
import { moveLadder } from '../journal/book/ladder-move.ts';
import { compare, formatDecimal, levelNumberSchema, parseDecimal, type Rational } from '../protocol/decimal.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import type { BookPair, ChainBook } from './chain-book.ts';
import { type Fault, sentenceOf } from './faults.ts';
import { checkLadder, prepareLadder } from './ladder-check.ts';
import type { PairTurns } from './pair-turns.ts';
import { fenceFaults } from './price-fence.ts';
import { PushedReferences } from './pushed-references.ts';
import { anchorText, isFurther, MIDDLE_PLACES, middleOf, originOf, ReferenceFence } from './reference-fence.ts';
import type { References } from './references.ts';
import { UpdateRate } from './update-rate.ts';
import { followLadder } from './whether-to-follow.ts';

/** Prices of one chain are published at most this often, milliseconds: what came meanwhile goes into one commit. */
const SPACING_MS = 50;
/** Updates of one pair that wait to be published, at most. */
const MOST_WAITING = 2_000;
/** Publishes of one chain that are on their way to the disk, at most: those of two seconds. */
const MOST_ON_THEIR_WAY = 40;
/** A price between two that were believed within this time is believed too, milliseconds. */
const SURE_MS = 1_000;
/** Faults of a ladder that are told one by one. */
const MOST_FAULTS = 3;

/** What is known of one token on one chain. */
interface Line {
  sequence: number;
  /** Which count it is, of all that were begun. */
  count: number;
  lastAt: number;
  readonly rate: UpdateRate;
  lastError: { error: string; at: number } | null;
}

/** A ladder, and how far it was moved from the one it was pushed or published as. */
interface Standing {
  readonly ladder: Ladder;
  readonly followed: Followed | undefined;
}

/** A revision that was pushed, and when its prices were last said, Unix milliseconds. */
interface Said {
  readonly revision: number;
  at: number;
}

type Outcome = { readonly revision: number } | PriceRefusal;
type Waiter = (outcome: Outcome) => void;

/** One pair that an engine prices. */
interface Slot {
  token: string;
  /** The count of its line in which the pair was taken over. */
  count: number;
  /** The live revision that the next one is built on; another one is somebody else's. */
  over: number;
  /** Whether that was pushed in this count. */
  isOwn: boolean;
  /** What was accepted and is to be published next, when it came, and who waits for it. */
  next: Standing | null;
  acceptedAt: number;
  waiting: Waiter[];
  /** What was pushed last and is in force. */
  live: Said | null;
  /** Who waits for that to be written; null once it is. */
  unwritten: Waiter[] | null;
  /** Middles that were believed a moment ago; those between them are. */
  sure: { low: Rational; high: Rational; until: number; config: ChainBook['config'] } | null;
}

interface Parts {
  readonly memory: BookMemory;
  readonly turns: PairTurns;
  readonly references: Pick<References, 'of' | 'midFreshUntil'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Prices that engines push, as revisions like any other: judged one by one, published together, the newest of each pair, and
 * good for as long as the desk file says. A pair is priced by one token at a time. Nothing of it outlives a restart: a pair
 * whose ladder was pushed before is off until it is pushed again.
 */
export class PushedPrices {
  /** What is pushed to be used as a reference. */
  readonly references = new PushedReferences();
  readonly #parts: Parts;
  readonly #lines = new Map<string, Line>();
  readonly #slots = new Map<string, Slot>();
  readonly #fence = new ReferenceFence('the engine', originOf);
  /** Chains on which something is to be published in a moment, and when something was last. */
  readonly #soon = new Map<number, Promise<void>>();
  readonly #publishedAt = new Map<number, number>();
  /** What is on its way to the disk, by chain. */
  readonly #onTheirWay = new Map<number, Set<Promise<void>>>();
  #counts = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Until when (Unix milliseconds) the pair may be quoted by what was pushed; 0 when it may not, null where nobody pushed its ladder. */
  freshUntil({ chainId, config }: Pick<ChainBook, 'chainId' | 'config'>, { id, ladder }: BookPair): number | null {
    if (tokenOf(ladder.actor) === null) return null;
    const said = this.#slots.get(keyOf(chainId, id))?.live;
    if (said?.revision !== ladder.revision) return 0;
    // Of a time to come: our clock was set back since, and nobody knows how old it is.
    if (said.at > this.#parts.now()) said.at = 0;
    if (said.at === 0) return 0;
    return said.at + config.pricesMaxAgeSeconds * 1_000;
  }

  /**
   * Takes an update of a chain. Returns, once all of it is written or refused, by which revision each pair is served; it is in force
   * before.
   * Throws DeskError `unknown_chain`, and `sequence_gap` where this is not the number that was to come: then nothing of it
   * is taken, and the pairs of the token on this chain are off until it begins anew with 1.
   */
  async push(token: string, chainId: number, update: PriceUpdate): Promise<PriceAnswer> {
    const line = this.#line(token, chainId);
    const { sequence, prices, mids, references } = update;
    if (sequence !== 1 && sequence !== line.sequence + 1) throw this.#gap(token, chainId, line, sequence);
    if (sequence === 1) {
      this.#counts += 1;
      line.count = this.#counts;
    }
    line.sequence = sequence;
    const said = Object.entries(prices ?? mids ?? references ?? {});
    const outcomes = await Promise.all(
      said.map(([pair, value]) => {
        if (references !== undefined) return this.#asReference(token, chainId, pair, value);
        return this.#tried({ token, chainId, pair, line }, prices === undefined ? { mid: value } : { ladder: value });
      }),
    );
    const revisions = new Map<string, number>();
    const refused = new Map<string, PriceRefusal>();
    for (const [index, [pair]] of said.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) continue;
      if ('revision' in outcome) revisions.set(pair, outcome.revision);
      else {
        refused.set(pair, outcome);
        line.lastError = { error: outcome.error, at: this.#parts.now() };
      }
    }
    return { sequence, revisions: Object.fromEntries(revisions), refused: Object.fromEntries(refused) };
  }

  /**
   * Where a token is on a chain, for whoever comes back: the number of the last update that was taken, and by which revision
   * its pairs are served. Throws DeskError `unknown_chain`.
   */
  async where(token: string, chainId: number): Promise<Omit<PriceAnswer, 'refused'>> {
    const { sequence } = this.#line(token, chainId, false);
    await this.#soon.get(chainId);
    await Promise.all(this.#onTheirWay.get(chainId) ?? []);
    const pairs = this.#pairsOf(token, chainId);
    const revisions = pairs.map(({ id, ladder }) => [id, ladder.revision] as const);
    return { sequence, revisions: Object.fromEntries(revisions) };
  }

  /** A pair was given back by a person: whoever prices it next takes it over. */
  forget(chainId: number, pair: string): void {
    const slot = this.#slots.get(keyOf(chainId, pair));
    if (slot === undefined) return;
    refuse(slot, { code: 'taken_over', error: `${pair} was given back only now.` });
    this.#slots.delete(keyOf(chainId, pair));
  }

  /** The token counts no more: its pairs are off at once. */
  revoke(token: string): void {
    for (const { chainId } of this.#parts.memory.chains.values()) {
      this.#lines.delete(keyOf(chainId, token));
      this.#close(token, chainId);
    }
  }

  /** What every token did on every chain since the desk started. */
  lines(): (PushLine & { chainId: number })[] {
    const now = this.#parts.now();
    return [...this.#lines].map(([key, { lastAt, lastError, rate }]) => {
      const [chainId, token] = [Number(key.slice(0, key.indexOf(' '))), key.slice(key.indexOf(' ') + 1)];
      const updates = rate.count(now);
      const pairs = this.#pairsOf(token, chainId).map(({ id }) => id);
      return { chainId, token, lastAt, updates, lastError, pairs };
    });
  }

  #pairsOf(token: string, chainId: number): BookPair[] {
    const pairs = this.#parts.memory.chains.get(chainId)?.pairs ?? new Map<string, BookPair>();
    return [...pairs.values()].filter(({ ladder }) => ladder.actor === pusher(token));
  }

  #line(token: string, chainId: number, isUpdate = true): Line {
    if (!this.#parts.memory.chains.has(chainId)) {
      throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
    }
    const now = this.#parts.now();
    const known = this.#lines.get(keyOf(chainId, token));
    const line: Line = known ?? { sequence: 0, count: 0, lastAt: now, rate: new UpdateRate(), lastError: null };
    if (!isUpdate) return line;
    this.#lines.set(keyOf(chainId, token), line);
    line.lastAt = now;
    line.rate.add(now);
    return line;
  }

  #gap(token: string, chainId: number, line: Line, sequence: number): DeskError {
    const expected = line.sequence === 0 ? 'the first one has to be 1' : `${line.sequence + 1} was expected`;
    const error = new DeskError('sequence_gap', `This is sequence ${sequence}, and ${expected}.`, {
      remedy: 'Nothing of it was taken, and the pairs of this token are off. Start again with sequence 1.',
    });
    line.sequence = 0;
    line.lastError = { error: error.message, at: this.#parts.now() };
    this.#close(token, chainId);
    return error;
  }

  /** The pairs that a token prices are off until it says their prices again, and what it said as a reference counts no more. */
  #close(token: string, chainId: number): void {
    this.references.breakOff(chainId, token);
    for (const [key, slot] of this.#slots) {
      if (slot.token !== token || !key.startsWith(`${chainId} `)) continue;
      refuse(slot, { code: 'prices_stale', error: 'The sequence of this token was broken before this was published.' });
      if (slot.live !== null) slot.live.at = 0;
    }
    this.#parts.memory.refresh(chainId);
  }

  /** What a source says goes where it is listened to, and moves nothing here. */
  #asReference(token: string, chainId: number, id: string, value: unknown): Outcome {
    const pair = this.#parts.memory.chains.get(chainId)?.pairs.get(id);
    if (pair === undefined) return unknownPair(chainId);
    const error = this.references.say({ chainId, token, pair: id, value, now: this.#parts.now() });
    return error === null ? { revision: pair.ladder.revision } : { code: 'reference_faulty', error };
  }

  /** What cannot even be judged is refused alone. */
  #tried(of: PushedPair, said: SaidOfPair): Promise<Outcome> | Outcome {
    try {
      return this.#take(of, said);
    } catch (error) {
      return { code: 'internal', error: `${of.pair} could not be judged: ${String(error)}` };
    }
  }

  #take({ token, chainId, pair: id, line }: PushedPair, said: SaidOfPair): Promise<Outcome> | Outcome {
    const { memory, now } = this.#parts;
    const chain = memory.chains.get(chainId);
    const pair = chain?.pairs.get(id);
    if (chain === undefined || pair === undefined) return unknownPair(chainId);
    if (pair.retiredUntil !== null) return retired(id);
    const driven = drivenBy(chain, id);
    if (driven !== null) return driven;
    const before = this.#slots.get(keyOf(chainId, id));
    const isHeld = before?.token === token && before.count === line.count;
    const barred = isHeld ? takenOver(chain, pair, before) : this.#othersPair(chain, pair, before, token);
    if (barred !== null) return barred;
    if (isHeld && before.waiting.length >= MOST_WAITING) {
      return { code: 'busy', error: `${MOST_WAITING} updates of ${id} wait to be published.` };
    }
    const live: Standing = { ladder: pair.ladder.ladder, followed: pair.ladder.followed };
    const base = (isHeld ? before.next : null) ?? live;
    const next = 'mid' in said ? onMid(base, said.mid, id) : asPushed(said.ladder, pair, base);
    if ('code' in next) return next;
    const outside = fenceFaults(chain, id, next.ladder, { references: this.#parts.references, now: now() });
    if (outside.length > 0) return { code: 'fenced', error: `${id}: ${sentenceOf(outside)}.` };
    // Last of all, for what it does not refuse is believed, and the next prices are held against it.
    const middle = 'mid' in said ? String(said.mid) : middleText(next.ladder);
    const fenced = middle === null ? null : this.#fenced(chain, pair, before?.sure ?? null, middle);
    if (fenced !== null && 'why' in fenced) return { code: 'fenced', error: `${id}: ${fenced.why}.` };

    const slot = isHeld ? before : this.#taken(chainId, pair, before, { token, count: line.count });
    if (fenced !== null) slot.sure = fenced;
    slot.acceptedAt = now();
    const { live: last, unwritten } = slot;
    const isLive = pair.ladder.actor === pusher(token) && last?.revision === pair.ladder.revision;
    if (next === base && slot.next === null && isLive) {
      last.at = slot.acceptedAt;
      slot.isOwn = true;
      if (unwritten === null) return { revision: last.revision };
      return new Promise((resolve) => unwritten.push(resolve));
    }
    slot.next = next;
    const published = new Promise<Outcome>((resolve) => slot.waiting.push(resolve));
    this.#publishSoon(chainId);
    return published;
  }

  /** A token begins to price a pair: nothing of before that waits is published any more. */
  #taken(
    chainId: number,
    { id, ladder }: BookPair,
    before: Slot | undefined,
    by: { token: string; count: number },
  ): Slot {
    if (before !== undefined) {
      refuse(before, { code: 'taken_over', error: 'The sequence started again with 1 before this was published.' });
      return Object.assign(before, { ...by, over: ladder.revision, isOwn: false });
    }
    const slot: Slot = {
      ...by,
      over: ladder.revision,
      isOwn: false,
      next: null,
      acceptedAt: 0,
      waiting: [],
      live: null,
      unwritten: null,
      sure: null,
    };
    this.#slots.set(keyOf(chainId, id), slot);
    return slot;
  }

  /** Why a pair that this token does not price yet stays another's, or null. */
  #othersPair(chain: ChainBook, pair: BookPair, slot: Slot | undefined, token: string): PriceRefusal | null {
    if (slot === undefined || slot.token === token) return null;
    const isWaited = slot.next !== null || slot.unwritten !== null;
    const isFresh = (this.freshUntil(chain, pair) ?? 0) >= this.#parts.now();
    if (!isWaited && !isFresh) return null;
    return { code: 'other_token', error: `${pair.id} is priced by the engine with the token ${slot.token}.` };
  }

  /** Why a middle is not believed; else between which ones others are believed as well for a moment, null where that is known. */
  #fenced(chain: ChainBook, pair: BookPair, sure: Slot['sure'], middle: string): { why: string } | Slot['sure'] {
    const { references, now } = this.#parts;
    const at = now();
    const { config } = chain;
    const price = parseDecimal(middle);
    const reference = references.of(chain.chainId, pair.id);
    const isHeard = reference !== undefined && at <= (references.midFreshUntil(chain, pair.id) ?? 0);
    if (isHeard && isFurther(price, parseDecimal(reference.mid), config.referenceMinuteBps)) {
      const away = `more than ${config.referenceMinuteBps} bps from the reference, which says ${reference.mid}`;
      return { why: `the engine says ${middle}, ${away}` };
    }
    const range = sure !== null && sure.config === config && at < sure.until ? sure : null;
    if (range !== null && compare(range.low, price) <= 0 && compare(price, range.high) <= 0) return null;
    if (!this.#fence.knows(chain.chainId, pair.id)) this.#fence.begin(chain.chainId, pair, null, at);
    const why = this.#fence.judge(chain, pair, middle, at);
    if (why !== null) return { why };
    const low = range !== null && compare(range.low, price) < 0 ? range.low : price;
    const high = range !== null && compare(price, range.high) < 0 ? range.high : price;
    return { low, high, until: range?.until ?? at + SURE_MS, config };
  }

  /** What has come is published in a moment, together. */
  #publishSoon(chainId: number): void {
    if (this.#soon.has(chainId)) return;
    const since = performance.now() - (this.#publishedAt.get(chainId) ?? Number.NEGATIVE_INFINITY);
    const published = new Promise<void>((resolve) => {
      setTimeout(
        () => {
          this.#soon.delete(chainId);
          resolve(this.#publishDue(chainId));
        },
        Math.max(0, SPACING_MS - since),
      );
    });
    this.#soon.set(chainId, published);
  }

  /** Resolves once what is published now is written. */
  async #publishDue(chainId: number): Promise<void> {
    const onTheirWay = this.#onTheirWay.get(chainId) ?? new Set();
    this.#onTheirWay.set(chainId, onTheirWay);
    // A disk that stands still: the next that is written begins anew with what has come until then.
    if (onTheirWay.size >= MOST_ON_THEIR_WAY) return;
    this.#publishedAt.set(chainId, performance.now());
    const written = this.#publish(chainId, this.#dueOn(chainId)).finally(() => {
      onTheirWay.delete(written);
      this.#publishLeft(chainId);
    });
    onTheirWay.add(written);
    this.#publishLeft(chainId);
    await written;
  }

  /** Somebody was at a pair just now, or the disk stood still. */
  #publishLeft(chainId: number): void {
    const isLeft = [...this.#slots].some(([key, { next }]) => next !== null && key.startsWith(`${chainId} `));
    if (isLeft) this.#publishSoon(chainId);
  }

  #dueOn(chainId: number): DuePair[] {
    return [...this.#slots].flatMap(([key, slot]): DuePair[] => {
      const pair = key.slice(key.indexOf(' ') + 1);
      const isDue = slot.next !== null && key.startsWith(`${chainId} `) && !this.#parts.turns.isTaken(chainId, pair);
      return isDue ? [{ pair, slot }] : [];
    });
  }

  /** All at once; what cannot be published is refused alone. Resolves once it is written, and never rejects. */
  async #publish(chainId: number, due: readonly DuePair[]): Promise<void> {
    let ready: readonly ReadyPair[] = [];
    try {
      const time = this.#parts.now();
      const steps = this.#soundStepsOf(chainId, due, time);
      if (steps.length === 0) return;
      // Whoever is told that these ladders are live asks at once how fresh they are.
      ready = steps.map(inForce);
      const rows = rowsOf(chainId, ready, time);
      const events = rows.map(({ event }) => event);
      const results = await this.#parts.memory.pushAll(chainId, events);
      for (const [index, { of }] of rows.entries()) {
        const result = results[index];
        if (of.length > 1 && isRefused(result)) await Promise.all(of.map((one) => this.#putAlone(chainId, one, time)));
        else for (const one of of) became(one, outcomeOf(result, one.pair));
      }
    } catch (error) {
      const refused = { code: 'internal', error: `It could not be published: ${String(error)}` } as const;
      for (const { slot } of due) refuse(slot, refused);
      for (const one of ready) became(one, refused);
    }
  }

  /** A row of moves that the journal refused is tried move by move: what is wrong with one takes no other with it. */
  async #putAlone(chainId: number, one: ReadyPair, time: number): Promise<void> {
    const rows = rowsOf(chainId, [{ ...one, ends: false }], time);
    const [result] = await this.#parts.memory.startAll(
      chainId,
      rows.map(({ event }) => event),
    );
    became(one, outcomeOf(result, one.pair));
  }

  /** What is to be written for these pairs, as far as they could be listed with it. */
  #soundStepsOf(chainId: number, due: readonly DuePair[], time: number): StepOfPair[] {
    const steps = due.flatMap(({ pair, slot }) => {
      const step = this.#stepOf(chainId, pair, slot, time);
      if (!('code' in step)) return [{ pair, slot, ...step }];
      refuse(slot, step);
      return [];
    });
    const [first, ...rest] = rowsOf(chainId, steps, time).map(({ event }) => event);
    if (first === undefined) return [];
    const after = this.#parts.memory.trial(first, ...rest);
    return steps.filter(({ slot, pair }) => {
      const fault = after?.pairs.has(pair) ? after.pairs.get(pair)?.fault : 'it cannot be listed';
      if (fault != null) refuse(slot, { code: 'ladder_faulty', error: `${pair}: ${fault}.` });
      return fault === null;
    });
  }

  /** What is to be written for a pair, or why nothing is. */
  #stepOf(chainId: number, pair: string, slot: Slot, time: number): Omit<StepOfPair, keyof DuePair> | PriceRefusal {
    const chain = this.#parts.memory.chains.get(chainId);
    const listed = chain?.pairs.get(pair);
    if (chain === undefined || listed === undefined || slot.next === null) return unknownPair(chainId);
    if (listed.retiredUntil !== null) return retired(pair);
    const driven = drivenBy(chain, pair);
    if (driven !== null) return driven;
    const barred = takenOver(chain, listed, slot);
    if (barred !== null) return barred;
    const { ladder, followed } = slot.next;
    const { revision: baseRevision } = listed.ladder;
    const revision = baseRevision + 1;
    const ends = chain.config.follow.includes(pair);
    if (followed !== undefined && isMoveOf(listed, slot.next, followed.mid)) {
      return { ends, revision, step: [pair, revision, followed.mid] };
    }
    const anchor = anchorText(listed);
    const moved = { ...(followed && { followed }), ...(anchor !== undefined && { anchor }) };
    const body = { chainId, pair, revision, baseRevision, ladder, ...moved };
    return { ends, revision, step: { time, actor: pusher(slot.token), kind: 'ladder_published', body } };
  }
}

/** Whose pair is pushed. */
type PushedPair = { token: string; chainId: number; pair: string; line: Line };
/** What is said of it; whatever was sent. */
type SaidOfPair = { ladder: unknown } | { mid: unknown };
type DuePair = { pair: string; slot: Slot };
/** What is written for a pair: a move of the ladder that is live, or a ladder; and, before it, whether it ends following. */
type StepOfPair = DuePair & {
  readonly ends: boolean;
  readonly revision: number;
  readonly step: LadderMove | ChainEvent;
};
/** A step that is in force, and who waits for its row. */
type ReadyPair = StepOfPair & { readonly waiters: Waiter[] };

/** The rows of the journal for these pairs, and which pairs go live with each: the moves of a token are one row. */
function rowsOf<Step extends StepOfPair>(
  chainId: number,
  ready: readonly Step[],
  time: number,
): { event: ChainEvent; of: readonly Step[] }[] {
  const ended = ready.filter(({ ends }) => ends);
  const moved = ready.filter(({ step }) => !('kind' in step));
  return [
    ...ended.map(({ pair, slot }) => {
      const body = { chainId, pair, on: false };
      return { event: { time, actor: pusher(slot.token), kind: 'follow_set' as const, body }, of: [] };
    }),
    ...ready.flatMap((one) => ('kind' in one.step ? [{ event: one.step, of: [one] }] : [])),
    ...[...new Set(moved.map(({ slot }) => slot.token))].map((token) => {
      const of = moved.filter(({ slot }) => slot.token === token);
      const moves = of.flatMap(({ step }) => ('kind' in step ? [] : [step]));
      return { event: { time, actor: pusher(token), kind: 'ladders_moved' as const, body: { chainId, moves } }, of };
    }),
  ];
}

/** Whether a ladder is the live one with its middle put on `mid`, and nothing else. */
function isMoveOf({ ladder: live }: BookPair, { ladder, followed }: Standing, mid: string): boolean {
  return isDeepStrictEqual(moveLadder(live.ladder, live.followed, mid), { ladder, followed });
}

function keyOf(chainId: number, name: string): string {
  return `${chainId} ${name}`;
}

function unknownPair(chainId: number): PriceRefusal {
  return { code: 'unknown_pair', error: `This is not a listed pair of chain ${chainId}.` };
}

function retired(pair: string): PriceRefusal {
  return { code: 'pair_retired', error: `${pair} is retired and has no prices any more.` };
}

/** Why no engine prices a pair, whichever it is, or null. */
function drivenBy({ config }: ChainBook, pair: string): PriceRefusal | null {
  const error = config.byHand?.includes(pair)
    ? `${pair} is priced by hand until a person gives it back.`
    : `${pair} is priced by its formula until a person removes that.`;
  const isFree = !config.byHand?.includes(pair) && formulaOf(config, pair) === null;
  return isFree ? null : { code: 'taken_over', error };
}

/** Nothing that waits is published; the last ladder stays. */
function refuse(slot: Slot, refusal: PriceRefusal): void {
  slot.next = null;
  for (const answer of slot.waiting.splice(0)) answer(refusal);
}

/** What is to be written for a pair is what it is served by from now on. */
function inForce(step: StepOfPair): ReadyPair {
  const { slot, revision } = step;
  const waiters = slot.waiting;
  slot.next = null;
  slot.waiting = [];
  slot.live = { revision, at: slot.acceptedAt };
  slot.unwritten = waiters;
  slot.over = revision;
  slot.isOwn = true;
  return { ...step, waiters };
}

/** It is written; or it was refused: then the pair is off, and what was to be built on it is refused as well. */
function became({ slot, revision, waiters }: ReadyPair, refused: PriceRefusal | null): void {
  if (slot.unwritten === waiters) slot.unwritten = null;
  if (refused !== null) {
    refuse(slot, refused);
    slot.over = Math.min(slot.over, revision - 1);
    if (slot.live !== null && slot.live.revision >= revision) slot.live = null;
  }
  const outcome = refused ?? { revision };
  for (const answer of waiters.splice(0)) answer(outcome);
}

function outcomeOf(result: PromiseSettledResult<number> | undefined, pair: string): PriceRefusal | null {
  if (result?.status === 'fulfilled') return null;
  if (isRefused(result)) {
    return { code: 'ladder_moved', error: `Another ladder of ${pair} went live meanwhile.` };
  }
  return { code: 'journal_failed', error: `The ladder of ${pair} could not be written to the journal.` };
}

/** The row contradicts what the journal has. */
function isRefused(result: PromiseSettledResult<number> | undefined): boolean {
  return result?.status === 'rejected' && isDeskError(result.reason, 'journal_row_refused');
}

/** A pair that an engine prices was published by somebody else since, or follows the reference: null where that is not so. */
function takenOver({ config }: ChainBook, { id, ladder }: BookPair, slot: Slot): PriceRefusal | null {
  const isOurs = ladder.revision === slot.over;
  const follows = slot.isOwn && config.follow.includes(id);
  if (isOurs && !follows) return null;
  // It was still being moved with the reference when the engine began.
  const isMoved = isProgram(ladder.actor) && tokenOf(ladder.actor) === null;
  if (!slot.isOwn && isMoved) return null;
  const what = isOurs ? 'it follows the reference' : `${ladder.actor} published revision ${ladder.revision}`;
  const error = `${id} was taken over: ${what}. Start again with sequence 1 to price it again.`;
  return { code: 'taken_over', error };
}

/** The ladder with its middle on a mid; the very same where it need not move. */
function onMid(base: Standing, mid: unknown, pair: string): Standing | PriceRefusal {
  const { data } = levelNumberSchema.safeParse(mid);
  if (data === undefined || parseDecimal(data).n === 0n) {
    return {
      code: 'ladder_faulty',
      error: `The mid of ${pair} must be a plain decimal above zero, written as a string.`,
    };
  }
  const step = followLadder(base.ladder, base.followed, data);
  if (step.kind === 'still') return base;
  if (step.kind === 'move') return { ladder: step.ladder, followed: step.followed };
  const error =
    `The ladder of ${pair} cannot be put on this mid: that needs levels on both sides, at most 10 % at once, and no level at ` +
    'zero or below. Push a whole ladder.';
  return { code: 'no_middle', error };
}

/** A ladder as it was pushed, if it is sound; the very same object as before where it says the same. */
function asPushed(pushed: unknown, { id, base, quote }: BookPair, before: Standing): Standing | PriceRefusal {
  const { value, faults } = checkLadder(pushed);
  const found: readonly Fault[] =
    faults ??
    prepareLadder(value, base, quote).faults.map(({ side, level, message }) => ({
      path: `${side}[${level}][1]`,
      message,
    }));
  if (value === null || found.length > 0) {
    const more = found.length > MOST_FAULTS ? `; and ${found.length - MOST_FAULTS} more` : '';
    return { code: 'ladder_faulty', error: `${id}: ${sentenceOf(found.slice(0, MOST_FAULTS))}${more}.` };
  }
  return isDeepStrictEqual(value, before.ladder) ? before : { ladder: value, followed: undefined };
}

/** A middle is half-way between two decimals, so that it has an end. */
function middleText(ladder: Ladder): string | null {
  const middle = middleOf(ladder);
  return middle === null ? null : formatDecimal(middle, MIDDLE_PLACES, 'floor');
}
