import { type Draft, draftSchema } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import { tokenOf } from '../contract/names.ts';
import { type BookLog, stackOf } from './book-log.ts';
import type { BookJournal, BookMemory } from './book-memory.ts';
import { checkForm } from './checked.ts';
import {
  type DraftBase,
  type DraftState,
  followedDraft,
  newDraft,
  publishedDraft,
  resetDraft,
  restoredDraft,
  says,
} from './draft-state.ts';
import { type DraftSurroundings, viewDraft } from './draft-view.ts';
import { checkLadder } from './ladder-check.ts';
import { pairOf } from './refusals.ts';

/** A draft, and the ladder it was begun on; null where that cannot be read. */
type Kept = { chainId: number; pair: string; draft: DraftState; begunOn: Ladder | null };

const NOBODY = 'the desk';

/** The drafts of all pairs: kept in the journal's plain table, and brought along when another ladder goes live. */
export class DraftShelf {
  readonly #memory: BookMemory;
  readonly #journal: Pick<BookJournal, 'put'>;
  readonly #log: BookLog;
  readonly #kept = new Map<string, Kept>();
  /** Those that have a row in the journal's table. */
  readonly #stored = new Set<string>();
  readonly #changes: Emitter<Draft>;

  private constructor(memory: BookMemory, journal: Pick<BookJournal, 'put'>, log: BookLog) {
    this.#memory = memory;
    this.#journal = journal;
    this.#log = log;
    this.#changes = createEmitter((error) => log('a listener of the book failed', { error: stackOf(error) }));
  }

  /** Takes up the drafts as they were before the restart. */
  static async open(memory: BookMemory, journal: BookJournal, log: BookLog): Promise<DraftShelf> {
    const shelf = new DraftShelf(memory, journal, log);
    for (const { chainId, pair, draft } of await journal.read.drafts()) {
      const { value, faults } = checkForm(draftSchema, draft);
      if (faults) log('a stored draft cannot be read and is left out', { chainId, pair, faults });
      else if (memory.committed.chains.get(chainId)?.pairs.has(pair))
        await shelf.#restore(chainId, pair, value, journal);
      shelf.#stored.add(keyOf(chainId, pair));
    }
    memory.onChange((chainId) => shelf.#bringAlong(chainId));
    return shelf;
  }

  /** The draft of a pair; one nobody has touched is as published. Throws DeskError `unknown_pair`. */
  take(chainId: number, pair: string): DraftState {
    const base = this.liveBase(chainId, pair);
    const key = keyOf(chainId, pair);
    const kept = this.#kept.get(key) ?? { chainId, pair, draft: newDraft(base), begunOn: base.ladder };
    this.#kept.set(key, kept);
    return kept.draft;
  }

  /** The ladder that the draft of a pair was begun on; null where that cannot be read. */
  begunOn(chainId: number, pair: string): Ladder | null {
    return this.#kept.get(keyOf(chainId, pair))?.begunOn ?? null;
  }

  /** The revision that is live, and its ladder; an empty one where that cannot be read. Throws DeskError `unknown_pair`. */
  liveBase(chainId: number, pair: string): DraftBase {
    const { revision, ladder, followed } = pairOf(this.#memory, chainId, pair).ladder;
    return { revision, ladder: checkLadder(ladder).value ?? { bids: [], asks: [] }, followed };
  }

  /** Puts a changed draft in the place of the old one and tells of it. Resolves once it would survive a restart. */
  async keep(chainId: number, pair: string, draft: DraftState, begunOn?: Ladder): Promise<void> {
    const before = this.#kept.get(keyOf(chainId, pair));
    this.#kept.set(keyOf(chainId, pair), { chainId, pair, draft, begunOn: begunOn ?? before?.begunOn ?? null });
    const view = viewDraft(draft, this.around(chainId, pair));
    this.#changes.emit(view);
    this.#stored.add(keyOf(chainId, pair));
    await this.#journal.put({ table: 'drafts', chainId, pair, draft: view });
  }

  /** Tells of every draft that changed. Returns what ends that. */
  onDraft(listener: (draft: Draft) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  around(chainId: number, pair: string): DraftSurroundings {
    const tokens = this.#memory.chains.get(chainId)?.pairs.get(pair) ?? null;
    const liveRevision = pairOf(this.#memory, chainId, pair).ladder.revision;
    return { chainId, pair, liveRevision, begunOn: this.begunOn(chainId, pair), tokens };
  }

  async #restore(chainId: number, pair: string, stored: Draft, journal: Pick<BookJournal, 'read'>): Promise<void> {
    const live = this.liveBase(chainId, pair);
    const restored = restoredDraft(stored);
    const draft = says(restored, live.ladder) ? publishedDraft(restored, live.revision) : restored;
    const begun = async () => {
      const base = await journal.read.ladderRevision(chainId, pair, draft.baseRevision);
      return base === null || base.unreadable !== undefined ? null : base.ladder;
    };
    const begunOn = draft.baseRevision === live.revision ? live.ladder : await begun();
    this.#kept.set(keyOf(chainId, pair), { chainId, pair, draft, begunOn });
  }

  /** Another ladder is live, or the pair has left. A draft with changes of somebody stays; publishing it is refused. */
  #bringAlong(changed: number | null): void {
    for (const [key, { chainId, pair, draft, begunOn }] of this.#kept) {
      if (changed !== null && changed !== chainId) continue;
      const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair);
      if (stored === undefined) {
        this.#kept.delete(key);
        this.#write(this.#journal.put({ table: 'drafts', chainId, pair, draft: null }));
        continue;
      }
      if (stored.ladder.revision === draft.baseRevision) continue;
      const live = this.liveBase(chainId, pair);
      if (says(draft, live.ladder)) {
        this.#write(this.keep(chainId, pair, publishedDraft(draft, live.revision), live.ladder));
      } else if (begunOn !== null && says(draft, begunOn)) {
        if (live.followed === undefined && tokenOf(stored.ladder.actor) === null) {
          this.#write(this.keep(chainId, pair, resetDraft(draft, live, NOBODY), live.ladder));
        } else this.#carryAlong(chainId, pair, followedDraft(draft, live, stored.ladder.actor), live.ladder);
      } else {
        this.#changes.emit(viewDraft(draft, this.around(chainId, pair)));
      }
    }
  }

  /** A draft that nobody changed says what is published, so it needs no row of its own. */
  #carryAlong(chainId: number, pair: string, draft: DraftState, ladder: Ladder): void {
    const key = keyOf(chainId, pair);
    this.#kept.set(key, { chainId, pair, draft, begunOn: ladder });
    if (this.#stored.delete(key)) this.#write(this.#journal.put({ table: 'drafts', chainId, pair, draft: null }));
    this.#changes.emit(viewDraft(draft, this.around(chainId, pair)));
  }

  #write(written: Promise<void>): void {
    written.catch((error: unknown) => this.#log('a draft could not be kept', { error: String(error) }));
  }
}

function keyOf(chainId: number, pair: string): string {
  return `${chainId}/${pair}`;
}
