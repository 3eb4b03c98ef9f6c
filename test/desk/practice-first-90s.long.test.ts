import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderRecord } from '../../electron/protocol/order-record.ts';
import { expectCovered, rightRecord } from './order-records.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';

let world: PracticeWorld;
beforeAll(async () => {
  world = await openPracticeWorld();
});
afterAll(() => world?.close());

test('within 90 s there are quotes, fills, refusals with two codes, and a right record of every stored order', async () => {
  const page = async () => (await world.client.log.page({ filter: {}, limit: 500 })).rows;
  await world.until(async () => {
    const rows = await page();
    const refused = new Set(rows.filter(({ state }) => state === 'refused').map(({ code }) => code));
    expect(refused.size).toBeGreaterThanOrEqual(2);
    expect(rows.some(({ state }) => state === 'filled' || state === 'part_filled')).toBe(true);
  }, 90_000);
  const rows = (await page()).filter(({ orderHash }) => orderHash !== null);
  expect(rows.length).toBeGreaterThan(0);
  const records: OrderRecord[] = [];
  for (const row of rows) {
    await world.until(async () => void records.push(await rightRecord(world, row)));
  }
  await expectCovered(world, records);
});
