import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient, implement } from '@orpc/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { haltEverything, haltOfApp } from '../../electron/app/halt.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import type { Status, StopAcknowledgement } from '../../electron/contract/trading.ts';

let folder: string;
let armed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-halt-'));
  armed = join(folder, 'armed');
  writeFileSync(armed, '');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const status: Status = { state: 'HALTED', reason: 'test', actor: 'test', since: 1, drainUntil: null, chains: [] };

/** A desk that answers halts so, and nothing else. */
function deskThatAnswers(halt: () => Promise<StopAcknowledgement>) {
  const { trading } = implement(consoleContract);
  const client = createRouterClient({ trading: { halt: trading.halt.handler(halt) } });
  return client as Parameters<typeof haltEverything>[0];
}

test('an acknowledged halt leaves the folder to the desk', async () => {
  const desk = deskThatAnswers(async () => ({ durable: true, at: 1, status }));
  expect(await haltEverything(desk, folder, 'test')).toMatchObject({
    kind: 'halted',
    acknowledgement: { durable: true },
  });
  expect(existsSync(armed)).toBe(true);
});

test('a desk that does not answer loses its leave to trade after a restart', async () => {
  const desk = deskThatAnswers(() => new Promise(() => {}));
  const outcome = haltEverything(desk, folder, 'test');
  await vi.advanceTimersByTimeAsync(2_900);
  expect(existsSync(armed)).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(await outcome).toEqual({ kind: 'no_answer' });
  expect(existsSync(armed)).toBe(false);
});

test.each([
  ['a desk that fails to halt', () => deskThatAnswers(() => Promise.reject(new Error('broken')))],
  ['no desk at all', () => null],
])('with %s it is the same, at once', async (_name, desk) => {
  expect(await haltEverything(desk(), folder, 'test')).toEqual({ kind: 'no_answer' });
  expect(existsSync(armed)).toBe(false);
});

/** HALT of an app whose desk never answers, and what came of it; the person answers the question when `answer` is called. */
function silentDesk(isThere = true) {
  const seen = { asked: 0, killed: 0, told: [] as string[], halts: 0 };
  const kill = () => {
    seen.killed += 1;
  };
  let answer: (end: boolean) => void = () => {};
  const client = deskThatAnswers(() => {
    seen.halts += 1;
    return new Promise(() => {});
  });
  const desk: ReturnType<Parameters<typeof haltOfApp>[0]['desk']> = {
    child: isThere ? { kill } : null,
    client: isThere ? client : null,
    folder,
  };
  let now = desk;
  const press = haltOfApp({
    watch: { state: () => 'LIVE', set: () => {} },
    desk: () => now,
    askToEndDesk: () => {
      seen.asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    tell: (message) => void seen.told.push(message),
    ending: () => {},
  });
  return {
    seen,
    press: (isOfAll = false) => press('test', { isOfAll }),
    answer: (end: boolean) => answer(end),
    /** Another process has taken its place. */
    replace: () => {
      now = { ...desk, child: { kill } };
    },
  };
}

test('a desk that does not acknowledge is ended by a person’s word only', async () => {
  const { seen, press, answer } = silentDesk();
  for (const end of [false, true]) {
    const pressed = press();
    await vi.advanceTimersByTimeAsync(3_100);
    expect(seen.killed).toBe(0);
    answer(end);
    await pressed;
  }
  expect(seen).toMatchObject({ asked: 2, killed: 1 });
});

test('a press while another waits asks the desk again, and no person', async () => {
  const { seen, press, answer } = silentDesk();
  const pressed = press();
  await press();
  await vi.advanceTimersByTimeAsync(3_100);
  await press();
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toMatchObject({ halts: 3, asked: 1 });
  answer(false);
  await pressed;
});

test('a process that has taken the place of the hung one is not ended', async () => {
  const { seen, press, answer, replace } = silentDesk();
  const pressed = press();
  await vi.advanceTimersByTimeAsync(3_100);
  replace();
  answer(true);
  await pressed;
  expect(seen).toMatchObject({ asked: 1, killed: 0 });
});

test('without a process nobody is asked to end one', async () => {
  const { seen, press } = silentDesk(false);
  await press();
  expect(seen).toMatchObject({ asked: 0, told: ['There is no desk to halt.'] });
  expect(existsSync(armed)).toBe(false);
});

test('where others are halted with it, an own desk without a process is seen beside them and no message stands in the way', async () => {
  const { seen, press } = silentDesk(false);
  await press(true);
  expect(seen).toMatchObject({ asked: 0, told: [] });
  expect(existsSync(armed)).toBe(false);
});
