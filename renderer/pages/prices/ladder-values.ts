import type { Draft, DraftEdit } from '../../../electron/contract/book.ts';
import type { Ladder } from '../../../electron/contract/desk-file.ts';
import type { Side } from '../../components/mark.tsx';

type LevelText = readonly [price: string, amount: string];

/** A ladder as texts: a draft's may still be wrong. */
export type LadderValues = Record<Side, readonly LevelText[]>;

export function valuesOfDraft(draft: Draft): LadderValues {
  const texts = (side: Side) => draft[side].map((level): LevelText => [level.price.value, level.amount.value]);
  return { bids: texts('bids'), asks: texts('asks') };
}

export function valuesOfLadder(ladder: Ladder): LadderValues {
  return { bids: ladder.bids, asks: ladder.asks };
}

/** The ladder after one edit; an edit of a level that is not there changes nothing. */
export function afterEdit(values: LadderValues, edit: DraftEdit): LadderValues {
  const levels = [...values[edit.side]];
  const level = levels[edit.level];
  if (edit.kind === 'insert') levels.splice(edit.level, 0, [edit.price, edit.amount]);
  else if (level === undefined) return values;
  else if (edit.kind === 'remove') levels.splice(edit.level, 1);
  else levels[edit.level] = edit.field === 'price' ? [edit.value, level[1]] : [level[0], edit.value];
  return { ...values, [edit.side]: levels };
}

/** The edits that take these edits back, in the order in which they must be made. */
export function inverseOf(values: LadderValues, edits: readonly DraftEdit[]): DraftEdit[] {
  const inverse: DraftEdit[] = [];
  let now = values;
  for (const edit of edits) {
    const level = now[edit.side][edit.level];
    const { side, level: index } = edit;
    if (edit.kind === 'insert') inverse.unshift({ kind: 'remove', side, level: index });
    else if (level !== undefined) {
      inverse.unshift(
        edit.kind === 'remove'
          ? { kind: 'insert', side, level: index, price: level[0], amount: level[1] }
          : { kind: 'set', side, level: index, field: edit.field, value: edit.field === 'price' ? level[0] : level[1] },
      );
    }
    now = afterEdit(now, edit);
  }
  return inverse;
}

/** The edits that turn one ladder into another, level by level. */
export function editsBetween(from: LadderValues, to: LadderValues): DraftEdit[] {
  const edits: DraftEdit[] = [];
  for (const side of ['bids', 'asks'] as const) {
    const [old, wanted] = [from[side], to[side]];
    wanted.forEach(([price, amount], level) => {
      const was = old[level];
      if (was === undefined) {
        edits.push({ kind: 'insert', side, level, price, amount });
        return;
      }
      if (was[0] !== price) edits.push({ kind: 'set', side, level, field: 'price', value: price });
      if (was[1] !== amount) edits.push({ kind: 'set', side, level, field: 'amount', value: amount });
    });
    for (let level = old.length - 1; level >= wanted.length; level--) edits.push({ kind: 'remove', side, level });
  }
  return edits;
}
