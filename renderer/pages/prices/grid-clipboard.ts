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

/** Reads what a spreadsheet put on the clipboard. One value over a selection of several cells fills all of them. */
export function pastedCells(text: string, over: CellRange): string[][] {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  const cells = lines.map((line) => line.split('\t').map((cell) => cell.trim()));
  const [only] = cells[0] ?? [];
  if (cells.length !== 1 || cells[0]?.length !== 1 || only === undefined) return cells;
  const width = over.right - over.left + 1;
  return Array.from({ length: over.bottom - over.top + 1 }, () => Array.from({ length: width }, () => only));
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
