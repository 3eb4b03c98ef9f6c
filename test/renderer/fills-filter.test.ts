import { expect, test } from 'vitest';
import { userMeant } from '../../renderer/pages/fills/pick-user.tsx';

const [one, other] = [`0xa1f4${'0'.repeat(32)}45d3`, `0xa1f4${'1'.repeat(32)}99aa`];

test('a user is meant by the whole address, or by a shortened one that only one user on the page can be', () => {
  expect(userMeant(` ${one.toUpperCase().replace('0X', '0x')} `, [])).toBe(one);
  expect(userMeant('0xa1f4…45d3', [one, other, null, one])).toBe(one);
  expect(userMeant('0xa1f4...99aa', [one, other])).toBe(other);
  for (const text of ['0xa1f4', 'a1f4', '', '0x', '0xa1f4…ffff']) expect(userMeant(text, [one, other])).toBeNull();
});
