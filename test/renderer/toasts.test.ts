import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AT_ONCE, gravest, openToasts } from '../../renderer/state/toasts.ts';

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

test('of the alerts of a night the gravest and newest are kept, each with its moment; how many more there were is said until all are dismissed', () => {
  let isSeen = false;
  const toasts = openToasts(
    () => isSeen,
    () => Date.UTC(2026, 10, 19, 2),
  );
  toasts.show({ level: 'look', title: 'Not taken back: WETH/USDC' });
  for (let count = 1; count <= 30; count += 1) {
    toasts.show({ level: count === 2 ? 'stop' : 'look', title: `Alert ${count}`, isAlert: true });
  }
  const titles = () => toasts.list().map(({ title }) => title);
  const kept = ['Not taken back: WETH/USDC', 'Alert 2', 'Alert 27', 'Alert 28', 'Alert 29', 'Alert 30'];
  expect(titles(), 'what stands nowhere else is kept').toEqual(kept);
  expect(toasts.list()[0]?.at).toBe(Date.UTC(2026, 10, 19, 2));
  expect(toasts.folded()).toBe(25);
  isSeen = true;
  toasts.show({ level: 'look', title: 'Alert 31', isAlert: true });
  expect(titles(), 'what comes while it is seen waits for its place').toEqual([...kept, 'Alert 31']);
  vi.advanceTimersByTime(120_000);
  expect(toasts.list()).toEqual([]);
  expect(toasts.folded()).toBe(25);
  toasts.dismissAll();
  expect(toasts.folded()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('what must not be missed stays until it is dismissed, and takes the place of nothing that is newer', () => {
  const toasts = openToasts();
  for (const pair of ['A', 'B', 'C']) toasts.show({ level: 'look', isKept: true, title: `${pair} was not published` });
  vi.advanceTimersByTime(60_000);
  expect(toasts.list()).toHaveLength(3);
  toasts.show({ level: 'look', title: 'DAI/USDC stays closed' });
  expect(gravest(toasts.list(), AT_ONCE).map(({ title }) => title)).toContain('DAI/USDC stays closed');
  vi.advanceTimersByTime(11_000);
  expect(toasts.list()).toHaveLength(3);
  for (const { id } of toasts.list()) toasts.dismiss(id);
  expect(vi.getTimerCount()).toBe(0);
});

test('all are dismissed at once, those that wait for a place as well', () => {
  const toasts = openToasts();
  for (let count = 1; count <= 9; count += 1) toasts.show({ level: 'stop', title: `Refused ${count}` });
  toasts.dismissAll();
  expect(toasts.list()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what is said about the same takes the place of what was said before, and of those that stay only the newest keeps others from their place', () => {
  const toasts = openToasts();
  const titles = () => toasts.list().map(({ title }) => title);
  const about = (pair: string) => ({ about: pair, isKept: true }) as const;
  for (const pair of ['A', 'B', 'C', 'A'])
    toasts.show({ level: 'look', title: `${pair} was not taken`, ...about(pair) });
  expect(titles()).toEqual(['B was not taken', 'C was not taken', 'A was not taken']);
  toasts.show({ level: 'note', title: 'Draft of D discarded' });
  toasts.show({ level: 'done', title: 'B published', about: 'B' });
  expect(titles()).toEqual(['C was not taken', 'A was not taken', 'Draft of D discarded', 'B published']);
  const shown = gravest(toasts.list(), 3).map(({ title }) => title);
  expect(shown).toEqual(['A was not taken', 'Draft of D discarded', 'B published']);
  vi.advanceTimersByTime(60_000);
  expect(titles()).toEqual(['C was not taken', 'A was not taken']);
  toasts.dismissAll();
  expect(vi.getTimerCount()).toBe(0);
});
