import fs, { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient, implement } from '@orpc/server';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { haltEverything, haltOfApp } from '../../electron/app/halt.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import type { OwnDeskState } from '../../electron/contract/desks-elsewhere.ts';
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
  expect(await outcome).toEqual({ kind: 'no_answer', stillArmed: null });
  expect(existsSync(armed)).toBe(false);
});

/** Does these things to the file system, until the test is over. */
function patchFiles(calls: Partial<Pick<typeof fs.promises, 'open' | 'unlink'>>): void {
  const { open, unlink } = fs.promises;
  const patch = (patched: typeof calls) => {
    Object.assign(fs.promises, patched);
    syncBuiltinESMExports();
  };
  onTestFinished(() => patch({ open, unlink }));
  patch(calls);
}

/** The folder is written to the disk so. */
function patchSync(sync: (real: () => Promise<void>) => Promise<void>): void {
  const { open } = fs.promises;
  patchFiles({
    open: async (path, ...how) => {
      const handle = await open(path, ...how);
      const real = handle.sync.bind(handle);
      return path === folder ? Object.assign(handle, { sync: () => sync(real) }) : handle;
    },
  });
}

test('its leave is gone for good, also after a power cut: the folder is written to the disk once the file is removed', async () => {
  const wasThere: boolean[] = [];
  patchSync((real) => {
    wasThere.push(existsSync(armed));
    return real();
  });
  expect(await haltEverything(null, folder, 'test')).toEqual({ kind: 'no_answer', stillArmed: null });
  expect(wasThere).toEqual([false]);
});

const isNotKnown = 'it is not known whether that is on the disk';

test('where the disk fails to take it, whoever halts is told that the desk may come back LIVE after a power cut', async () => {
  patchSync(() => Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })));
  const { stillArmed } = (await haltEverything(null, folder, 'test')) as { stillArmed: string };
  expect(stillArmed).toContain(`${armed} is removed, but ${isNotKnown}: the disk does not work.`);
  expect(existsSync(armed)).toBe(false);
});

test('where the disk says nothing, whoever halts waits a second and is told so', async () => {
  const taking = vi.fn<() => Promise<void>>(() => new Promise(() => {}));
  patchSync(taking);
  const outcome = haltEverything(null, folder, 'test');
  await vi.waitFor(() => expect(taking).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(1_000);
  const stillArmed = expect.stringContaining(`${armed} is removed, but ${isNotKnown}: the disk has not answered yet.`);
  expect(await outcome).toEqual({ kind: 'no_answer', stillArmed });
});

test.each([
  ['a desk that fails to halt', () => deskThatAnswers(() => Promise.reject(new Error('broken')))],
  ['no desk at all', () => null],
])('with %s it is the same, at once', async (_name, desk) => {
  expect(await haltEverything(desk(), folder, 'test')).toEqual({ kind: 'no_answer', stillArmed: null });
  expect(existsSync(armed)).toBe(false);
});

/** HALT of an app whose desk never answers, and what came of it; the person answers the question when `answer` is called. */
function silentDesk({ isThere = true, state = 'LIVE' as OwnDeskState } = {}) {
  const seen = { asked: 0, killed: 0, told: [] as string[], details: [] as (string | null)[], halts: 0 };
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
    watch: { state: () => state, set: () => {} },
    desk: () => now,
    askToEndDesk: (stillArmed) => {
      seen.asked += 1;
      seen.details.push(stillArmed);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    tell: (message, detail) => {
      seen.told.push(message);
      seen.details.push(detail);
    },
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
    await expect.poll(() => seen.asked).toBe(end ? 2 : 1);
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
  await expect.poll(() => seen).toMatchObject({ halts: 3, asked: 1 });
  answer(false);
  await pressed;
});

test('a process that has taken the place of the hung one is not ended', async () => {
  const { seen, press, answer, replace } = silentDesk();
  const pressed = press();
  await vi.advanceTimersByTimeAsync(3_100);
  await expect.poll(() => seen.asked).toBe(1);
  replace();
  answer(true);
  await pressed;
  expect(seen).toMatchObject({ asked: 1, killed: 0 });
});

test('without a process nobody is asked to end one', async () => {
  const { seen, press } = silentDesk({ isThere: false });
  await press();
  expect(seen).toMatchObject({ asked: 0, told: ['There is no desk to halt.'] });
  expect(existsSync(armed)).toBe(false);
});

test('where others are halted with it, an own desk without a process is seen beside them and no message stands in the way', async () => {
  const { seen, press } = silentDesk({ isThere: false });
  await press(true);
  expect(seen).toMatchObject({ asked: 0, told: [] });
  expect(existsSync(armed)).toBe(false);
});

/** The file `armed` cannot be removed, as on a disk that can only be read. */
function keepArmed(): string {
  rmSync(armed);
  mkdirSync(join(armed, 'x'), { recursive: true });
  return `${armed} could not be removed`;
}

test('a desk that hangs is ended although its file armed cannot be removed, and whoever ends it is told that it may come back LIVE', async () => {
  const mayComeBack = keepArmed();
  const { seen, press, answer } = silentDesk();
  const pressed = press();
  await vi.advanceTimersByTimeAsync(3_100);
  await expect.poll(() => seen.details).toEqual([expect.stringContaining(mayComeBack)]);
  answer(true);
  await pressed;
  expect(seen).toMatchObject({ asked: 1, killed: 1 });
});

test('a share that hangs holds up no question and no other press, and one thread of the app however often HALT is pressed', async () => {
  const { unlink } = fs.promises;
  let comeBack = () => {};
  const back = new Promise<void>((resolve) => {
    comeBack = resolve;
  });
  const removed: unknown[] = [];
  patchFiles({
    unlink: async (path) => {
      removed.push(path);
      await back;
      await unlink(path);
    },
  });
  const { seen, press, answer } = silentDesk();
  for (const times of [1, 2, 3]) {
    const pressed = press();
    await vi.advanceTimersByTimeAsync(3_500);
    await press();
    expect(seen.asked).toBe(times - 1);
    await vi.advanceTimersByTimeAsync(500);
    expect(seen).toMatchObject({ asked: times, halts: 2 * times });
    answer(false);
    await pressed;
  }
  const mayComeBack = `${armed} could not be removed: the disk has not answered yet. While it is there the desk may come back LIVE`;
  expect(seen.details).toEqual(Array(3).fill(expect.stringContaining(mayComeBack)));
  expect(removed).toEqual([armed]);
  comeBack();
  await expect.poll(() => existsSync(armed)).toBe(false);
});

test.each<[string, Parameters<typeof silentDesk>[0], string]>([
  ['is not open yet', { state: 'waits' }, 'The desk is not open yet, so nothing is quoted, but it may open LIVE.'],
  ['has no process', { isThere: false }, 'There is no desk to halt, but it may start again LIVE.'],
])(
  'where a desk %s and its file armed cannot be removed, that is told, also where others are halted with it',
  async (_how, made, says) => {
    const mayComeBack = keepArmed();
    const { seen, press } = silentDesk(made);
    await press(true);
    expect(seen).toMatchObject({ asked: 0, told: [says], details: [expect.stringContaining(mayComeBack)] });
  },
);

test('a desk that is halted but could not write it down is told to stay halted only where its file armed is gone', async () => {
  const told: string[] = [];
  const desk = { child: null, client: deskThatAnswers(async () => ({ durable: false, at: 1, status })), folder };
  const press = haltOfApp({
    watch: { state: () => 'LIVE', set: () => {} },
    desk: () => desk,
    askToEndDesk: async () => false,
    tell: (_message, detail) => void told.push(detail),
    ending: () => {},
  });
  await press('test');
  expect(existsSync(armed)).toBe(false);
  writeFileSync(armed, '');
  const mayComeBack = keepArmed();
  await press('test');
  expect(told).toEqual([expect.stringContaining('stays halted after a restart'), expect.stringContaining(mayComeBack)]);
});
