import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient, implement } from '@orpc/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { haltEverything } from '../../electron/app/halt.ts';
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
