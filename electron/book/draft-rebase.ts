import type { Ladder } from '../contract/desk-file.ts';
import type { Level } from '../protocol/wire.ts';
import {
  type DraftBase,
  type DraftCellState,
  type DraftLevelState,
  type DraftState,
  resetDraft,
} from './draft-state.ts';

/**
 * The draft on another revision: cells that somebody changed keep what they wrote, the others become what is live. Where
 * nobody can say which level was which (one was taken out, or the live ladder has another number of them), the side
 * stays as it stands, and every difference from what is live is a change of the draft. `begunOn` is the ladder that the draft was begun
 * on; null where that is not known.
 */
export function rebasedDraft(draft: DraftState, base: DraftBase, actor: string, begunOn: Ladder | null): DraftState {
  const fresh = resetDraft(draft, base, actor);
  const side = (of: 'bids' | 'asks'): DraftLevelState[] => {
    const [levels, live]: [readonly DraftLevelState[], readonly Level[]] = [draft[of], base.ladder[of]];
    const kept = levels.filter(({ price }) => price.published !== null).length;
    const sameLevels = kept === begunOn?.[of].length && kept === live.length;
    let next = 0;
    return levels.map((level, index) => {
      const isNew = level.price.published === null;
      const now = isNew && sameLevels ? undefined : live[sameLevels ? next++ : index];
      const cell = (was: DraftCellState, published: string | null) =>
        onRevision(was, published, sameLevels, { actor, revision: base.revision });
      return { price: cell(level.price, now?.[0] ?? null), amount: cell(level.amount, now?.[1] ?? null) };
    });
  };
  return { ...fresh, bids: side('bids'), asks: side('asks') };
}

function onRevision(
  cell: DraftCellState,
  published: string | null,
  sameLevels: boolean,
  by: { actor: string; revision: number },
): DraftCellState {
  const value = sameLevels && cell.editor === null && published !== null ? published : cell.value;
  const editor = value === published ? null : (cell.editor ?? by.actor);
  return { ...cell, value, published, editor, baseRevision: by.revision };
}
