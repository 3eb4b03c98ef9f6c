import type { DraftEdit } from '../../../electron/contract/book.ts';
import { inverseOf, type LadderValues } from './ladder-values.ts';

type Side = DraftEdit['side'];

/** How to take something back, and what must still stand in the draft for that to be right. */
export interface PastEdit {
  back: DraftEdit[];
  left: { side: Side; level: number; field: 'price' | 'amount'; value: string }[];
  /** How many levels the sides whose levels moved had afterwards. */
  levels: Partial<Record<Side, number>>;
}

/** What was done to a draft, for undo. `after` is the draft that it made. */
export function pastEdit(before: LadderValues, edits: readonly DraftEdit[], after: LadderValues): PastEdit {
  const left: PastEdit['left'] = [];
  const levels: PastEdit['levels'] = {};
  for (const edit of edits) {
    if (edit.kind !== 'set') levels[edit.side] = after[edit.side].length;
    if (edit.kind === 'remove') continue;
    for (const field of edit.kind === 'set' ? [edit.field] : (['price', 'amount'] as const)) {
      const value = after[edit.side][edit.level]?.[field === 'price' ? 0 : 1];
      if (value !== undefined) left.push({ side: edit.side, level: edit.level, field, value });
    }
  }
  return { back: inverseOf(before, edits), left, levels };
}

/** Whether everything still is as the edit left it: somebody else's later word is not taken back with ours. */
export function isStillSo({ left, levels }: PastEdit, now: LadderValues): boolean {
  for (const side of ['bids', 'asks'] as const) {
    if (levels[side] !== undefined && levels[side] !== now[side].length) return false;
  }
  return left.every(({ side, level, field, value }) => now[side][level]?.[field === 'price' ? 0 : 1] === value);
}
