import type { ChainEvent } from '../journal/book/fold.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import type { DraftShelf } from './draft-shelf.ts';
import { type DraftState, says } from './draft-state.ts';
import { followLadder } from './follow-ladder.ts';
import { checkLadder } from './ladder-check.ts';
import type { PairTurns } from './pair-turns.ts';

/** Under which name a ladder that moved with the reference is published. */
const FOLLOW = 'follow';
/** A pair moves at most this often: once a second, less what a timer may come early. */
const SPACING_MS = 900;

type Published = Extract<ChainEvent, { kind: 'ladder_published' }>;

/**
 * What became of a pair that follows: it stands on the reference, it moves with a `later` price and knows nothing of this
 * one, it waits for a person, or it is held back, because it must not be quoted where it stands. `sentence` ends "WETH/USDC does not follow: …".
 */
export type FollowOutcome =
  | { readonly kind: 'follows' | 'later' }
  | { readonly kind: 'waits' | 'held'; readonly sentence: string };

/** Moves the ladders that follow the reference, as revisions like any other. */
export class Follower {
  readonly #memory: BookMemory;
  readonly #shelf: DraftShelf;
  readonly #turns: PairTurns;
  readonly #now: () => number;

  constructor(memory: BookMemory, shelf: DraftShelf, turns: PairTurns, now: () => number) {
    this.#memory = memory;
    this.#shelf = shelf;
    this.#turns = turns;
    this.#now = now;
  }

  /** Moves what has to move to these mids, all in one commit. Resolves when the new revisions are in force. */
  async follow(chainId: number, mids: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, FollowOutcome>> {
    const chain = this.#memory.chains.get(chainId);
    const outcomes = new Map<string, FollowOutcome>();
    const events: Published[] = [];
    for (const pair of chain?.config.follow ?? []) {
      const mid = mids.get(pair);
      if (mid === undefined || !chain?.pairs.has(pair)) continue;
      const step = this.#step(chainId, pair, mid);
      if (step.kind === 'ladder_published') events.push(step);
      else outcomes.set(pair, step);
    }
    const written = await this.#publish(chainId, events);
    for (const [index, { body }] of events.entries()) outcomes.set(body.pair, became(written[index]));
    return outcomes;
  }

  #step(chainId: number, pair: string, mid: string): FollowOutcome | Published {
    // Somebody is publishing or editing it this very moment: the next second is early enough.
    if (this.#turns.isTaken(chainId, pair)) return { kind: 'later' };
    const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair)?.ladder;
    const ladder = checkLadder(stored?.ladder).value;
    if (stored === undefined || ladder === null) return { kind: 'held', sentence: 'its ladder cannot be read' };
    const draft = this.#shelf.take(chainId, pair);
    if (!says(draft, ladder)) return { kind: 'waits', sentence: editedBy(draft) };
    const time = this.#now();
    const tooSoon = stored.followed !== undefined && Math.abs(time - stored.time) < SPACING_MS;
    if (tooSoon) return { kind: 'later' };
    const step = followLadder(ladder, stored.followed, mid);
    if (step.kind === 'still') return { kind: 'follows' };
    if (step.kind === 'held') return step;
    const revision = stored.revision + 1;
    const { ladder: moved, followed } = step;
    const body = { chainId, pair, revision, baseRevision: stored.revision, ladder: moved, followed };
    const event: Published = { time, actor: FOLLOW, kind: 'ladder_published', body };
    const fault = this.#memory.trial(event)?.pairs.get(pair)?.fault ?? null;
    return fault === null ? event : { kind: 'held', sentence: fault };
  }

  /** Nobody edits or publishes these pairs until their new revisions are in force. */
  #publish(chainId: number, events: readonly Published[]): Promise<PromiseSettledResult<number>[]> {
    if (events.length === 0) return Promise.resolve([]);
    const written = this.#memory.startAll(chainId, events);
    for (const { body } of events) void this.#turns.run(chainId, body.pair, () => written).catch(() => undefined);
    return written;
  }
}

function became(written: PromiseSettledResult<number> | undefined): FollowOutcome {
  if (written?.status === 'fulfilled') return { kind: 'follows' };
  // A desk file that was taken meanwhile brought a revision of its own: the next second is early enough.
  if (isDeskError(written?.reason, 'journal_row_refused')) return { kind: 'later' };
  return { kind: 'held', sentence: 'its new ladder could not be written' };
}

function editedBy({ bids, asks }: DraftState): string {
  const editors = [...bids, ...asks].flatMap(({ price, amount }) => [price.editor, amount.editor]);
  const names = [...new Set(editors.filter((name) => name !== null))].join(' and ');
  return `its draft was changed${names === '' ? '' : ` by ${names}`} and waits to be published or discarded`;
}
