import type { DraftEdit } from '../../../electron/contract/book.ts';
import { isRelative, readCellInput } from './cell-input.ts';
import { type CellAt, COLUMNS, rangeOf, textAt, writeAt } from './grid-cells.ts';
import { columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

/** The cell in focus, and the one from which a selection was drawn to it. */
export interface GridFocus {
  cell: CellAt;
  anchor: CellAt;
}

/** What a change is made to: one side, both, or the cells that are selected. */
export type ApplyTo = 'bids' | 'asks' | 'both' | 'selection';
export type NudgeUnit = 'bps' | 'ticks';

type Field = 'price' | 'amount';

/** The cells of one kind that have a value, within what a change is made to. */
export function cellsOf(draft: LadderValues, focus: GridFocus, applyTo: ApplyTo, field: Field): CellAt[] {
  const range = rangeOf(focus.cell, focus.anchor);
  const cells: CellAt[] = [];
  for (const [column, at] of COLUMNS.entries()) {
    if (at.field !== field) continue;
    const inSelection = applyTo === 'selection';
    if (inSelection ? column < range.left || column > range.right : applyTo !== 'both' && applyTo !== at.side) continue;
    const last = Math.min(inSelection ? range.bottom : Number.POSITIVE_INFINITY, draft[at.side].length - 1);
    for (let row = inSelection ? range.top : 0; row <= last; row++) {
      if (textAt(draft, { row, column }) !== '') cells.push({ row, column });
    }
  }
  return cells;
}

/** Writes a relative change into cells: each starts from its own value. */
export function changeCells(
  draft: LadderValues,
  cells: readonly CellAt[],
  input: (cell: CellAt) => string,
): DraftEdit[] {
  const places = columnPlaces(draft);
  const edits: DraftEdit[] = [];
  for (const cell of cells) {
    const field = COLUMNS[cell.column]?.field ?? 'price';
    const text = textAt(draft, cell);
    const value = readCellInput(input(cell), text, { places: places[field], cut: cutOf(cell.column) });
    const edit = value === text ? null : writeAt(draft, cell, value);
    if (edit !== null) edits.push(edit);
  }
  return edits;
}

/**
 * Moves prices by whole units, basis points of each or ticks of the column. Of a selection without prices the sizes move,
 * by ticks. `outwards` moves bids down and asks up (negative: together).
 */
export function nudge(
  draft: LadderValues,
  focus: GridFocus,
  by: { applyTo: ApplyTo; unit: NudgeUnit; units: number; outwards?: boolean },
): DraftEdit[] {
  const prices = cellsOf(draft, focus, by.applyTo, 'price');
  if (prices.length === 0) {
    const step = stepText(by.units, 'ticks', columnPlaces(draft).amount);
    return changeCells(draft, cellsOf(draft, focus, by.applyTo, 'amount'), () => step);
  }
  const { price } = columnPlaces(draft);
  return changeCells(draft, prices, ({ column }) => {
    const inwards = by.outwards === true && COLUMNS[column]?.side === 'bids';
    return stepText(inwards ? -by.units : by.units, by.unit, price);
  });
}

/** Writes what is typed: into every selected cell if it changes each by itself, else into the one in focus. */
export function typeOver(draft: LadderValues, focus: GridFocus, typed: string): DraftEdit[] {
  if (typed.trim() === '') return [];
  const range = rangeOf(focus.cell, focus.anchor);
  const several = range.top !== range.bottom || range.left !== range.right;
  const cells =
    several && isRelative(typed)
      ? (['price', 'amount'] as const).flatMap((field) => cellsOf(draft, focus, 'selection', field))
      : [focus.cell];
  return changeCells(draft, cells, () => typed);
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

function stepText(units: number, unit: NudgeUnit, places: number): string {
  const sign = units < 0 ? '-' : '+';
  const whole = Math.abs(units);
  if (unit === 'bps') return `${sign}${whole}bp`;
  const digits = String(whole).padStart(places + 1, '0');
  return sign + (places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`);
}
