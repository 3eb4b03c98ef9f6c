import type { DraftEdit } from '../../../electron/contract/book.ts';
import type { Side } from '../../components/mark.tsx';
import type { LadderValues } from './ladder-values.ts';

/** The four columns that are edited, from left to right as they stand on the screen. */
export const COLUMNS = [
  { side: 'bids', field: 'amount' },
  { side: 'bids', field: 'price' },
  { side: 'asks', field: 'price' },
  { side: 'asks', field: 'amount' },
] as const satisfies readonly { side: Side; field: 'price' | 'amount' }[];

export interface CellAt {
  row: number;
  column: number;
}

export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function rangeOf(a: CellAt, b: CellAt): CellRange {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    left: Math.min(a.column, b.column),
    right: Math.max(a.column, b.column),
  };
}

export function isInRange({ row, column }: CellAt, range: CellRange): boolean {
  return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
}

/** The row below the last level of a side is there too: what is typed into it becomes a new level. */
export function rowsOf(values: LadderValues, column: number): number {
  const side = COLUMNS[column]?.side ?? 'bids';
  return values[side].length + 1;
}

export function textAt(values: LadderValues, { row, column }: CellAt): string {
  const at = COLUMNS[column];
  const level = at === undefined ? undefined : values[at.side][row];
  if (at === undefined || level === undefined) return '';
  return at.field === 'price' ? level[0] : level[1];
}

/** The cell next to this one; stays where it is at the edges. */
export function moved(values: LadderValues, cell: CellAt, dx: number, dy: number): CellAt {
  const column = Math.max(0, Math.min(COLUMNS.length - 1, cell.column + dx));
  return { column, row: Math.max(0, Math.min(rowsOf(values, column) - 1, cell.row + dy)) };
}

/** The outermost cell in a direction; a direction of 0 keeps its row or column. */
export function edgeOf(values: LadderValues, cell: CellAt, dx: number, dy: number): CellAt {
  const column = dx === 0 ? cell.column : dx < 0 ? 0 : COLUMNS.length - 1;
  const last = Math.max(0, rowsOf(values, column) - 2);
  return { column, row: dy === 0 ? Math.min(cell.row, last + 1) : dy < 0 ? 0 : last };
}

/** Where Tab goes: along the row, then to the next; null where it leaves the grid. */
export function tabbed(values: LadderValues, cell: CellAt, backwards: boolean): CellAt | null {
  let { row, column } = cell;
  const rows = Math.max(...COLUMNS.map((_, index) => rowsOf(values, index)));
  do {
    column += backwards ? -1 : 1;
    if (column < 0 || column >= COLUMNS.length) {
      row += backwards ? -1 : 1;
      column = backwards ? COLUMNS.length - 1 : 0;
    }
    if (row < 0 || row >= rows) return null;
  } while (row >= rowsOf(values, column));
  return { row, column };
}

/** The edit that writes a text into a cell. */
export function writeAt(values: LadderValues, { row, column }: CellAt, value: string): DraftEdit | null {
  const at = COLUMNS[column];
  if (at === undefined) return null;
  const { side, field } = at;
  if (row < values[side].length) return { kind: 'set', side, level: row, field, value };
  const empty = { price: '', amount: '' };
  return { kind: 'insert', side, level: values[side].length, ...empty, [field]: value };
}
