import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSavedFilters, renamedFilter, withFilter } from '../../electron/contract/saved-filters.ts';
import { FILL_RANGES } from '../../renderer/pages/fills/fill-ranges.ts';
import { fillsChoiceOf, fillsQueryOf } from '../../renderer/pages/fills/fills-choice.ts';
import { fillsPath } from '../../renderer/state/pages.ts';
import { toCarryOver } from '../../renderer/state/saved-filters.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const [open, refused] = [
  { name: 'Open', query: 'outcome=open' },
  { name: 'Refused', query: 'outcome=refused' },
];
const both = open === undefined || refused === undefined ? [] : [open, refused];

test('a filter is saved behind the others, or in the place of the one of its name', () => {
  expect(withFilter(both, { name: ' Large ', query: 'min=10' })).toEqual({
    filters: [...both, { name: 'Large', query: 'min=10' }],
  });
  expect(withFilter(both, { name: 'Open', query: 'min=1' })).toEqual({
    filters: [{ name: 'Open', query: 'min=1' }, refused],
  });
  for (const name of ['', '  ', 'x'.repeat(61)])
    expect(withFilter(both, { name, query: 'a=1' })).toHaveProperty('fault');
  const many = Array.from({ length: 50 }, (_, index) => ({ name: `${index}`, query: 'a=1' }));
  expect(withFilter(many, { name: 'one more', query: 'a=1' })).toHaveProperty('fault');
});

test('a filter is renamed in its place, and never to the name of another', () => {
  expect(renamedFilter(both, 'Open', 'Still open')).toEqual({ filters: [{ ...open, name: 'Still open' }, refused] });
  expect(renamedFilter(both, 'Open', 'Open')).toEqual({ filters: both });
  for (const name of ['Refused', ' Refused ', '', 'x'.repeat(61)])
    expect(renamedFilter(both, 'Open', name)).toHaveProperty('fault');
});

test('what was kept is read whatever it is, and one that cannot be read is left out alone', () => {
  const kept = [open, { name: 'x'.repeat(2 ** 20), query: 'a=1' }, null, 7, { name: 'no query' }, refused];
  expect(readSavedFilters(kept)).toEqual(both);
  for (const odd of [null, '', undefined, 7, {}, 'x']) expect(readSavedFilters(odd)).toEqual([]);
});

test('what was saved in a browser before goes to the desk once: what is there already stays, under another name what would replace it', () => {
  expect(toCarryOver(JSON.stringify(both), [])).toEqual(both);
  expect(toCarryOver(JSON.stringify(both), [{ name: 'Open', query: 'outcome=open' }])).toEqual([refused]);
  const other = [{ name: 'Open', query: 'outcome=open&pair=WETH' }];
  expect(toCarryOver(JSON.stringify(both), other)).toEqual([{ ...open, name: 'Open (earlier)' }, refused]);
  const long = { name: 'x'.repeat(60), query: 'a=1' };
  const [renamed] = toCarryOver(JSON.stringify([long]), [{ ...long, query: 'a=2' }]);
  expect(withFilter([], renamed ?? long)).toHaveProperty('filters');
  for (const text of [null, '', '{', '7', '{}', '"x"', 'null']) expect(toCarryOver(text, both)).toEqual([]);
});

test('what the page of fills is narrowed to survives its way through an address', () => {
  const choice = fc.record({
    range: fc.constantFrom(...FILL_RANGES),
    chainId: fc.constantFrom(undefined, 1, 31337),
    pair: fc.constantFrom(undefined, 'WETH/USDC', 'a&b=c'),
    user: fc.constantFrom(undefined, `0x${'ab'.repeat(20)}` as const),
    counterparty: fc.constantFrom(undefined, null, 'solver', 'ä&='),
  });
  fc.assert(
    fc.property(choice, (made) => {
      expect(fillsChoiceOf(fillsQueryOf({ ...made, brushed: null }), NOW)).toEqual({ ...made, brushed: null });
    }),
  );
  const brushed = { since: NOW - 120_000, until: NOW - 60_000 };
  const [range] = FILL_RANGES;
  const all = { chainId: undefined, pair: undefined, user: undefined, counterparty: undefined };
  expect(fillsChoiceOf(fillsQueryOf({ ...all, range, brushed }), NOW)).toEqual({ ...all, range, brushed });
  expect(fillsQueryOf({ ...all, range, brushed: null })).toBe('');
  const linked = fillsPath({ since: 0, until: null, user: `0x${'ab'.repeat(20)}` }).split('?')[1] ?? '';
  expect(fillsChoiceOf(linked, NOW)).toMatchObject({ brushed: { since: 0, until: null }, range: FILL_RANGES.at(-1) });
  expect(fillsChoiceOf('?since=never&range=ages&chain=x', NOW)).toEqual({ ...all, range, brushed: null });
});
