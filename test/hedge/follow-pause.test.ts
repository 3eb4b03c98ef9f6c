import { expect, test } from 'vitest';
import type { HedgeRun } from '../../electron/hedge/hedge-run.ts';
import { pausesOf, untilLookedFor } from '../../electron/hedge/venues/intents/follow-pause.ts';
import { stretchOf, Turns } from '../../electron/service/turns.ts';
import { sleptClock } from '../service/slept-clock.ts';

const POLL_SECONDS = 2.5;
const HOUR = 3_600;
const DAY_MS = 86_400_000;
const A = 'http://127.0.0.1:1/prices';

/** How often an order is asked about until its deadline. */
function questions(lifetime: number, interval: number | null = null): number {
  let count = 0;
  for (let age = 0; age < lifetime; count += 1) {
    age += POLL_SECONDS * pausesOf({ age, left: lifetime - age, interval, isCancelling: false });
  }
  return count;
}

test('a young order is asked about at once, an old one seldom, and a day of waiting costs a small part of the day', () => {
  const common = { left: HOUR, interval: null, isCancelling: false };
  expect(pausesOf({ age: 5, ...common })).toBe(1);
  expect(pausesOf({ age: 600, ...common })).toBe(10);
  expect(questions(HOUR)).toBeLessThan(150);
  expect(questions(24 * HOUR)).toBeLessThan(450);
});

test('a slice of a TWAP is seen within its interval, an end and a cancellation soon', () => {
  const old = { age: 10 * HOUR, left: 10 * HOUR, interval: null, isCancelling: false };
  expect(pausesOf({ ...old, interval: 60 }) * POLL_SECONDS).toBeLessThanOrEqual(60 / 4);
  for (const near of [{ left: 30 }, { left: -30 }, { isCancelling: true }]) {
    expect(pausesOf({ ...old, ...near }) * POLL_SECONDS).toBeLessThanOrEqual(20);
  }
});

test('what nobody waits for is asked slower once more of the day is spent than has passed', () => {
  const noon = DAY_MS / 2;
  expect(stretchOf({ asked: 1_500, perDay: 3_000 }, noon)).toBe(1);
  expect(stretchOf({ asked: 2_250, perDay: 3_000 }, noon)).toBe(2);
  expect(stretchOf({ asked: 9_000, perDay: 3_000 }, noon)).toBe(20);
  expect(stretchOf({ asked: 9_000, perDay: null }, noon)).toBe(1);
});

test('questions are counted for each service and day, and a key has a rate of its own', async () => {
  let now = 10 * DAY_MS;
  let hasKey = false;
  const clock = sleptClock();
  const turns = new Turns(
    clock,
    () => hasKey,
    () => now,
  );
  for (let count = 0; count < 3; count += 1) await turns.take(A);
  expect([turns.budget(A), turns.budget('http://127.0.0.1:2')]).toEqual([
    { asked: 3, perDay: 3_000, reserve: 600 },
    { asked: 0, perDay: 3_000, reserve: 600 },
  ]);
  now += DAY_MS;
  expect(turns.budget(A).asked).toBe(0);
  hasKey = true;
  await turns.take(A);
  const before = clock.time;
  await turns.take(A);
  expect([clock.time - before, turns.budget(A)]).toEqual([250, { asked: 2, perDay: null, reserve: 0 }]);
});

test('a signed order that the service may not have is looked for the more seldom the longer it was, and at once when a halt is over', async () => {
  const now = 100 * DAY_MS;
  const world = { state: 'LIVE', rests: 0 };
  const hedge = { confirmed: false, opened: { chainId: 1, deadline: now / 1_000 + 24 * HOUR } };
  const run = {
    seq: 1,
    pollMs: 1,
    log: { running: () => hedge },
    parts: {
      now: () => now,
      service: () => ({ budget: () => ({ asked: 0, perDay: null, reserve: 0 }) }),
      guard: { trading: { tick: () => {}, stateOf: () => world.state } },
    },
    signal: {
      aborted: false,
      addEventListener: () => {},
      removeEventListener: () => {},
      throwIfAborted: () => {
        world.rests += 0.5;
        if (world.state === 'HALTED' && world.rests >= 3) world.state = 'LIVE';
      },
    },
  } as unknown as HedgeRun;
  const rests = async (seconds: number) => {
    world.rests = 0;
    await untilLookedFor(run, now - seconds * 1_000);
    return world.rests;
  };
  expect(await rests(10)).toBe(1);
  expect(await rests(20 * 60)).toBe(20);
  world.state = 'HALTED';
  expect(await rests(20 * 60)).toBe(3);
});
