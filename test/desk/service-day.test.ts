import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCommandLog } from '../../electron/desk/log.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import { Services } from '../../electron/desk/services.ts';

const SERVICE = 'http://127.0.0.1:1';
const DAY_MS = 86_400_000;
const NOON = 20_000 * DAY_MS + DAY_MS / 2;

let folder: string;
let now: number;
let rooms: Rooms;
let services: Services;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-day-'));
  now = NOON;
  await open();
});
afterEach(async () => {
  await rooms.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open() {
  rooms = await openRooms({
    folder,
    passphrase: async () => '',
    log: openCommandLog(folder, Date.now),
    views: () => undefined,
    now: () => now,
    monotonic: () => performance.now(),
  });
  services = await Services.open(rooms);
}
const asked = () => services.turns.budget(SERVICE).asked;

test('what was asked of the service on a day outlives the desk: to the question after an end, and never too few after none', async () => {
  await services.turns.take(SERVICE);
  await services.turns.take(SERVICE);
  await services.stop();
  await rooms.close();
  await open();
  expect(asked()).toBe(2);

  // This desk says no farewell.
  await services.turns.take(SERVICE);
  await rooms.close();
  await open();
  expect(asked()).toBeGreaterThanOrEqual(3);
  expect(asked()).toBeLessThanOrEqual(3 + 10);

  now += DAY_MS;
  expect(asked()).toBe(0);
});

test('a count that cannot be read keeps no desk from starting, and counts from there', async () => {
  await rooms.journal.put({ table: 'settings', key: 'service-asked', value: { [SERVICE]: { day: 'today' } } });
  await rooms.close();
  await open();
  await services.turns.take(SERVICE);
  expect(asked()).toBe(1);
});
