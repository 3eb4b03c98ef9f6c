import { beforeEach, expect, test } from 'vitest';
import { openRateLimits, type RateLimits } from '../../../electron/practice/service/rate-limits.ts';

const KEY = 'a key that is known';
let now: number;
let limits: RateLimits;
beforeEach(() => {
  now = 86_400_000 * 20_000;
  limits = openRateLimits({ keys: [KEY], now: () => now });
  limits.on = true;
});

const someone = { from: '10.0.0.1' };

test('the free tier is one request a second and three thousand a day', () => {
  for (let index = 0; index < 3_000; index += 1) {
    expect(limits.admits(someone, 'usual')).toBe(true);
    now += 999;
    expect(limits.admits(someone, 'usual')).toBe(false);
    now += 1;
  }
  expect(limits.admits(someone, 'usual')).toBe(false);
  now += 86_400_000;
  expect(limits.admits(someone, 'usual')).toBe(true);
});

test('each caller is counted by himself, and swaps apart from the rest', () => {
  expect(limits.admits(someone, 'usual')).toBe(true);
  expect(limits.admits(someone, 'swap')).toBe(true);
  expect(limits.admits({ from: '10.0.0.2' }, 'usual')).toBe(true);
  now += 1_000;
  expect([limits.admits(someone, 'usual'), limits.admits(someone, 'swap')]).toEqual([true, false]);
});

test('who sends a known key may ask more often, who sends another one may not', () => {
  const [known, unknown] = [KEY, 'another'].map((apiKey) => ({ ...someone, apiKey }));
  for (let index = 0; index < 20; index += 1) {
    expect(limits.admits(known ?? {}, 'usual')).toBe(true);
    now += 50;
  }
  expect(limits.admits(unknown ?? {}, 'usual')).toBe(true);
  expect(limits.admits(unknown ?? {}, 'usual')).toBe(false);
  expect(limits.admits(someone, 'usual')).toBe(false);
});

test('nobody is refused while nothing is counted', () => {
  limits.on = false;
  for (let index = 0; index < 10; index += 1) expect(limits.admits(someone, 'swap')).toBe(true);
});

test('a clock that is set back by an hour keeps nobody waiting for an hour', () => {
  expect(limits.admits(someone, 'usual')).toBe(true);
  now -= 3_600_000;
  expect([limits.admits(someone, 'usual'), limits.admits(someone, 'usual')]).toEqual([true, false]);
  now += 1_000;
  expect(limits.admits(someone, 'usual')).toBe(true);
});
