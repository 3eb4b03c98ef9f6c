import { expect, test } from 'vitest';
import { AnswerTimes } from '../../electron/desk/answer-times.ts';

const MINUTE = 60_000;

function timed() {
  const clock = { ms: 12_345 };
  return { clock, times: new AnswerTimes(() => clock.ms) };
}

/** What is told of a time may be up to 2 % more than it was, and never less. */
function expectAbout(told: number | undefined, ms: number) {
  expect(told).toBeGreaterThanOrEqual(ms * 0.999);
  expect(told).toBeLessThanOrEqual(ms * 1.021);
}

test('of each chain it is told in what time 99 of 100 requests of the last hour had their answer', () => {
  const { times } = timed();
  expect(times.of(1)).toBeNull();
  for (let ms = 1; ms <= 200; ms += 1) times.answered(1, ms);
  times.answered(10, 4.8);
  expect(times.of(1)?.count).toBe(200);
  expectAbout(times.of(1)?.p99Ms, 198);
  expectAbout(times.of(10)?.p99Ms, 4.8);
});

test('one slow answer among a hundred is the one beyond; among fewer it is told', () => {
  const { times } = timed();
  times.answered(1, 2_500);
  for (let n = 0; n < 98; n += 1) times.answered(1, 1);
  expectAbout(times.of(1)?.p99Ms, 2_500);
  times.answered(1, 1);
  expectAbout(times.of(1)?.p99Ms, 1);
});

test('what is older than an hour counts no more, and an hour without requests tells nothing', () => {
  const { clock, times } = timed();
  times.answered(1, 900);
  clock.ms += 30 * MINUTE;
  times.answered(1, 3);
  expectAbout(times.of(1)?.p99Ms, 900);
  clock.ms += 30 * MINUTE;
  expect(times.of(1)?.count).toBe(1);
  expectAbout(times.of(1)?.p99Ms, 3);
  clock.ms += 30 * MINUTE;
  expect(times.of(1)).toBeNull();
});

test('a time that no request can take is counted at the end it is beyond, and goes with its hour', () => {
  const { clock, times } = timed();
  times.answered(1, 0);
  times.answered(2, -1);
  times.answered(4, Number.NaN);
  times.answered(3, 3_600_000);
  expect(times.of(1)?.p99Ms).toBeLessThan(0.02);
  expect(times.of(2)?.p99Ms).toBeLessThan(0.02);
  expect(times.of(3)?.p99Ms).toBeGreaterThan(10_000);
  clock.ms += 60 * MINUTE;
  expect([1, 2, 3, 4].map((chain) => times.of(chain))).toEqual([null, null, null, null]);
});
