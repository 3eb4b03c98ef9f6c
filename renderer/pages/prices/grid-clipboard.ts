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

/** Reads what a spreadsheet put on the clipboard. */
export function pastedCells(text: string): string[][] {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}

/** The edits that write pasted cells from a corner on; rows below the last level become new levels. */
export function pasteEdits(
  values: LadderValues,
  corner: CellAt,
  cells: readonly (readonly string[])[],
  read: (text: string, at: CellAt) => string,
): DraftEdit[] {
  const edits: DraftEdit[] = [];
  let now = values;
  cells.forEach((line, down) => {
    line.forEach((text, along) => {
      const at = { row: corner.row + down, column: corner.column + along };
      if (text === '') return;
      const edit = writeAt(now, at, read(text, at));
      if (edit === null) return;
      edits.push(edit);
      now = afterEdit(now, edit);
    });
  });
  return edits;
}
