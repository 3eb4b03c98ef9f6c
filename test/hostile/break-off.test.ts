import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { statusSchema } from '../../electron/contract/trading.ts';
import { runCommand } from '../desk/desk-process.ts';
import { type BesiegedDesk, openBesiegedDesk } from './besieged-desk.ts';

const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
/** In parts, since a stack names this source whole. */
const CANARY_PARTS = ['canary', '2b7e'];
const CANARY = CANARY_PARTS.join('');
/** A fault of the desk itself, on demand: nobody catches what a listener throws. */
const FAULT = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {
  const word = ['${CANARY_PARTS.join("','")}'].join('');
  const cause = new Error('the node said: apiKey=' + word + '1, Basic ' + word + '2');
  const error = new RangeError('a fault on purpose\\nin two lines at https://node.example/v2/' + word + '3', { cause });
  throw Object.assign(error, { request: { headers: { authorization: word + '4' } } });
});`)}`;

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

/** What hung on the error and what it repeated may be keys: they are in no file of the folder. */
function expectNowhere(folder: string, stderr: string): void {
  expect(stderr).not.toContain(CANARY);
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(CANARY);
  }
}

test('an error that nobody caught halts, is in the journal and the log, and is seen after the restart', async () => {
  const { folder, desk } = world;
  expect((await status()).state).toBe('LIVE');
  desk.signal('SIGUSR2');
  await vi.waitFor(() => expect(desk.stderr()).toContain('the desk broke off'));
  expect(await desk.ended, 'it ends by itself').toBe(1);
  expect(logOf(folder)).toMatch(/RangeError: a fault on purpose.*"msg":"the desk broke off"/);
  expect(existsSync(join(folder, 'armed'))).toBe(false);
  expect(logOf(folder)).toMatch(/caused by Error: the node said/);
  expectNowhere(folder, desk.stderr());
  expect(existsSync(join(folder, 'broke-off'))).toBe(false);

  const again = await world.restart();
  const halted = { state: 'HALTED', reason: expect.stringContaining('RangeError: a fault on purpose in two lines at') };
  expect(await status()).toMatchObject(halted);
  expect(await run('stops')).toContain('a fault on purpose');
  expect((await world.quote(again)).status).toBe(503);
  expectNowhere(folder, again.stderr());
});
