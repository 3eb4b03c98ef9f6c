import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import { readCellInput } from '../../renderer/pages/prices/cell-input.ts';
import { copiedText, fillEdits } from '../../renderer/pages/prices/copy-and-fill.ts';
import { moved, rangeOf, rowsOf, tabbed, textAt, writeAt } from '../../renderer/pages/prices/grid-cells.ts';
import { readGridKey } from '../../renderer/pages/prices/grid-keys.ts';
import {
  cellText,
  changedCells,
  cutText,
  midOf,
  readPlaces,
  spreadOf,
  totalsOf,
} from '../../renderer/pages/prices/ladder-figures.ts';
import { afterEdit, editsBetween, inverseOf, type LadderValues } from '../../renderer/pages/prices/ladder-values.ts';
import { pastedValue } from '../../renderer/pages/prices/pasted-ladder.ts';
import {
  cellsOf,
  changeCells,
  insertAt,
  nudge,
  removeSelected,
  typeOver,
} from '../../renderer/pages/prices/selected-edits.ts';
import type { Combination } from '../../renderer/state/shortcuts.ts';
import { pressedAt } from '../../renderer/state/shortcuts.ts';

const LADDER: LadderValues = {
  bids: [
    ['3411.40', '2.5'],
    ['3411.05', '4'],
  ],
  asks: [
    ['3412.96', '2.5'],
    ['3413.31', '4'],
    ['3413.82', '6'],
  ],
};
const PRICES = { places: 2, cut: 'down' } as const;
const press = (key: string, held: Partial<Combination> = {}): Combination => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test('sizes are read with the decimals of their token and never as nothing; what is changed keeps its digits', () => {
  const made: LadderValues = { bids: [['3411.4', '10.319560786923456789']], asks: [['3412.96', '2']] };
  expect(readPlaces(made, 'WETH')).toEqual({ price: 2, amount: 4 });
  expect(readPlaces(LADDER, 'WETH'), 'no more than there are').toEqual({ price: 2, amount: 1 });
  expect(['10.319560786923456789', '2', '0.00000042', 'half'].map((text) => cutText(text, 4))).toEqual([
    '10.3195',
    '2.0000',
    '0.00000042',
    'half',
  ]);
  expect(cellText('10.319560786923456789', 4)).toBe('10.319560786923456789');
});
const applied = (values: LadderValues, edits: readonly DraftEdit[]) => edits.reduce(afterEdit, values);

describe('what is typed into a cell', () => {
  test('is taken without blanks and separators of thousands', () => {
    expect(readCellInput(' 3,412.5 ', '3411.40', PRICES)).toBe('3412.5');
    expect(readCellInput('1,000,000', '', PRICES)).toBe('1000000');
  });

  test('changes the cell’s own value when it begins with a sign or a factor', () => {
    expect(readCellInput('+5', '3411.40', PRICES)).toBe('3416.40');
    expect(readCellInput('-0.005', '3411.40', PRICES)).toBe('3411.395');
    expect(readCellInput('-2bp', '3411.40', PRICES)).toBe('3410.71');
    expect(readCellInput('-2bp', '3411.40', { places: 2, cut: 'up' })).toBe('3410.72');
    expect(readCellInput('*1.25', '2.5', { places: 2, cut: 'down' })).toBe('3.12');
    expect(readCellInput('×0.8', '2.5', { places: 1, cut: 'down' })).toBe('2.0');
  });

  test('goes to the desk as it is when it is no number, so that the desk says why', () => {
    for (const text of ['1e3', 'Infinity', 'abc', '12,34x']) expect(readCellInput(text, '3411.40', PRICES)).toBe(text);
    expect(readCellInput('-5', '', PRICES)).toBe('-5');
  });
});

describe('edits of a ladder', () => {
  const level = fc.tuple(fc.stringMatching(/^[0-9]{1,3}$/), fc.stringMatching(/^[0-9]{1,3}$/));
  const ladder = fc.record({ bids: fc.array(level, { maxLength: 5 }), asks: fc.array(level, { maxLength: 5 }) });
  const edit = fc.record({
    kind: fc.constantFrom('set' as const, 'insert' as const, 'remove' as const),
    side: fc.constantFrom('bids' as const, 'asks' as const),
    at: fc.nat(20),
    field: fc.constantFrom('price' as const, 'amount' as const),
    text: fc.stringMatching(/^[0-9]{1,3}$/),
  });
  type Wish = {
    kind: 'set' | 'insert' | 'remove';
    side: 'bids' | 'asks';
    at: number;
    field: 'price' | 'amount';
    text: string;
  };
  /** Edits that name only levels that are there when their turn comes. */
  const possible = (values: LadderValues, wishes: readonly Wish[]) => {
    const edits: DraftEdit[] = [];
    let now = values;
    for (const { kind, side, at, field, text } of wishes) {
      const levels = now[side].length;
      if (kind !== 'insert' && levels === 0) continue;
      const made: DraftEdit =
        kind === 'insert'
          ? { kind, side, level: at % (levels + 1), price: text, amount: text }
          : kind === 'remove'
            ? { kind, side, level: at % levels }
            : { kind, side, level: at % levels, field, value: text };
      edits.push(made);
      now = afterEdit(now, made);
    }
    return edits;
  };

  test('are taken back whole by their inverse, whatever they were', () => {
    fc.assert(
      fc.property(ladder, fc.array(edit, { maxLength: 12 }), (values, wishes) => {
        const edits = possible(values, wishes);
        expect(applied(applied(values, edits), inverseOf(values, edits))).toEqual(values);
      }),
    );
  });

  test('lead from any ladder to any other', () => {
    fc.assert(
      fc.property(ladder, ladder, (from, to) => {
        expect(applied(from, editsBetween(from, to))).toEqual(to);
      }),
    );
  });

  test('touch only what is selected: prices by basis points, sizes by a factor', () => {
    const focus = { cell: { row: 0, column: 2 }, anchor: { row: 1, column: 3 } };
    const prices = cellsOf(LADDER, focus, 'selection', 'price');
    expect(changeCells(LADDER, prices, () => '+1bp')).toEqual([
      { kind: 'set', side: 'asks', level: 0, field: 'price', value: '3413.31' },
      { kind: 'set', side: 'asks', level: 1, field: 'price', value: '3413.66' },
    ]);
    const sizes = cellsOf(LADDER, focus, 'selection', 'amount');
    expect(changeCells(LADDER, sizes, () => '*2').map(({ level }) => level)).toEqual([0, 1]);
  });

  test('move prices by basis points or by ticks, of a side, of both, or of what is selected', () => {
    const focus = { cell: { row: 0, column: 2 }, anchor: { row: 0, column: 2 } };
    const moved = (by: Parameters<typeof nudge>[2]) => applied(LADDER, nudge(LADDER, focus, by));
    expect(moved({ applyTo: 'selection', unit: 'ticks', units: -10 }).asks[0]).toEqual(['3412.86', '2.5']);
    expect(moved({ applyTo: 'selection', unit: 'ticks', units: 1 }).bids).toEqual(LADDER.bids);
    expect(moved({ applyTo: 'bids', unit: 'bps', units: 10 }).bids.map(([price]) => price)).toEqual([
      '3414.81',
      '3414.46',
    ]);
    const wider = moved({ applyTo: 'both', unit: 'ticks', units: 5, outwards: true });
    expect([wider.bids[0]?.[0], wider.asks[0]?.[0]]).toEqual(['3411.35', '3413.01']);
  });

  test('move the sizes where no price is selected', () => {
    const focus = { cell: { row: 1, column: 3 }, anchor: { row: 0, column: 3 } };
    const { asks } = applied(LADDER, nudge(LADDER, focus, { applyTo: 'selection', unit: 'bps', units: -1 }));
    expect(asks.map(([, amount]) => amount)).toEqual(['2.4', '3.9', '6']);
  });

  test('typed over a selection change every cell of it if they are relative, else the one in focus', () => {
    const focus = { cell: { row: 0, column: 3 }, anchor: { row: 1, column: 3 } };
    expect(applied(LADDER, typeOver(LADDER, focus, '*2')).asks.map(([, amount]) => amount)).toEqual([
      '5.0',
      '8.0',
      '6',
    ]);
    expect(typeOver(LADDER, focus, '7')).toEqual([
      { kind: 'set', side: 'asks', level: 0, field: 'amount', value: '7' },
    ]);
    expect(typeOver(LADDER, focus, ' ')).toEqual([]);
  });

  test('remove from the end, so that no level changes its number before its turn', () => {
    const focus = { cell: { row: 2, column: 2 }, anchor: { row: 0, column: 1 } };
    expect(removeSelected(LADDER, focus)).toEqual([
      { kind: 'remove', side: 'bids', level: 1 },
      { kind: 'remove', side: 'bids', level: 0 },
      { kind: 'remove', side: 'asks', level: 2 },
      { kind: 'remove', side: 'asks', level: 1 },
      { kind: 'remove', side: 'asks', level: 0 },
    ]);
    expect(insertAt(LADDER, { row: 9, column: 0 })).toEqual([
      { kind: 'insert', side: 'bids', level: 2, price: '', amount: '' },
    ]);
  });
});

describe('the grid', () => {
  test('has a row below the last level, and what is typed there becomes a level', () => {
    expect(rowsOf(LADDER, 0)).toBe(3);
    expect(writeAt(LADDER, { row: 2, column: 1 }, '3410')).toEqual({
      kind: 'insert',
      side: 'bids',
      level: 2,
      price: '3410',
      amount: '',
    });
    expect(writeAt(LADDER, { row: 1, column: 0 }, '5')).toEqual({
      kind: 'set',
      side: 'bids',
      level: 1,
      field: 'amount',
      value: '5',
    });
  });

  test('is left by neither arrow, and a step to the shorter side lands in its last row', () => {
    expect(moved(LADDER, { row: 0, column: 0 }, -1, -1)).toEqual({ row: 0, column: 0 });
    expect(moved(LADDER, { row: 3, column: 2 }, -1, 0)).toEqual({ row: 2, column: 1 });
  });

  test('goes on at the next row with Tab, skips cells that are not there, and lets Tab out at both ends', () => {
    expect(tabbed(LADDER, { row: 0, column: 3 }, false)).toEqual({ row: 1, column: 0 });
    expect(tabbed(LADDER, { row: 2, column: 3 }, false)).toEqual({ row: 3, column: 2 });
    expect(tabbed(LADDER, { row: 3, column: 3 }, false)).toBeNull();
    expect(tabbed(LADDER, { row: 0, column: 0 }, true)).toBeNull();
  });

  test('gives a range to a spreadsheet', () => {
    const range = rangeOf({ row: 1, column: 2 }, { row: 0, column: 3 });
    expect(copiedText(LADDER, range)).toBe('3412.96\t2.5\n3413.31\t4');
    expect(textAt(LADDER, { row: 9, column: 1 })).toBe('');
  });

  test('takes one pasted value into every selected cell, a new level included; a range is another thing', () => {
    const [bid, below] = [
      { row: 1, column: 0 },
      { row: 2, column: 0 },
    ];
    expect(
      applied(
        LADDER,
        fillEdits(LADDER, rangeOf(bid, below), () => '7'),
      ).bids,
    ).toEqual([
      ['3411.40', '2.5'],
      ['3411.05', '7'],
      ['', '7'],
    ]);
    expect(pastedValue(' 1,234.5\n')).toBe('1,234.5');
    for (const range of ['7\t3400', '7\n8', '7;3400', '3400.5,7', '12,5']) expect(pastedValue(range)).toBeNull();
  });

  test('reads keys one way while it is typed into and another while it is not', () => {
    expect(readGridKey(press('5'), false)).toEqual({ kind: 'edit', text: '5' });
    expect(readGridKey(press('5'), true)).toBeNull();
    expect(readGridKey(press('F2'), false)).toEqual({ kind: 'edit', text: null });
    expect(readGridKey(press('Enter'), true)).toEqual({ kind: 'take', dy: 1 });
    expect(readGridKey(press('Escape'), true)).toEqual({ kind: 'cancel' });
    expect(readGridKey(press('Escape'), false)).toEqual({ kind: 'escape' });
    expect(readGridKey(press('ArrowLeft'), true)).toBeNull();
    expect(readGridKey(press('ArrowLeft', { shiftKey: true }), false)).toEqual({
      kind: 'move',
      dx: -1,
      dy: 0,
      extend: true,
    });
    expect(readGridKey(press('Enter', { ctrlKey: true }), true)).toEqual({ kind: 'publish' });
    expect(readGridKey(press('{', { code: 'BracketLeft', shiftKey: true }), false)).toEqual({
      kind: 'nudge',
      units: -10,
    });
    expect(readGridKey(press('z', { ctrlKey: true, code: 'KeyZ' }), false)).toEqual({ kind: 'undo' });
    expect(readGridKey(press('z', { ctrlKey: true, code: 'KeyZ' }), true)).toBeNull();
    expect(readGridKey(press('c', { ctrlKey: true, code: 'KeyC' }), false)).toBeNull();
    expect(readGridKey(press('g'), false)).toBeNull();
    expect(readGridKey(press('Home'), false)).toEqual({ kind: 'edge', dx: -1, dy: 0, extend: false });
    expect(readGridKey(press('ArrowDown', { ctrlKey: true, shiftKey: true }), false)).toEqual({
      kind: 'edge',
      dx: 0,
      dy: 1,
      extend: true,
    });
    expect(readGridKey(press('a', { ctrlKey: true, code: 'KeyA' }), false)).toEqual({ kind: 'all' });
  });

  test('keys mean what is printed on them, whatever the keyboard: + and * begin a change, a bracket nudges, Ctrl Z undoes', () => {
    const german = {
      plus: press('+', { code: 'BracketRight' }),
      times: press('*', { code: 'BracketRight', shiftKey: true }),
    };
    expect(readGridKey(german.plus, false)).toEqual({ kind: 'edit', text: '+' });
    expect(readGridKey(german.times, false)).toEqual({ kind: 'edit', text: '*' });
    const altGr = { altKey: true, ctrlKey: true };
    expect(readGridKey(press(']', { code: 'Digit9', ...altGr }), false)).toEqual({ kind: 'nudge', units: 1 });
    expect(readGridKey(press('[', { code: 'BracketLeft', metaKey: true }), false)).toBeNull();
    expect(readGridKey(press('z', { ctrlKey: true, code: 'KeyY' }), false)).toEqual({ kind: 'undo' });
    expect(readGridKey(press('y', { ctrlKey: true, code: 'KeyZ' }), false)).toEqual({ kind: 'redo' });
    expect(readGridKey(press('a', { ctrlKey: true, code: 'KeyQ' }), false)).toEqual({ kind: 'all' });
    expect(readGridKey(press('я', { ctrlKey: true, code: 'KeyZ' }), false)).toEqual({ kind: 'undo' });
    expect(pressedAt('halt', press('H', { ctrlKey: true, shiftKey: true, code: 'KeyJ' }))).toBe(0);
  });

  test('Alt and a digit goes to a pair and moves no price, also where that key writes a bracket', () => {
    for (const [key, digit] of [...'[]|{}'].map((written, at) => [written, 5 + at] as const)) {
      const option = press(key, { code: `Digit${digit}`, altKey: true });
      expect(readGridKey(option, false)).toBeNull();
      expect(pressedAt('pairTab', option)).toBe(digit - 1);
    }
  });

  test('Alt and an arrow nudges on every keyboard, also on one that writes no bracket without Alt and a digit', () => {
    const nudged = (key: string, held = {}) => readGridKey(press(key, { code: key, altKey: true, ...held }), false);
    expect(nudged('ArrowUp')).toEqual({ kind: 'nudge', units: 1 });
    expect(nudged('ArrowDown', { shiftKey: true })).toEqual({ kind: 'nudge', units: -10 });
    expect(nudged('ArrowUp', { ctrlKey: true })).toMatchObject({ kind: 'edge' });
    expect(nudged('ArrowLeft')).toBeNull();
    expect(readGridKey(press('ArrowUp', { altKey: true }), true)).toBeNull();
  });

  test('where a bracket is printed beside a letter that is not Latin, its place nudges; a Latin letter there is no bracket', () => {
    const letter = (key: string, code: string, held = {}) => readGridKey(press(key, { code, ...held }), false);
    expect(letter('х', 'BracketLeft')).toEqual({ kind: 'nudge', units: -1 });
    expect(letter('Ъ', 'BracketRight', { shiftKey: true })).toEqual({ kind: 'nudge', units: 10 });
    expect(letter('х', 'KeyP')).toBeNull();
    expect(letter('ü', 'BracketLeft')).toBeNull();
    expect(letter('Dead', 'BracketRight')).toBeNull();
    expect(letter('х', 'BracketLeft', { ctrlKey: true })).toBeNull();
  });
});

describe('figures of a ladder', () => {
  test('totals stop at the first amount that is none, mid and spread need both sides', () => {
    expect(
      totalsOf([
        ['1', '2.5'],
        ['1', '4'],
        ['1', 'x'],
        ['1', '1'],
      ]).map((total) => total?.digits ?? null),
    ).toEqual([25n, 65n, null, null]);
    expect(midOf(LADDER)).toBe('3412.180');
    expect(spreadOf(LADDER)).toBe('4.5');
    expect(spreadOf({ ...LADDER, asks: [] })).toBeNull();
    expect(spreadOf({ bids: LADDER.asks, asks: LADDER.bids })).toBeNull();
  });

  test('a level that is gone counts as both of its cells', () => {
    expect(changedCells(LADDER, LADDER)).toBe(0);
    expect(changedCells({ ...LADDER, bids: LADDER.bids.slice(1) }, LADDER)).toBe(4);
  });
});
