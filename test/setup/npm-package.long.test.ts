import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { removeFolder } from '../desk/desk-process.ts';
import { endProcess, readyLine } from '../e2e/desk-process.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FREE_PORTS = ['--surface-port', '0', '--console-port', '0'];
const NEWCOMER = { ...process.env, MAKERDESK_PASSPHRASE: 'practice' };
const OFFLINE = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/;

let folder = '';
/** The package as it comes out of its archive, with nothing beside it. */
let alone = '';
let desk = '';
let withoutRegistry = false;

/** The command as npm installed it. */
const makerdesk = () =>
  join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'makerdesk.cmd' : 'makerdesk');
const said = async (...args: string[]) =>
  (await run(makerdesk(), ['--data', desk, ...args], { cwd: folder, env: NEWCOMER, maxBuffer: 1 << 28 })).stdout;
const starts = (...args: string[]) =>
  spawn(makerdesk(), ['--data', desk, ...args], { cwd: folder, env: NEWCOMER, stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-npm-'));
  desk = join(folder, 'desk');
  // What is built is fresh already, and building it again would take it from under the other tests.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    shell: process.platform === 'win32',
  });
  alone = mkdtempSync(join(tmpdir(), 'makerdesk-npm-alone-'));
  await run('tar', ['-xzf', join(folder, packed.stdout.trim())], { cwd: alone });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', [...install, `./${packed.stdout.trim()}`], { cwd: folder, shell: process.platform === 'win32' });
  } catch (error) {
    if (!OFFLINE.test(String(error))) throw error;
    withoutRegistry = true;
  }
});
afterAll(() => {
  removeFolder(folder);
  removeFolder(alone);
});

test('the package brings the desk and nothing that it was made with', async ({ skip }) => {
  skip(withoutRegistry, 'installing needs an npm registry, or its packages in the cache of npm');
  const { dependencies } = JSON.parse((await run('npm', ['ls', '--all', '--json'], { cwd: folder })).stdout);
  expect(Object.keys(dependencies)).toEqual(['makerdesk']);
  const brought = Object.keys(dependencies.makerdesk.dependencies);
  expect(brought).toEqual(expect.arrayContaining(['better-sqlite3', 'secp256k1']));
  expect(brought.filter((name) => /^(electron|vite|react|playwright)/.test(name))).toEqual([]);
});

test('practises from a clean folder, signs, halts at once, and serves the same desk HALTED afterwards', async ({
  skip,
}) => {
  skip(withoutRegistry, 'installing needs an npm registry, or its packages in the cache of npm');
  const practice = starts('practice', ...FREE_PORTS, '--service-port', '0', '--rpc-port', '0');
  try {
    const ready = await readyLine(practice);
    await vi.waitFor(async () => expect(JSON.parse(await said('log')).length).toBeGreaterThan(0));
    const page = await fetch(ready.console);
    expect(await page.text()).toContain('<title>');

    await said('halt', '--reason', 'the end of the day');
    expect(JSON.parse(await said('status', '--json'))).toMatchObject({ state: 'HALTED', reason: 'the end of the day' });
    expect((await fetch(`${ready.surface}/31337/prices`)).ok).toBe(false);
  } finally {
    await endProcess(practice);
  }

  const served = starts('serve', ...FREE_PORTS);
  try {
    await readyLine(served);
    expect(JSON.parse(await said('status', '--json'))).toMatchObject({ state: 'HALTED', running: true });
  } finally {
    await endProcess(served);
  }
});

test('under a Node that is too old, where none came with the package, the command is a sentence', async () => {
  const command = join(alone, 'package', 'resources', 'setup', 'headless.mjs');
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', {value: {...process.versions, node: '20.20.2'}})`;
  const args = ['--import', older, command, 'status'];
  await expect(run(process.execPath, args, { cwd: alone })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Makerdesk needs Node 22\.18 or newer; this is 20\.20\.2, and none came .*\.\n$/),
  });
});
