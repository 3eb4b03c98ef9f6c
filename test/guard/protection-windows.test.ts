import { expect, test } from 'vitest';
import { ProtectionWindows } from '../../electron/guard/protection-windows.ts';
import { SlidingWindow } from '../../electron/guard/sliding-window.ts';

const START = 1_790_000_000_000;
/** For so many a rule keeps windows. */
const MOST = 200_000;

test('a window of very many quotes never has less in it than there is, nor more than a moment longer', () => {
  const [length, step, count] = [1_000_000, 10, 300_000];
  const window = new SlidingWindow(length);
  let differs = 0;
  for (let index = 0; index < count; index += 1) {
    window.add(START + index * step, 1n);
    const had = window.slideTo(START + index * step);
    const exact = BigInt(Math.min(index + 1, length / step));
    if (had < exact || had > exact + 4n) throw new Error(`${had} and not ${exact} after ${index + 1}`);
    if (had > exact) differs += 1;
  }
  expect(differs, 'so many are not kept one by one').toBeGreaterThan(0);
  const end = START + count * step;
  const before = window.slideTo(end - step);
  window.takeBack(end - step, 1n);
  expect(window.slideTo(end - step), 'of the newest').toBe(before - 1n);
  window.takeBack(end - length / 2, 1n);
  expect(window.slideTo(end - step), 'of one that was put together with others').toBe(before - 2n);
  window.takeBack(START, 1n);
  expect(window.slideTo(end - step), 'and nothing of one that slid out').toBe(before - 2n);
  expect(window.slideTo(end + length - step), 'all of it slides out in its time').toBe(0n);
});

test('what more subjects come to than a rule keeps windows for is one sum, until that is over', () => {
  const rule = {
    name: 'flood',
    counts: 'signed',
    per: 'user',
    windowSeconds: 60,
    limit: '3',
    freezeSeconds: 1,
  } as const;
  const windows = new ProtectionWindows(rule, []);
  const user = (index: number) => ({ chainId: null, who: `user ${index}` });
  const none = '0x';
  const assets = { makerAsset: none, takerAsset: none, makerAmount: 0n, takerAmount: 0n } as const;
  const quote = {
    chainId: 1,
    pair: 'A/B',
    user: none,
    counterparty: null,
    side: null,
    ...assets,
    dollars: null,
    gain: null,
  } as const;
  for (let index = 0; index < MOST; index += 1) windows.add(user(index), quote, START);
  const [known, late, later] = [user(7), user(MOST), user(MOST + 1)];
  windows.add(late, quote, START + 1_000);
  windows.add(later, quote, START + 1_000);
  expect(windows.used(known, START + 1_000), 'who has a window is counted alone').toBe(1n);
  expect([windows.used(late, START + 1_000), windows.used(later, START + 1_000)]).toEqual([2n, 2n]);
  windows.add(known, quote, START + 60_500);
  windows.add(late, quote, START + 60_500);
  expect(windows.used(late, START + 60_500), 'it may be counted there still').toBe(3n);
  windows.add(late, quote, START + 121_000);
  expect([windows.used(late, START + 121_000), windows.used(later, START + 121_000)]).toEqual([1n, 0n]);
});
