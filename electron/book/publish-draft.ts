import type { z } from 'zod';
import type { Followed, PublishedLadder, PublishedWithOthers, TakenBack, takeBackSchema } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { below } from '../contract/fault-path.ts';
import { formulaOf } from '../contract/formula.ts';
import { tokenOf } from '../contract/names.ts';
import type { ChainEvent } from '../journal/book/fold.ts';
import { moveLadder } from '../journal/book/ladder-move.ts';
import { add, formatDecimal, mul, parseDecimal } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookJournal, BookMemory } from './book-memory.ts';
import type { DraftShelf } from './draft-shelf.ts';
import { type DraftBase, draftedLadder, says } from './draft-state.ts';
import { draftFaults } from './draft-view.ts';
import { refuseUnlessSeen } from './drafts.ts';
import { FaultyInput } from './faults.ts';
import type { PairTurns } from './pair-turns.ts';
import { fenceFaults } from './price-fence.ts';
import type { References } from './references.ts';

/** A draft as it is to be published: still `version`, and whether it goes on following the reference. */
export type PublishRequest = { chainId: number; pair: string; version: number; keepFollowing: boolean };

type TakeBackRequest = z.infer<typeof takeBackSchema>;

type LadderEvent = Extract<ChainEvent, { kind: 'ladder_published' }>;

/** Publishing what was drafted: by whoever has seen all of it, over the ladder that it was begun on and no newer one. */
export class DraftPublisher {
  readonly #memory: BookMemory;
  readonly #shelf: DraftShelf;
  readonly #journal: Pick<BookJournal, 'read'>;
  readonly #now: () => number;
  readonly #turns: PairTurns;
  readonly #references: Pick<References, 'of' | 'midFreshUntil'>;

  constructor(parts: {
    memory: BookMemory;
    shelf: DraftShelf;
    turns: PairTurns;
    journal: Pick<BookJournal, 'read'>;
    references: Pick<References, 'of' | 'midFreshUntil'>;
    now: () => number;
  }) {
    this.#memory = parts.memory;
    this.#shelf = parts.shelf;
    this.#turns = parts.turns;
    this.#journal = parts.journal;
    this.#references = parts.references;
    this.#now = parts.now;
  }

  /**
   * Publishes the draft as the pair's next revision, if it still is `version` and was begun on the revision that is
   * live. In force once its row is durable. With `keepFollowing` the middle of what is published goes on being put on the
   * reference, each level at its new distance from it.
   * Throws DeskError `unknown_pair`, `pair_retired`, `draft_changed`, `ladder_moved`, `not_following` or `no_middle`, and
   * FaultyInput `draft_faulty`.
   */
  publish(
    chainId: number,
    pair: string,
    version: number,
    actor: string,
    keepFollowing: boolean,
  ): Promise<PublishedLadder> {
    return this.#turns.run(chainId, pair, async () => {
      const { event, published } = this.#toPublish({ chainId, pair, version, keepFollowing }, actor);
      await this.#put(event);
      return published;
    });
  }

  /**
   * Publishes several drafts or none: each is judged as `publish` does before the first row is written, and none of them
   * changes meanwhile; each pair once. Only a journal that fails, which halts the desk, can leave some of them out. Throws
   * what `publish` throws, with the pair's name before it.
   */
  publishSeveral(drafts: readonly PublishRequest[], actor: string): Promise<PublishedWithOthers[]> {
    const inOrder = [...drafts].sort((a, b) => a.chainId - b.chainId || (a.pair < b.pair ? -1 : 1));
    const holding = (next: number): Promise<PublishedWithOthers[]> => {
      const request = inOrder[next];
      if (request !== undefined) {
        return this.#turns.run(request.chainId, request.pair, () => holding(next + 1));
      }
      const ready = drafts.map((one) => namingPair(one, () => this.#toPublish(one, actor)));
      return Promise.all(ready.map(async ({ event, published }) => this.#telling(published, await this.#put(event))));
    };
    return holding(0);
  }

  #toPublish({ chainId, pair, version, keepFollowing }: PublishRequest, actor: string) {
    const draft = this.#shelf.take(chainId, pair);
    const live = this.#shelf.liveBase(chainId, pair);
    refuseUnlessSeen(draft, version);
    this.#refuseRetired(chainId, pair);
    if (draft.baseRevision !== live.revision) {
      throw new DeskError(
        'ladder_moved',
        `Revision ${live.revision} of ${pair} went live after this draft was begun on revision ${draft.baseRevision}.`,
        {
          remedy: this.#isDriven(chainId, pair)
            ? 'An engine or a formula prices the pair: take it over, bring the draft onto what is live, and publish.'
            : 'Discard the draft, look at the ladder that is live, and make the change again.',
        },
      );
    }
    const { cells, ladder: whole } = draftFaults(draft, this.#shelf.around(chainId, pair));
    const faults = [...cells].map(([path, message]) => ({ path, message }));
    faults.push(...whole.filter(({ path }) => !cells.has(path)));
    if (faults.length > 0) throw new FaultyInput('draft_faulty', 'The draft', faults);

    return this.#publication({ chainId, pair, live, ladder: draftedLadder(draft), follows: keepFollowing, actor });
  }

  /** A ladder as the pair's next revision. Throws as `publish` does where it does not fit the pair as it is. */
  #publication(of: {
    chainId: number;
    pair: string;
    live: DraftBase;
    ladder: Ladder;
    follows: boolean;
    actor: string;
  }): { event: LadderEvent; published: PublishedLadder } {
    const { chainId, pair, live, ladder, actor } = of;
    const revision = live.revision + 1;
    const time = this.#now();
    const followed = of.follows ? this.#standing(chainId, pair, ladder) : undefined;
    const event: LadderEvent = {
      time,
      actor,
      kind: 'ladder_published',
      body: { chainId, pair, revision, baseRevision: live.revision, ladder, ...(followed && { followed }) },
    };
    this.#refuseUnlessSound(event, pair);
    this.#refuseOutside(chainId, pair, ladder);
    return { event, published: { chainId, pair, revision, time, actor, ladder, ...(followed && { followed }) } };
  }

  /**
   * Publishes again what was live of pairs before they were published, each by itself, where nobody published or drafted
   * anything since. Moves with the reference are nobody's word: of a pair that goes on following, the ladder of before is put
   * where the reference has it by now. Never throws: says of each pair what became of it.
   */
  takeBack(requests: readonly TakeBackRequest[], actor: string): Promise<TakenBack[]> {
    return Promise.all(
      requests.map(async (request) => {
        const { chainId, pair } = request;
        try {
          const published = await this.#turns.run(chainId, pair, () => this.#takeBack(request, actor));
          return { chainId, pair, published, why: null };
        } catch (error) {
          const why =
            error instanceof DeskError ? [error.message, error.remedy].filter(Boolean).join(' ') : String(error);
          return { chainId, pair, published: null, why };
        }
      }),
    );
  }

  async #takeBack(
    { chainId, pair, revision, before, keepFollowing }: TakeBackRequest,
    actor: string,
  ): Promise<PublishedLadder> {
    const last = await this.#journal.read.lastPublished(chainId, pair);
    const live = this.#shelf.liveBase(chainId, pair);
    if (last !== revision || !says(this.#shelf.take(chainId, pair), live.ladder)) {
      throw new DeskError('changed_meanwhile', 'It was changed since, so it stays as it is.');
    }
    this.#refuseRetired(chainId, pair);
    const mid = keepFollowing ? live.followed?.mid : undefined;
    const moved = mid === undefined ? null : moveLadder(before.ladder, before.followed, mid);
    const ladder = moved?.ladder ?? before.ladder;
    const { event, published } = this.#publication({ chainId, pair, live, ladder, follows: keepFollowing, actor });
    await this.#put(event);
    return published;
  }

  /**
   * Publishes the ladder that is live around `mid`, because a person says that this is the price: with it the reference is
   * believed again. One that follows goes on, and so does one with a formula; one that an engine pushed is in hand from then on. In force
   * once its row is durable. Throws DeskError `unknown_pair`, `pair_retired` and `no_middle`, and FaultyInput `draft_faulty`.
   */
  publishAround(chainId: number, pair: string, mid: string, actor: string): Promise<PublishedWithOthers> {
    return this.#turns.run(chainId, pair, async () => {
      const live = this.#shelf.liveBase(chainId, pair);
      this.#refuseRetired(chainId, pair);
      const moved = moveLadder(live.ladder, undefined, mid);
      if (moved === null) {
        throw new DeskError('no_middle', `The ladder of ${pair} cannot be put around ${mid}.`, {
          remedy: 'Publish its prices by hand: that is as good.',
        });
      }
      const follows = this.#memory.committed.chains.get(chainId)?.settings.follow.includes(pair) === true;
      const { event, published } = this.#publication({ chainId, pair, live, ladder: moved.ladder, follows, actor });
      if (!this.#hasFormula(chainId, pair)) return this.#telling(published, await this.#put(event));
      await this.#memory.start(event);
      return published;
    });
  }

  /** What a ladder stands on that a person publishes and lets follow on: its own middle. */
  #standing(chainId: number, pair: string, { bids, asks }: Ladder): Followed {
    if (this.#memory.committed.chains.get(chainId)?.settings.follow.includes(pair) !== true) {
      throw new DeskError('not_following', `${pair} does not follow the reference any more.`, {
        remedy: 'Publish it as it stands, and switch following on again if you want it.',
      });
    }
    const [bid, ask] = [bids[0], asks[0]];
    if (bid === undefined || ask === undefined) {
      throw new DeskError(
        'no_middle',
        `${pair} would have levels on one side only, so it has no middle to follow with.`,
        {
          remedy: 'Publish both sides, or publish it without following.',
        },
      );
    }
    const middle = mul(add(parseDecimal(bid[0]), parseDecimal(ask[0])), { n: 1n, d: 2n });
    const places = Math.max(...[bid[0], ask[0]].map((price) => price.split('.')[1]?.length ?? 0)) + 1;
    return { mid: formatDecimal(middle, places, 'floor'), bids: '0', asks: '0' };
  }

  /**
   * A person's ladder over one that an engine pushed or a formula made takes the pair over: else those would take it back at once. Returns
   * whether it did, which it does not where the pair was in hand already.
   */
  async #put(event: LadderEvent): Promise<boolean> {
    const { time, actor, body } = event;
    const { chainId, pair } = body;
    const isDriven = this.#isDriven(chainId, pair);
    const isInHand = this.#memory.chains.get(chainId)?.config.byHand?.includes(pair) === true;
    const taken: ChainEvent = { time, actor, kind: 'hand_set', body: { chainId, pair, on: true } };
    await Promise.all([isDriven ? this.#memory.stop(taken) : null, this.#memory.start(event)]);
    return isDriven && !isInHand;
  }

  #telling(published: PublishedLadder, takenOver: boolean): PublishedWithOthers {
    return takenOver ? { ...published, takenOver } : published;
  }

  /** Whether the ladder that is live came from an engine, or the pair has a formula. */
  #isDriven(chainId: number, pair: string): boolean {
    const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair);
    return (stored !== undefined && tokenOf(stored.ladder.actor) !== null) || this.#hasFormula(chainId, pair);
  }

  #hasFormula(chainId: number, pair: string): boolean {
    return formulaOf(this.#memory.committed.chains.get(chainId)?.settings ?? {}, pair) !== null;
  }

  #refuseRetired(chainId: number, pair: string): void {
    if (this.#memory.chains.get(chainId)?.pairs.get(pair)?.retiredUntil == null) return;
    throw new DeskError('pair_retired', `${pair} is retired and has no prices any more.`, {
      remedy: 'List the pair again first.',
    });
  }

  #refuseUnlessSound(event: ChainEvent, pair: string): void {
    const after = this.#memory.trial(event);
    const fault = after?.pairs.get(pair)?.fault;
    if (fault === null) return;
    const apart = after?.setApart.find(({ kind, id }) => kind === 'pair' && id === pair)?.fault;
    throw new FaultyInput('draft_faulty', 'The pair', [{ path: below('pairs', pair), message: fault ?? apart ?? '' }]);
  }

  /** Nothing would be signed of it. */
  #refuseOutside(chainId: number, pair: string, ladder: Ladder): void {
    const chain = this.#memory.chains.get(chainId);
    const heard = { references: this.#references, now: this.#now() };
    const faults = chain === undefined ? [] : fenceFaults(chain, pair, ladder, heard);
    if (faults.length > 0) throw new FaultyInput('draft_faulty', 'The draft', faults);
  }
}

/** Of several pairs a refusal says which one it is about, and that nothing was done for the others either. */
function namingPair<T>({ pair }: PublishRequest, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    const remedy = ['Nothing was published.', error.remedy].filter(Boolean).join(' ');
    if (error instanceof FaultyInput) {
      throw new FaultyInput(error.code, pair, error.faults, { sentence: `${pair}: ${error.message}`, remedy });
    }
    throw new DeskError(error.code, `${pair}: ${error.message}`, { remedy, cause: error });
  }
}
