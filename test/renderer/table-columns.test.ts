import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AT_FIRST,
  compareSortables,
  drawnWidths,
  fittingColumns,
  isSureToFit,
  movedEdge,
  movedTo,
  readKeptTable,
} from '../../renderer/components/table-columns.ts';

const COLUMNS = [
  { id: 'time', width: 90, grows: 0, rank: 0 },
  { id: 'pair', width: 100, grows: 1, rank: 0 },
  { id: 'amount', width: 120, grows: 0.5, rank: 2 },
  { id: 'user', width: 80, grows: 0.5, rank: 5 },
  { id: 'hash', width: 80, grows: 0, rank: 9 },
];
const room = fc.integer({ min: 0, max: 2_000 });
const widths = fc.dictionary(fc.constantFrom(...COLUMNS.map(({ id }) => id)), fc.integer({ min: 24, max: 900 }));
const sum = (all: readonly number[]) => all.reduce((whole, each) => whole + each, 0);

test('columns that do not fit go, the least needed first, and the others keep their order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(COLUMNS), room, (chosen, width) => {
      const columns = fittingColumns(chosen, {}, width);
      expect(columns).toEqual(chosen.filter((column) => columns.includes(column)));
      const needed = sum(columns.map((column) => column.width + 12)) + 12;
      expect(needed <= width || columns.every(({ rank }) => rank === 0)).toBe(true);
      const kept = Math.max(0, ...columns.map(({ rank }) => rank));
      expect(chosen.filter((column) => !columns.includes(column)).every(({ rank }) => rank >= kept)).toBe(true);
    }),
  );
});

test('where there is no room at all, columns that may go are gone, and it is decided', () => {
  const mayGo = COLUMNS.filter(({ rank }) => rank > 0);
  expect(fittingColumns(mayGo, {}, 0)).toEqual([]);
  expect(fittingColumns([], {}, 0)).toEqual([]);
});

test('widening a column sends none away, and narrowing one makes room', () => {
  expect(fittingColumns(COLUMNS, { user: 800 }, 600)).toEqual(COLUMNS);
  expect(fittingColumns(COLUMNS, {}, 540)).toHaveLength(4);
  expect(fittingColumns(COLUMNS, { amount: 60 }, 540)).toHaveLength(5);
});

test('the columns fill the room, none is narrower than it needs, and one that was sized stays as it is', () => {
  fc.assert(
    fc.property(widths, room, (chosen, width) => {
      const drawn = drawnWidths(COLUMNS, chosen, width);
      expect(sum(drawn)).toBeGreaterThanOrEqual(width - 0.01);
      for (const [index, column] of COLUMNS.entries())
        expect(drawn[index]).toBeGreaterThanOrEqual((chosen[column.id] ?? column.width) + 12);
      if (chosen.pair !== undefined) expect(drawn[1]).toBe(chosen.pair + 12);
    }),
  );
});

test('the right edge of a column goes exactly as far as it is moved', () => {
  fc.assert(
    fc.property(fc.constantFrom('time', 'pair', 'amount'), fc.integer({ min: 0, max: 200 }), room, (id, by, width) => {
      const edgeOf = (drawn: readonly number[]) => sum(drawn.slice(0, COLUMNS.findIndex((each) => each.id === id) + 1));
      const before = drawnWidths(COLUMNS, {}, width);
      const after = drawnWidths(COLUMNS, movedEdge(COLUMNS, {}, before, id, by), width);
      expect(Math.abs(edgeOf(after) - edgeOf(before) - by)).toBeLessThan(3);
    }),
  );
});

test('a column takes the place of another, and no other column changes its order', () => {
  expect(movedTo(['a', 'b', 'c', 'd'], 'a', 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(movedTo(['a', 'b', 'c', 'd'], 'd', 0)).toEqual(['d', 'a', 'b', 'c']);
});

test('what was kept of a table is read back, and what cannot be read of it is as it is at first', () => {
  const kept = {
    order: ['b', 'a'],
    shown: { a: false },
    widths: { b: 80 },
    pinned: ['b'],
    sort: { id: 'a', desc: true },
  };
  expect(readKeptTable(JSON.stringify(kept))).toEqual(kept);
  for (const text of [null, '', '{', '7', 'null', '[]']) expect(readKeptTable(text)).toEqual(AT_FIRST);
  const { pinned: _, ...older } = kept;
  expect(readKeptTable(JSON.stringify(older))).toEqual({ ...kept, pinned: [] });
  expect(readKeptTable(JSON.stringify({ ...kept, order: 7, widths: { b: -1 } }))).toEqual({
    ...kept,
    order: [],
    widths: {},
  });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readKeptTable(JSON.stringify(value))).toHaveProperty('order');
    }),
  );
});

test('figures are ordered exactly, also beyond what a number holds, and decimals of different places among each other', () => {
  expect(compareSortables(2n ** 80n, 2n ** 80n + 1n)).toBeLessThan(0);
  expect(compareSortables({ digits: 15n, places: 1 }, { digits: 149n, places: 2 })).toBeGreaterThan(0);
  expect(compareSortables({ digits: 150n, places: 2 }, { digits: 15n, places: 1 })).toBe(0);
  expect(compareSortables('DAI', 'WETH')).toBeLessThan(0);
});

test('a figure goes without a clip where it is sure to have room, and nothing else does', () => {
  expect(isSureToFit('1,004.72', 70)).toBe(true);
  expect(isSureToFit('1,004.722258', 70)).toBe(false);
  expect(isSureToFit('—', 20)).toBe(true);
  expect(isSureToFit('', 0)).toBe(true);
  expect(isSureToFit('7', undefined)).toBe(false);
  for (const other of ['WWW', '12 min', '1e9', '\u{1F4A9}', 'iii', 12, null, undefined])
    expect(isSureToFit(other, 500)).toBe(false);
});

test('the more room a figure has or the shorter it is, the surer it fits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\d.,]{1,20}$/), fc.nat(300), fc.nat(50), (text, width, more) => {
      if (!isSureToFit(text, width)) return;
      expect(isSureToFit(text, width + more)).toBe(true);
      expect(isSureToFit(text.slice(1), width)).toBe(true);
    }),
  );
});
