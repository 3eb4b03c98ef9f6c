import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient, implement } from '@orpc/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drainAtEnd } from '../../electron/app/drain.ts';
import { consoleContract } from '../../electron/contract/console-contract.ts';
import type { OwnDeskState } from '../../electron/contract/desks-elsewhere.ts';
import type { Status, StopAcknowledgement } from '../../electron/contract/trading.ts';

let folder: string;
let armed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-drain-'));
  armed = join(folder, 'armed');
  writeFileSync(armed, '');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const status: Status = { state: 'DRAIN', reason: 'test', actor: 'test', since: 1, drainUntil: 2, chains: [] };

/** The end of an app whose desk answers a drain so, and what came of it. */
function appThatQuits(drain: () => Promise<StopAcknowledgement>) {
  const { trading } = implement(consoleContract);
  const client = createRouterClient({ trading: { drain: trading.drain.handler(drain) } });
  const watched = { state: 'LIVE' as OwnDeskState };
  const watch = {
    state: () => watched.state,
    set: (state: OwnDeskState) => {
      watched.state = state;
    },
  };
  const seen: { after: string | null | undefined } = { after: undefined };
  void drainAtEnd({ client: client as Parameters<typeof drainAtEnd>[0]['client'], folder }, watch).then((after) => {
    seen.after = after;
  });
  return { seen, watched };
}

test('the app waits for three seconds for a desk that does not acknowledge the drain, and its next start is halted all the same', async () => {
  const { seen } = appThatQuits(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(2_900);
  expect(seen.after).toBeUndefined();
  expect(existsSync(armed)).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  await expect.poll(() => seen.after).toBeNull();
  expect(existsSync(armed)).toBe(false);
});

test('where the file armed cannot be removed either, it is said that the next start may be LIVE', async () => {
  rmSync(armed);
  mkdirSync(join(armed, 'x'), { recursive: true });
  const { seen } = appThatQuits(() => Promise.reject(new Error('broken')));
  await expect.poll(() => seen.after).toContain(`${armed} could not be removed`);
});

test('a desk that drains is waited for until it is halted, and its folder is left to it', async () => {
  const { seen, watched } = appThatQuits(async () => ({ durable: true, at: 1, status }));
  await vi.advanceTimersByTimeAsync(8_000);
  expect([seen.after, watched.state]).toEqual([undefined, 'DRAIN']);
  watched.state = 'HALTED';
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.after).toBeNull();
  expect(existsSync(armed)).toBe(true);
});

test('where somebody resumes the desk while it drains, its next start is halted all the same', async () => {
  const { seen, watched } = appThatQuits(async () => ({ durable: true, at: 1, status }));
  await vi.advanceTimersByTimeAsync(2_000);
  watched.state = 'LIVE';
  await vi.advanceTimersByTimeAsync(200);
  await expect.poll(() => seen.after).toBeNull();
  expect(existsSync(armed)).toBe(false);
});
