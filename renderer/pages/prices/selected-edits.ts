import type { DraftEdit } from '../../../electron/contract/book.ts';
import { readCellInput } from './cell-input.ts';
import { type CellAt, COLUMNS, rangeOf, textAt, writeAt } from './grid-cells.ts';
import { columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

/** The cell in focus, and the one from which a selection was drawn to it. */
export interface GridFocus {
  cell: CellAt;
  anchor: CellAt;
}

/** Writes the same change into every selected cell of a kind that has a value. */
export function changeSelected(
  draft: LadderValues,
  focus: GridFocus,
  field: 'price' | 'amount',
  input: string,
): DraftEdit[] {
  const range = rangeOf(focus.cell, focus.anchor);
  const places = columnPlaces(draft)[field];
  const edits: DraftEdit[] = [];
  for (let column = range.left; column <= range.right; column++) {
    const at = COLUMNS[column];
    if (at === undefined || at.field !== field) continue;
    const last = Math.min(range.bottom, draft[at.side].length - 1);
    for (let row = range.top; row <= last; row++) {
      const text = textAt(draft, { row, column });
      const edit = writeAt(draft, { row, column }, readCellInput(input, text, { places, cut: cutOf(column) }));
      if (edit !== null && text !== '') edits.push(edit);
    }
  }
  return edits;
}

/** A level above the one in focus, empty: nothing is invented for a person to overlook. */
export function insertAt(draft: LadderValues, cell: CellAt): DraftEdit[] {
  const side = COLUMNS[cell.column]?.side ?? 'bids';
  return [{ kind: 'insert', side, level: Math.min(cell.row, draft[side].length), price: '', amount: '' }];
}

export function removeSelected(draft: LadderValues, focus: GridFocus): DraftEdit[] {
  const range = rangeOf(focus.cell, focus.anchor);
  const sides = new Set(COLUMNS.slice(range.left, range.right + 1).map(({ side }) => side));
  const edits: DraftEdit[] = [];
  for (const side of sides) {
    const last = Math.min(range.bottom, draft[side].length - 1);
    for (let level = last; level >= range.top; level--) edits.push({ kind: 'remove', side, level });
  }
  return edits;
}

/** A computed price is cut so that it is never better for the taker than what was asked for. */
export function cutOf(column: number): 'down' | 'up' {
  const at = COLUMNS[column];
  return at?.side === 'asks' && at.field === 'price' ? 'up' : 'down';
}
