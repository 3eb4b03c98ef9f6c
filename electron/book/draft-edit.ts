import type { DraftEdit } from '../contract/book.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { isSameNumber, typedNumber } from './draft-number.ts';
import type { DraftCellState, DraftLevelState, DraftState, Writing } from './draft-state.ts';

/**
 * Who edits, and the version of the draft that was seen when the edit was made; without it the edit wins whatever it
 * meets. Two sessions of one actor are two people: each sees only what its own window shows.
 */
export type EditBy = { actor: string; session?: string; seen?: number; liveRevision: number };

/**
 * The draft after some edits, all of them or none. An edit that would overwrite what somebody else wrote after `seen`,
 * or whose index may have come to name another level since, is refused.
 * Throws DeskError `draft_changed` or `no_such_level`.
 */
export function editDraft(draft: DraftState, edits: readonly DraftEdit[], by: EditBy): DraftState {
  const mover = [...draft.moved.values()].find((move) => !isOwn(move, by) && move.version > (by.seen ?? move.version));
  if (mover) throw changedBy(mover.by, 'moved the levels of this draft');
  const version = draft.version + 1;
  return edits.reduce((edited, edit) => applyEdit(edited, edit, by, version), { ...draft, version });
}

function applyEdit(draft: DraftState, edit: DraftEdit, by: EditBy, version: number): DraftState {
  const levels = [...draft[edit.side]];
  const moved = new Map(draft.moved).set(moverKey(by), { by: by.actor, session: by.session, version });
  if (edit.kind === 'insert') {
    if (edit.level > levels.length) throw noSuchLevel(edit);
    const cell = (value: string) => writeCell(emptyCell(), value, by, version);
    levels.splice(edit.level, 0, { price: cell(edit.price), amount: cell(edit.amount) });
    return { ...draft, moved, [edit.side]: levels };
  }
  const level = levels[edit.level];
  if (level === undefined) throw noSuchLevel(edit);
  if (edit.kind === 'remove') {
    refuseUnseen(level.price, by);
    refuseUnseen(level.amount, by);
    levels.splice(edit.level, 1);
    return { ...draft, moved, [edit.side]: levels };
  }
  refuseUnseen(level[edit.field], by);
  const changed: DraftLevelState = { ...level, [edit.field]: writeCell(level[edit.field], edit.value, by, version) };
  levels[edit.level] = changed;
  return { ...draft, [edit.side]: levels };
}

function emptyCell(): DraftCellState {
  return { value: '', published: null, editor: null, baseRevision: 0, written: null };
}

function writeCell(cell: DraftCellState, typed: string, by: EditBy, version: number): DraftCellState {
  const { published } = cell;
  const given = typedNumber(typed);
  // The published number, however it is written, is no change.
  const value = published !== null && isSameNumber(given, published) ? published : given;
  return {
    value,
    published,
    editor: value === published ? null : by.actor,
    baseRevision: by.liveRevision,
    written: { by: by.actor, session: by.session, version },
  };
}

function refuseUnseen({ written }: DraftCellState, by: EditBy): void {
  if (by.seen === undefined || written === null || isOwn(written, by) || written.version <= by.seen) return;
  throw changedBy(written.by, 'changed this cell');
}

function isOwn({ by, session }: Writing, editor: EditBy): boolean {
  return by === editor.actor && session === editor.session;
}

function moverKey({ actor, session }: EditBy): string {
  return session === undefined ? actor : `${actor} ${session}`;
}

function changedBy(who: string, did: string): DeskError {
  return new DeskError('draft_changed', `${who} ${did} after you last saw it.`, {
    remedy: 'Look at the draft as it is now, and make the change again if you still want it.',
  });
}

function noSuchLevel({ side, level }: DraftEdit): DeskError {
  return new DeskError('no_such_level', `The draft has no level ${level + 1} of ${side}.`, {
    remedy: 'Look at the draft as it is now.',
  });
}
