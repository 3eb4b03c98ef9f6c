import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gravest, openToasts } from '../../renderer/state/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('of many refusals at once each is kept for its time from when there is room for it, and none pushes another out', () => {
  const toasts = openToasts();
  const titles = () => toasts.list().map(({ title }) => title);
  const refused = Array.from({ length: 9 }, (_, index) => `PAIR${index}: somebody changed this cell`);
  for (const title of refused) toasts.show({ level: 'stop', title });
  toasts.show({ level: 'note', title: 'Draft discarded' });
  expect(titles()).toEqual([...refused, 'Draft discarded']);
  vi.advanceTimersByTime(19_000);
  expect(titles()).toEqual(refused);
  vi.advanceTimersByTime(2_000);
  expect(titles(), 'the newest stood there').toEqual(refused.slice(0, 6));
  vi.advanceTimersByTime(21_000);
  expect(titles()).toEqual(refused.slice(0, 3));
  vi.advanceTimersByTime(21_000);
  expect(titles()).toEqual([]);
});

test('its time is what it can be seen for: behind another window, or while the page stands still, none of it goes by', () => {
  let isSeen = true;
  const toasts = openToasts(() => isSeen);
  const left = () => toasts.list().length;
  toasts.show({ level: 'look', title: 'DAI/USDC stays closed' });
  vi.advanceTimersByTime(6_000);
  isSeen = false;
  vi.advanceTimersByTime(60_000);
  // A page that stood still is not given the time that went by meanwhile.
  vi.setSystemTime(Date.now() + 60_000);
  isSeen = true;
  vi.advanceTimersByTime(3_000);
  expect(left()).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(left()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('where there is no room for all, what stopped stands before what is only to be known, however new that is', () => {
  const toasts = openToasts();
  const shown = (room: number) => gravest(toasts.list(), room).map(({ title }) => title);
  toasts.show({ level: 'stop', title: 'Not halted' });
  toasts.show({ level: 'look', title: 'DAI/USDC stays closed' });
  toasts.show({ level: 'done', title: 'WETH/USDC published' });
  for (const pair of ['A', 'B', 'C']) toasts.show({ level: 'note', title: `Draft of ${pair} discarded` });
  expect(shown(3)).toEqual(['Not halted', 'DAI/USDC stays closed', 'Draft of C discarded']);
  expect(shown(1)).toEqual(['Not halted']);
  expect(shown(6)).toHaveLength(6);
  toasts.show({ level: 'stop', title: 'Not halted again' });
  expect(shown(2)).toEqual(['Not halted', 'Not halted again']);
});
