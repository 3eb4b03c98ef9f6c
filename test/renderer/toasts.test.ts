import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openToasts } from '../../renderer/state/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('of many refusals at once each is kept for its time, and none pushes another out', () => {
  const toasts = openToasts();
  const titles = () => toasts.list().map(({ title }) => title);
  const refused = Array.from({ length: 9 }, (_, index) => `PAIR${index}: somebody changed this cell`);
  for (const title of refused) toasts.show({ level: 'stop', title });
  toasts.show({ level: 'note', title: 'Draft discarded' });
  expect(titles()).toEqual([...refused, 'Draft discarded']);
  vi.advanceTimersByTime(15_000);
  expect(titles()).toEqual(refused);
  vi.advanceTimersByTime(10_000);
  expect(titles()).toEqual([]);
});
