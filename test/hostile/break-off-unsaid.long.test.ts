import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusSchema } from '../../electron/contract/trading.ts';
import { runCommand } from '../desk/desk-process.ts';
import { type BesiegedDesk, openBesiegedDesk } from './besieged-desk.ts';

let world: BesiegedDesk;
beforeAll(async () => {
  world = await openBesiegedDesk();
});
afterAll(() => world?.close());

const status = async () =>
  statusSchema.parse(JSON.parse((await runCommand(world.folder, ['status', '--json'])).stdout));

test('a desk that broke off without a journal to tell comes back halted with the reason all the same', async () => {
  const { folder } = world;
  await world.stop();
  writeFileSync(join(folder, 'broke-off'), 'The desk broke off: Error: the disk was gone');
  await world.restart();
  expect(await status()).toMatchObject({ state: 'HALTED', reason: expect.stringContaining('the disk was gone') });
  expect(existsSync(join(folder, 'broke-off'))).toBe(false);
});
