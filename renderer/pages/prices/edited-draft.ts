import type { Draft, DraftCell, DraftEdit, DraftLevel } from '../../../electron/contract/book.ts';

/** The draft as it will be once the desk has taken an edit: what is typed is on the screen at once. */
export function editedDraft(draft: Draft, edit: DraftEdit, actor: string): Draft {
  const levels = [...draft[edit.side]];
  const level = levels[edit.level];
  const cell = (value: string): DraftCell => ({ value, editor: actor, baseRevision: draft.baseRevision, fault: null });
  if (edit.kind === 'insert') {
    const made: DraftLevel = { price: cell(edit.price), amount: cell(edit.amount) };
    levels.splice(edit.level, 0, made);
  } else if (level === undefined) return draft;
  else if (edit.kind === 'remove') levels.splice(edit.level, 1);
  else levels[edit.level] = { ...level, [edit.field]: cell(edit.value) };
  return { ...draft, [edit.side]: levels, isLive: undefined };
}
