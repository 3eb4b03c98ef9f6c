import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesOf } from '../../electron/contract/given-names.ts';
import { csvLine, withoutApostrophe } from '../../electron/contract/log-text.ts';
import { actText } from '../../renderer/pages/blacklist/blacklist-terms.tsx';
import { LIST_FORMATS, readList } from '../../renderer/pages/blacklist/listed-text.ts';
import { worstFirst } from '../../renderer/pages/blacklist/worst-first.ts';
import { setTimeZone } from '../../renderer/state/time-zone.ts';

const address = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);
const reason = fc.option(fc.stringMatching(/^[a-z0-9"'=+\-@][a-z0-9 ,";'=+\-@]{0,20}[a-z0-9"]$/));
const until = fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 }));
const users = fc.uniqueArray(fc.record({ address, reason, until, onlyHere: fc.boolean() }), {
  selector: (user) => user.address,
});

test('a list that was exported reads back as it was, whatever its users are called', () => {
  fc.assert(
    fc.property(users, fc.constantFrom('Abel', '=SUM(A1)', 'Bela, of "the other" desk'), (listed, name) => {
      const called = namesOf(listed.slice(0, 2).map(({ address: id }) => ({ of: 'user', id, name })));
      expect(readList(LIST_FORMATS.csv.text(listed, called))).toEqual({ users: listed, faults: [] });
      expect(readList(LIST_FORMATS.json.text(listed, called))).toEqual({ users: listed, faults: [] });
      const plain = listed.map((user) => ({ address: user.address, reason: null, until: null, onlyHere: false }));
      expect(readList(LIST_FORMATS.txt.text(listed))).toEqual({ users: plain, faults: [] });
    }),
  );
});

test('nothing in a line of values is worked out by a spreadsheet but numbers, and each text can be read back', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^['=+\-@\t\r0-9.a-z]{0,8}$/), (text) => {
      const line = csvLine([text]).slice(0, -2);
      const cell = line.startsWith('"') ? line.slice(1, -1) : line;
      if (!/^[+-]?\d+(\.\d+)?$/.test(text)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      expect(withoutApostrophe(cell)).toBe(text);
    }),
  );
});

test('an export says beside the address what a user is called, and nothing that a spreadsheet would work out', () => {
  const listed = [
    { address: `0x${'ab'.repeat(20)}`, reason: null, until: null, onlyHere: false },
    { address: `0x${'cd'.repeat(20)}`, reason: 'slow', until: null, onlyHere: false },
  ];
  const called = namesOf([{ of: 'user', id: `0x${'ab'.repeat(20)}`, name: '=Abel' }]);
  expect(LIST_FORMATS.csv.text(listed, called).trimEnd().split('\r\n')).toEqual([
    'address,reason,until,onlyHere,name',
    `0x${'ab'.repeat(20)},,,,'=Abel`,
    `0x${'cd'.repeat(20)},slow,,,`,
  ]);
  expect(JSON.parse(LIST_FORMATS.json.text(listed, called))).toEqual([
    { address: `0x${'ab'.repeat(20)}`, name: '=Abel' },
    { address: `0x${'cd'.repeat(20)}`, reason: 'slow' },
  ]);
});

test('lines that name nobody are told with their number, and the others are read', () => {
  const good = `0x${'AB'.repeat(20)}`;
  expect(readList(`${good}\n\nnobody\n${good},x,soon\r\n${good},x,,perhaps\n`)).toEqual({
    users: [{ address: good.toLowerCase(), reason: null, until: null, onlyHere: false }],
    faults: [
      { line: 3, reason: '“nobody” is not an address.' },
      { line: 4, reason: '“soon” is not a time.' },
      { line: 5, reason: '“perhaps” is neither true nor false for onlyHere.' },
    ],
  });
  expect(readList('[1, {').faults).toEqual([{ line: 1, reason: 'This is not JSON.' }]);
  expect(readList('[1]').faults).toHaveLength(1);
});

test('an end that cannot be read bars nobody for good, and a reach that cannot be read tells no service', () => {
  const user = `0x${'ab'.repeat(20)}`;
  const read = (entry: object) => readList(JSON.stringify([{ address: user, ...entry }]));
  expect(read({ until: 1_793_000_000_000 }).faults[0]?.reason).toContain('Its end (until) is no time');
  expect(read({ onlyHere: 1 }).faults[0]?.reason).toBe('Its onlyHere is neither true nor false.');
  expect(read({ reason: 7 }).faults[0]?.reason).toBe('Its reason is no text.');
  expect(read({ until: '2026-12-24T18:00:00Z', onlyHere: true }).users).toEqual([
    { address: user, reason: null, until: Date.UTC(2026, 11, 24, 18), onlyHere: true },
  ]);
  expect(read({ until: null, onlyHere: null }).users).toEqual([
    { address: user, reason: null, until: null, onlyHere: false },
  ]);
});

test('an end without a time zone is one of the viewer’s own, as everywhere on the screen', () => {
  const user = `0x${'ab'.repeat(20)}`;
  setTimeZone('Asia/Tokyo');
  try {
    const ends = readList(`${user},,2026-12-24 18:00`).users.concat(readList(`${user},,2026-12-24`).users);
    expect(ends.map(({ until }) => until)).toEqual([Date.UTC(2026, 11, 24, 9), Date.UTC(2026, 11, 23, 15)]);
    expect(readList(`${user},,2026-12-24 18:00Z`).users[0]?.until).toBe(Date.UTC(2026, 11, 24, 18));
  } finally {
    setTimeZone('UTC');
  }
});

test('only what is written as the export or the screen writes it is an end: no other order of day and month, no day that there is not', () => {
  const user = `0x${'ab'.repeat(20)}`;
  const read = (until: string) => readList(`${user},,${until}`);
  for (const typed of ['12-11-2026', '11/12/2026', '2026-02-31', '2026-02-31 18:00Z', '2026-12-24T18:00+99:99', '1']) {
    expect(read(typed), typed).toEqual({ users: [], faults: [{ line: 1, reason: `“${typed}” is not a time.` }] });
  }
  const six = Date.UTC(2026, 11, 24, 18);
  const zoned = ['18:00Z', '20:00+02:00', '12:30:00-0530', '18:00:00.000Z'].map((clock) => read(`2026-12-24T${clock}`));
  expect(zoned.map(({ users: [one] }) => one?.until)).toEqual([six, six, six, six]);
});

test('the button says where and until when somebody is barred, and whether the service is told', () => {
  const end = { kind: 'at', time: Date.UTC(2026, 11, 24, 18) } as const;
  expect(actText('every chain', { kind: 'never' }, false)).toBe('Blacklist on every chain for good');
  expect(actText('Practice', end, true)).toBe('Blacklist on Practice until 2026-12-24 18:00 UTC, by this desk only');
  expect(actText(null, { kind: 'never' }, false)).toBe('Blacklist for good');
  expect(actText(null, { kind: 'wrong', reason: 'x' }, false)).toBe('Blacklist');
});

test('users are ranked by what they cost a minute later, those without that figure behind by how often they asked', () => {
  const row = (user: string, after1m: number | 'not_yet' | null, asked: number) => ({
    user: user as `0x${string}`,
    chainId: null,
    pair: null,
    fills: 0,
    volume: null,
    unit: 'USD',
    unpriced: 0,
    asked,
    signed: 0,
    filled: 0,
    edge: null,
    after10s: null,
    counts: { edge: 0, after10s: 0, after1m: 0, after5m: 0 },
    after1m,
    after5m: null,
  });
  const rows = [row('a', null, 9), row('b', 5, 1), row('c', -7, 1), row('d', 'not_yet', 20)];
  expect(worstFirst(rows).map(({ user }) => user)).toEqual(['c', 'b', 'd', 'a']);
});
