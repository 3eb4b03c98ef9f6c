import { createRouterClient, implement } from '@orpc/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockOfApp } from '../../electron/app/lock.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import { temporaryFolder } from '../journal/fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** "Halt and lock the key" of an app whose desk answers it so, and in which order what happened. */
function appThatLocks(lock: () => Promise<{ at: number; durable: boolean }>) {
  const { key } = implement(consoleContract);
  const client = createRouterClient({ key: { lock: key.lock.handler(lock) } });
  const seen: string[] = [];
  const press = lockOfApp({
    desk: () => ({ client: client as NonNullable<DeskOfLock['client']>, folder: temporaryFolder() }),
    forgetPassphrase: () => void seen.push('forgotten'),
    halt: async (reason) => void seen.push(`halt: ${reason}`),
    tell: (message) => void seen.push(message),
  });
  return { seen, press };
}
type DeskOfLock = ReturnType<Parameters<typeof lockOfApp>[0]['desk']>;

test('a desk that does not acknowledge a lock in three seconds is halted as by HALT, that is told, and its passphrase is forgotten', async () => {
  const { seen, press } = appThatLocks(() => new Promise(() => {}));
  void press();
  await vi.advanceTimersByTimeAsync(2_900);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen).toEqual([
    'forgotten',
    'The desk has not acknowledged that its key is locked.',
    'halt: the key was to be locked, and the desk did not answer',
  ]);
});

test('a lock that was acknowledged says nothing, one that was refused says why, and one that was not written down says that', async () => {
  for (const [lock, says] of [
    [async () => ({ at: 1, durable: true }), []],
    [() => Promise.reject(new Error('There is no key.')), ['The key was not locked.']],
    [async () => ({ at: 1, durable: false }), ['Halted and locked, but the journal could not be written.']],
  ] as const) {
    const { seen, press } = appThatLocks(lock);
    await press();
    expect(seen).toEqual(says);
  }
});
