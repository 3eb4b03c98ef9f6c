import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { AT_FIRST } from '../../renderer/components/table-columns.ts';
import { filterOf, NO_CHOICE, readMoment } from '../../renderer/pages/firm-log/filter-choice.ts';
import { OLDER_COLUMNS } from '../../renderer/pages/firm-log/log-columns.tsx';
import { matches } from '../../renderer/pages/firm-log/log-filter.ts';
import { choiceQuery, readChoice } from '../../renderer/state/choice-in-address.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const [MARA, OTHER] = [`0x${'c1'.repeat(20)}`, `0x${'d2'.repeat(20)}`];
const called = (id: string, name: string) => ({ of: 'user' as const, id, name, since: 1, actor: 'mara' });
const known = {
  given: [
    called(MARA, 'Winter Capital'),
    called(OTHER, 'Twin'),
    called(`0x${'e3'.repeat(20)}`, 'twin'),
    called(`0x${'f4'.repeat(20)}`, 'USDC'),
  ],
  pairs: ['WETH/USDC'],
  tokens: [
    { chainId: 1, address: `0x${'a1'.repeat(20)}`, symbol: 'USDC', decimals: 6 },
    { chainId: 10, address: `0x${'b2'.repeat(20)}`, symbol: 'USDC', decimals: 18 },
  ],
};
const read = (choice: Partial<typeof NO_CHOICE>) => filterOf({ ...NO_CHOICE, ...choice }, known, NOW);

test('a choice survives its way through the address of the page, whatever was typed', () => {
  const choice = fc.record(Object.fromEntries(Object.keys(NO_CHOICE).map((field) => [field, fc.string()])));
  fc.assert(
    fc.property(choice, (made) => {
      expect(readChoice(NO_CHOICE, choiceQuery(made as typeof NO_CHOICE))).toEqual(made);
    }),
  );
  expect(choiceQuery(NO_CHOICE)).toBe('');
});

test('a hash or an address is found as it stands shortened on the screen, and a token by its symbol', () => {
  expect(read({ search: '0xA1f4' }).filter.hex).toEqual({ starts: '0xa1f4', ends: '' });
  expect(read({ search: '0xa1f4…45d3' }).filter.hex).toEqual({ starts: '0xa1f4', ends: '45d3' });
  expect(read({ search: '0xa1f4...45D3' }).filter.hex).toEqual({ starts: '0xa1f4', ends: '45d3' });
  expect(read({ search: `0x${'a1'.repeat(20)}` }).filter).toEqual({ user: `0x${'a1'.repeat(20)}` });
  expect(read({ search: '0xa1f4…' }).unknown.search).toContain('0xa1f4…45d3');
  expect(read({ search: 'usdc' }).filter.size).toEqual(
    known.tokens.map(({ chainId, address }) => ({ chainId, address })),
  );
  const row = { time: '2026-11-21T00:00:00.000Z', orderHash: `0xa1f4${'0'.repeat(56)}45d3`, userAddress: null };
  const isFound = (search: string) => matches(row as unknown as QuoteRow, read({ search }).filter);
  expect(['0xa1f4', '0xa1f4…45d3', '0xa1f4…45d4', '0x45d3'].map(isFound)).toEqual([true, true, false, false]);
});

test('a user is found by their name or a part of it, and never one of two of that name', () => {
  expect(read({ search: ' winter CAPITAL' }).filter).toEqual({ user: MARA });
  expect(read({ search: 'winter' }).filter).toEqual({ user: MARA });
  const { filter, unknown } = read({ search: 'TWIN' });
  expect(filter).toEqual({});
  expect(unknown.search).toMatch(
    /^2 users are called that: .*Twin.* 0xd2d2…d2d2, .*twin.* 0xe3e3…e3e3\. Write the address/,
  );
  expect(read({ search: 'usdc' }).filter.size, 'a token is one first').toHaveLength(2);
  expect(read({ search: 'summer' }).unknown.search).toContain('Not an order hash');
});

test('a size means every token of that name, in its own raw units, never more than was typed', () => {
  const { filter, unknown } = read({ token: 'USDC', min: '1,000', max: '1500.5' });
  expect(unknown).toEqual({});
  expect(filter.size).toEqual([
    { chainId: 1, address: known.tokens[0]?.address, min: '1000000000', max: '1500500000' },
    { chainId: 10, address: known.tokens[1]?.address, min: `1000${'0'.repeat(18)}`, max: `15005${'0'.repeat(17)}` },
  ]);
  expect(read({ token: 'USDC', min: '0.0000001' }).filter.size?.[0]?.min).toBe('1');
  expect(read({ token: 'USDC', min: 'many' }).unknown.size).toContain('1,000');
  expect(read({ token: 'ABC', min: '1' }).unknown.size).toBe('ABC is not listed.');
  expect(read({ token: 'USDC' }).filter.size).toBeUndefined();
});

test('a range is counted back from now, or lies between two moments in UTC', () => {
  expect(read({ range: '1h' }).filter).toEqual({ since: NOW - 3_600_000 });
  expect(read({ range: 'between', from: '2026-11-19', to: '2026-11-19' }).filter).toEqual({
    since: Date.UTC(2026, 10, 19),
    until: Date.UTC(2026, 10, 20) - 1,
  });
  expect(readMoment('2026-11-19 14:20', 'first')).toBe(Date.UTC(2026, 10, 19, 14, 20));
  expect(readMoment('2026-11-19 14:20', 'last')).toBe(Date.UTC(2026, 10, 19, 14, 20, 59, 999));
  expect(readMoment('yesterday', 'first')).toBeNull();
  expect(read({ range: 'between', from: '2026-11-20', to: '2026-11-19' }).unknown.range).toBe(
    'It ends before it begins.',
  );
});

test('what an address of the page says that cannot be is left out', () => {
  expect(read({ outcome: 'gone', code: 'no_such', side: 'left', chain: 'one' }).filter).toEqual({});
});

test('columns that were chosen before tables had one form are carried over, and a choice that names none of them is forgotten', () => {
  const { shown, order, widths } = OLDER_COLUMNS.read('time,pair,row,gone');
  expect(Object.keys(shown).filter((id) => shown[id])).toEqual(['time', 'pair', 'row']);
  expect(shown).toMatchObject({ state: false, hash: false });
  // What came after that choice was not chosen away.
  expect(shown).not.toHaveProperty('cancel');
  expect([order, widths]).toEqual([[], {}]);
  for (const text of ['', 'gone', ',,']) expect(OLDER_COLUMNS.read(text)).toEqual(AT_FIRST);
});
