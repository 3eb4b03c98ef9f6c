import type { Draft, DraftEdit } from '../contract/book.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type EditBy, editDraft } from './draft-edit.ts';
import { rebasedDraft } from './draft-rebase.ts';
import type { DraftShelf } from './draft-shelf.ts';
import { type DraftState, resetDraft, settledDraft } from './draft-state.ts';
import { viewDraft } from './draft-view.ts';
import type { PairTurns } from './pair-turns.ts';

/** Who edits, in which window, and what they had before them. */
export type DraftEditor = Omit<EditBy, 'liveRevision'>;

/** The one shared draft of each pair: edited by anybody. */
export class Drafts {
  readonly #shelf: DraftShelf;
  readonly #turns: PairTurns;

  constructor(shelf: DraftShelf, turns: PairTurns) {
    this.#shelf = shelf;
    this.#turns = turns;
  }

  /** The draft as it is. Throws DeskError `unknown_pair`. */
  draft(chainId: number, pair: string): Draft {
    return viewDraft(this.#shelf.take(chainId, pair), this.#shelf.around(chainId, pair));
  }

  /**
   * Makes all of the edits or none. `seen` is the version that the editor had before them: what somebody else wrote
   * since then is not overwritten. Throws DeskError `unknown_pair`, `draft_changed` or `no_such_level`.
   */
  edit(chainId: number, pair: string, edits: readonly DraftEdit[], by: DraftEditor): Promise<Draft> {
    return this.#turns.run(chainId, pair, async () => {
      const live = this.#shelf.liveBase(chainId, pair);
      const edited = editDraft(this.#shelf.take(chainId, pair), edits, { ...by, liveRevision: live.revision });
      await this.#shelf.keep(chainId, pair, settledDraft(edited, live));
      return this.draft(chainId, pair);
    });
  }

  /** Begins the draft anew. With `seen`, only if it still is that version. Throws DeskError `unknown_pair` or `draft_changed`. */
  discard(chainId: number, pair: string, actor: string, seen?: number): Promise<Draft> {
    return this.#turns.run(chainId, pair, async () => {
      const draft = this.#shelf.take(chainId, pair);
      if (seen !== undefined) refuseUnlessSeen(draft, seen);
      const live = this.#shelf.liveBase(chainId, pair);
      await this.#shelf.keep(chainId, pair, resetDraft(draft, live, actor), live.ladder);
      return this.draft(chainId, pair);
    });
  }

  /**
   * Brings the draft onto the revision that is live, if it still is version `seen`. Throws DeskError `unknown_pair` or
   * `draft_changed`.
   */
  rebase(chainId: number, pair: string, actor: string, seen: number): Promise<Draft> {
    return this.#turns.run(chainId, pair, async () => {
      const draft = this.#shelf.take(chainId, pair);
      refuseUnlessSeen(draft, seen);
      const live = this.#shelf.liveBase(chainId, pair);
      const rebased = rebasedDraft(draft, live, actor, this.#shelf.begunOn(chainId, pair));
      await this.#shelf.keep(chainId, pair, rebased, live.ladder);
      return this.draft(chainId, pair);
    });
  }
}

/** Throws DeskError `draft_changed` where a draft is not that version any more. */
export function refuseUnlessSeen(draft: DraftState, seen: number): void {
  if (draft.version === seen) return;
  throw new DeskError('draft_changed', `The draft was changed after you last saw it (version ${draft.version}).`, {
    remedy: 'Look at it as it is now, and try again if you still want it.',
  });
}
