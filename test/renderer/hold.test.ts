import { expect, test } from 'vitest';
import { boundOf } from '../../renderer/state/use-hold.ts';

test('a list that is held shows what it showed, and goes on when it is let go', () => {
  expect(boundOf(null, true, 40)).toBe(40);
  expect(boundOf(40, true, 55)).toBe(40);
  expect(boundOf(40, false, 55)).toBeNull();
});

test('a list that is begun anew while it is held is never empty for it: it holds what it comes to show', () => {
  const held = boundOf(null, true, 40); // a filtered log, with a drawer open
  const cleared = boundOf(held, true, -1); // the filter is cleared: the new search has found nothing yet
  expect(boundOf(cleared, true, 5_000)).toBe(5_000);
  expect(boundOf(null, true, -1)).toBeNull();
});
