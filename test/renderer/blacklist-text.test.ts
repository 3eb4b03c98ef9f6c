import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIST_FORMATS, readList } from '../../renderer/pages/blacklist/listed-text.ts';
import { worstFirst } from '../../renderer/pages/blacklist/worst-first.ts';

const address = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);
const reason = fc.option(fc.stringMatching(/^[a-z"][a-z ,";]{0,20}[a-z"]$/));
const until = fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 }));
const users = fc.uniqueArray(fc.record({ address, reason, until, onlyHere: fc.boolean() }), {
  selector: (user) => user.address,
});

test('a list that was exported reads back as it was', () => {
  fc.assert(
    fc.property(users, (listed) => {
      expect(readList(LIST_FORMATS.csv.text(listed))).toEqual({ users: listed, faults: [] });
      expect(readList(LIST_FORMATS.json.text(listed))).toEqual({ users: listed, faults: [] });
      const plain = listed.map((user) => ({ address: user.address, reason: null, until: null, onlyHere: false }));
      expect(readList(LIST_FORMATS.txt.text(listed))).toEqual({ users: plain, faults: [] });
    }),
  );
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
