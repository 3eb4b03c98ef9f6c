import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Pacer, startPacer } from '../../../electron/practice/takers/pacer.ts';

let pacer: Pacer;
let turns: number[] = [];
let late = 0;
/** The clock that the pacer reads; `late` is what its timers are late by. */
const now = () => Date.now() + late;

beforeEach(() => {
  vi.useFakeTimers();
  turns = [];
  late = 0;
});
afterEach(() => {
  pacer.stop();
  vi.useRealTimers();
});

function start(perSecond: number): void {
  pacer = startPacer({ perSecond, now, turn: () => turns.push(now()) });
}

test.each([1 / 60, 0.4, 7, 300])(
  'at %d a second there are as many turns in ten minutes, however late the timers are',
  (perSecond) => {
    start(perSecond);
    for (let second = 0; second < 600; second += 1) {
      late += 0.0003;
      vi.advanceTimersByTime(1_000);
    }
    expect(Math.abs(turns.length - perSecond * 600)).toBeLessThanOrEqual(1);
  },
);

test('a change of speed counts from that moment, also out of a standstill', () => {
  start(0);
  vi.advanceTimersByTime(60_000);
  expect(turns).toHaveLength(0);
  pacer.setSpeed(10);
  vi.advanceTimersByTime(2_000);
  expect(turns).toHaveLength(20);
  pacer.setSpeed(1);
  vi.advanceTimersByTime(5_000);
  expect(turns).toHaveLength(25);
  pacer.setSpeed(0);
  vi.advanceTimersByTime(60_000);
  expect(turns).toHaveLength(25);
});

test('after a machine has slept a second is made up for, not the night', () => {
  start(10);
  vi.advanceTimersByTime(1_000);
  late += 8 * 3_600_000;
  vi.advanceTimersByTime(1_000);
  expect(turns.length).toBeLessThanOrEqual(10 + 10 + 11);
  expect(turns.length).toBeGreaterThanOrEqual(20);
});
