import { expect, test } from 'vitest';
import { type ShownFill, stillFills } from '../../renderer/pages/hedge/use-still-fills.ts';
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

test('fills that are held stay in their rows: none comes between, what changes does so in place, what is gone can be chosen no more', () => {
  const fill = (seq: number, cover = 'unhedged') => ({ seq, cover }) as ShownFill;
  const held = stillFills([fill(9), fill(7), fill(4)], [fill(12), fill(9, 'hedging'), fill(4)]);
  expect(held).toEqual([fill(9, 'hedging'), { ...fill(7), isGone: true }, fill(4)]);
  expect(stillFills(held, [fill(12), fill(4)])).toEqual([
    { ...fill(9, 'hedging'), isGone: true },
    { ...fill(7), isGone: true },
    fill(4),
  ]);
  // A fill that a reorganisation gave back is one of the list again.
  expect(stillFills(held, [fill(7)])[1]).toEqual(fill(7));
});
