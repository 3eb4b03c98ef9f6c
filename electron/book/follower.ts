import type { LadderMove } from '../journal/book/events.ts';
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

type Moved = Extract<ChainEvent, { kind: 'ladders_moved' }>;

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

  /** Moves what has to move to these mids, all in one row of the journal. Resolves when the new revisions are in force. */
  async follow(chainId: number, mids: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, FollowOutcome>> {
    const chain = this.#memory.chains.get(chainId);
    const time = this.#now();
    const outcomes = new Map<string, FollowOutcome>();
    const moves: LadderMove[] = [];
    for (const pair of chain?.config.follow ?? []) {
      const mid = mids.get(pair);
      if (mid === undefined || !chain?.pairs.has(pair)) continue;
      const step = this.#step(chainId, pair, mid, time);
      if ('move' in step) moves.push(step.move);
      else outcomes.set(pair, step);
    }
    const after = moves.length === 0 ? undefined : this.#memory.trial(movedBy(chainId, moves, time));
    const sound = moves.filter(([pair]) => {
      const fault = after?.pairs.get(pair)?.fault ?? null;
      if (fault !== null) outcomes.set(pair, { kind: 'held', sentence: fault });
      return fault === null;
    });
    for (const [pair, became] of await this.#write(chainId, sound, time)) outcomes.set(pair, became);
    return outcomes;
  }

  #step(chainId: number, pair: string, mid: string, time: number): FollowOutcome | { readonly move: LadderMove } {
    // Somebody is publishing or editing it this very moment: the next second is early enough.
    if (this.#turns.isTaken(chainId, pair)) return { kind: 'later' };
    const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair)?.ladder;
    const ladder = checkLadder(stored?.ladder).value;
    if (stored === undefined || ladder === null) return { kind: 'held', sentence: 'its ladder cannot be read' };
    const draft = this.#shelf.take(chainId, pair);
    if (!says(draft, ladder)) return { kind: 'waits', sentence: editedBy(draft) };
    const tooSoon = stored.followed !== undefined && Math.abs(time - stored.time) < SPACING_MS;
    if (tooSoon) return { kind: 'later' };
    const step = followLadder(ladder, stored.followed, mid);
    if (step.kind === 'still') return { kind: 'follows' };
    if (step.kind === 'held') return step;
    return { move: [pair, stored.revision + 1, mid] };
  }

  /** Nobody edits or publishes these pairs until their new revisions are in force. */
  async #write(chainId: number, moves: readonly LadderMove[], time: number): Promise<[string, FollowOutcome][]> {
    if (moves.length === 0) return [];
    const written = this.#memory.startAll(chainId, [movedBy(chainId, moves, time)]);
    for (const [pair] of moves) void this.#turns.run(chainId, pair, () => written).catch(() => undefined);
    const became = outcomeOf((await written)[0]);
    if (became !== null) return moves.map(([pair]) => [pair, became]);
    // A desk file that was taken meanwhile brought a revision of its own: for that pair the next second is early enough.
    if (moves.length === 1) return moves.map(([pair]) => [pair, { kind: 'later' }]);
    return (await Promise.all(moves.map((move) => this.#write(chainId, [move], time)))).flat();
  }
}

/** Null: the journal did not take the row. */
function outcomeOf(written: PromiseSettledResult<number> | undefined): FollowOutcome | null {
  if (written?.status === 'fulfilled') return { kind: 'follows' };
  if (isDeskError(written?.reason, 'journal_row_refused')) return null;
  return { kind: 'held', sentence: 'its new ladder could not be written' };
}

function movedBy(chainId: number, moves: readonly LadderMove[], time: number): Moved {
  return { time, actor: FOLLOW, kind: 'ladders_moved', body: { chainId, moves: [...moves] } };
}

function editedBy({ bids, asks }: DraftState): string {
  const editors = [...bids, ...asks].flatMap(({ price, amount }) => [price.editor, amount.editor]);
  const names = [...new Set(editors.filter((name) => name !== null))].join(' and ');
  return `its draft was changed${names === '' ? '' : ` by ${names}`} and waits to be published or discarded`;
}
