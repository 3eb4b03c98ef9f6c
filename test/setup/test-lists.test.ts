import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST } from '../longest-first.ts';
import { QUICK_SPECS, TAKE_LONG, TAKE_LONGEST } from '../takes-long.ts';

const root = new URL('../../', import.meta.url);

test('every test that is begun first, left to the long form or to the whole, or kept from them, is there', () => {
  const listed = [...LONGEST, ...TAKE_LONG, ...TAKE_LONGEST, ...QUICK_SPECS];
  expect(listed.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
