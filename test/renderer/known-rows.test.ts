import { expect, test } from 'vitest';
import { isKnown, ticksOf } from '../../renderer/pages/desk/known-rows.ts';

const away = { code: 'node 1', title: 'Mainnet is not seen for 12.5 s' };
const other = { ...away, title: 'The node of Mainnet has another chain' };

test('what was ticked as known is known by its title: something else that is wrong with the same node is not, other figures are', () => {
  expect(isKnown(away, [away])).toBe(true);
  expect(isKnown({ ...away, title: 'Mainnet is not seen for 1:03 s' }, [away])).toBe(true);
  expect(isKnown(other, [away])).toBe(false);
  expect(isKnown(away, [away, other]), 'both were ticked, one after the other').toBe(true);
});

test('of what may become more it is known what was there when it was ticked', () => {
  const closed = { code: 'reference 1', title: '2 pairs are closed', covers: ['A', 'B'] };
  expect(isKnown({ ...closed, title: 'A is closed', covers: ['A'] }, [closed])).toBe(true);
  expect(isKnown({ ...closed, covers: ['A', 'C'] }, [closed])).toBe(false);
});

test('what is gone is forgotten, so that it is ticked anew when it comes again', () => {
  const ticked = [away];
  expect(ticksOf([other], ticked)).toBe(ticked);
  expect(ticksOf([], ticked)).toEqual([]);
});
