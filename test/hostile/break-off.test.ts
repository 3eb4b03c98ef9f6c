import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { statusSchema } from '../../electron/contract/trading.ts';
import { runCommand } from '../desk/desk-process.ts';
import { type BesiegedDesk, openBesiegedDesk } from './besieged-desk.ts';

const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
/** A fault of the desk itself, on demand: nobody catches what a listener throws. */
const FAULT = `data:text/javascript,${encodeURIComponent(
  "process.on('SIGUSR2', () => { throw new RangeError('a fault on purpose\\nin two lines'); });",
)}`;

let world: BesiegedDesk;
beforeAll(async () => {
  world = await openBesiegedDesk(['--import', FAULT, CLI]);
});
afterAll(() => world?.close());

const run = async (...args: string[]) => (await runCommand(world.folder, args)).stdout;
const status = async () => statusSchema.parse(JSON.parse(await run('status', '--json')));

function logOf(folder: string): string {
  const logs = join(folder, 'logs');
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('');
}

test('an error that nobody caught halts, is in the journal and the log, and is seen after the restart', async () => {
  const { folder, desk } = world;
  expect((await status()).state).toBe('LIVE');
  desk.signal('SIGUSR2');
  await vi.waitFor(() => expect(desk.stderr()).toContain('the desk broke off'), { timeout: 20_000 });
  expect(await desk.ended, 'it ends by itself').toBe(1);
  expect(logOf(folder)).toMatch(/RangeError: a fault on purpose.*"msg":"the desk broke off"/);
  expect(existsSync(join(folder, 'armed'))).toBe(false);
  expect(existsSync(join(folder, 'broke-off'))).toBe(false);

  const again = await world.restart();
  const halted = { state: 'HALTED', reason: expect.stringContaining('RangeError: a fault on purpose in two lines') };
  expect(await status()).toMatchObject(halted);
  expect(await run('stops')).toContain('a fault on purpose');
  expect((await world.quote(again)).status).toBe(503);
});

test('a desk that broke off without a journal to tell comes back halted with the reason all the same', async () => {
  const { folder } = world;
  await world.stop();
  writeFileSync(join(folder, 'broke-off'), 'The desk broke off: Error: the disk was gone');
  await world.restart();
  expect(await status()).toMatchObject({ state: 'HALTED', reason: expect.stringContaining('the disk was gone') });
  expect(existsSync(join(folder, 'broke-off'))).toBe(false);
});
