import type { DraftEdit } from '../../../electron/contract/book.ts';
import { type CellAt, type CellRange, textAt, writeAt } from './grid-cells.ts';
import { afterEdit, type LadderValues } from './ladder-values.ts';

/** A range as spreadsheets take it: tabs between cells, a line a row. */
export function copiedText(values: LadderValues, range: CellRange): string {
  const lines: string[] = [];
  for (let row = range.top; row <= range.bottom; row++) {
    const cells: string[] = [];
    for (let column = range.left; column <= range.right; column++) cells.push(textAt(values, { row, column }));
    lines.push(cells.join('\t'));
  }
  return lines.join('\n');
}

/** The edits that write one value into every cell of a range. */
export function fillEdits(values: LadderValues, range: CellRange, read: (at: CellAt) => string): DraftEdit[] {
  const edits: DraftEdit[] = [];
  let now = values;
  for (let row = range.top; row <= range.bottom; row++) {
    for (let column = range.left; column <= range.right; column++) {
      const edit = writeAt(now, { row, column }, read({ row, column }));
      if (edit === null) continue;
      edits.push(edit);
      now = afterEdit(now, edit);
    }
  }
  return edits;
}
