import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { FuseState } from '@electron/fuses/dist/constants.js';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { removeFolder } from '../desk/desk-process.ts';
import { endProcess, readyLine } from '../e2e/desk-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const FREE_PORTS = ['--surface-port', '0', '--service-port', '0', '--rpc-port', '0'];
/** What may be in the package beside Electron and anvil. */
const MOST_BYTES = 15_000_000;

const isRoot = process.getuid?.() === 0;
const noDeb = reasonAgainstPackage();
if (noDeb !== null) console.warn(`SKIPPED: the .deb was NOT built and installed: ${noDeb}`);

function reasonAgainstPackage(): string | null {
  if (process.platform !== 'linux') return 'a .deb is made on Linux';
  if (spawnSync('dpkg-deb', ['--version']).status !== 0) return 'there is no dpkg on this machine';
  if (!process.env.DISPLAY) return 'there is no display here (DISPLAY is not set)';
  return process.env.MAKERDESK_NO_ELECTRON ?? null;
}

describe.skipIf(noDeb !== null)('the .deb, built here and installed into a clean root', () => {
  let folder = '';
  let withoutElectron: string | null = null;
  let deb = '';
  const installed = (...path: string[]) => join(folder, 'root', ...path);
  const app = (...path: string[]) => installed('usr', 'lib', 'makerdesk', ...path);
  const desk = () => join(folder, 'desk');
  const environment = () => ({ ...process.env, MAKERDESK_PASSPHRASE: 'practice' });
  /** Runs the command of the package against the desk of the test. */
  const said = async (...args: string[]) =>
    (
      await promisify(execFile)(installed('usr', 'bin', 'makerdesk'), ['--data', desk(), ...args], {
        cwd: folder,
        env: environment(),
        maxBuffer: 1 << 28,
      })
    ).stdout;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'makerdesk-deb-test-'));
    chmodSync(folder, 0o755);
    try {
      await promisify(execFile)(process.execPath, [join(ROOT, 'resources/setup/run.mjs'), 'package', 'deb'], {
        cwd: ROOT,
        env: { ...process.env, MAKERDESK_DEB_LEVEL: '0' }, // what is in it is the same at each
      });
    } catch (error) {
      const why = /Electron cannot be had here.*/.exec(String(error));
      if (why === null) throw error;
      [withoutElectron] = why;
      return;
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
    deb = join(DIST, `makerdesk_${version}_${architecture}.deb`);
    install();
  }, 900_000);
  afterAll(() => removeFolder(folder));

  /** Root installs it as a system does, in a root of its own; what it depends on is that of this machine. Others unpack it. */
  function install() {
    mkdirSync(installed('var', 'lib', 'dpkg', 'info'), { recursive: true });
    mkdirSync(installed('var', 'lib', 'dpkg', 'updates'));
    writeFileSync(installed('var', 'lib', 'dpkg', 'status'), '');
    if (isRoot) execFileSync('dpkg', [`--root=${installed()}`, '--force-depends', '--install', deb], { stdio: 'pipe' });
    else execFileSync('dpkg-deb', ['--extract', deb, installed()]);
  }

  /** Starts the installed app on a practice desk of the test's folder. */
  function startApp(): ChildProcess {
    const args = [
      ...(isRoot ? ['--no-sandbox'] : []), // Chromium has none for root
      `--user-data-dir=${join(folder, 'profile')}`,
      '--remote-debugging-port=0',
      '--data',
      desk(),
      '--practice',
      ...FREE_PORTS,
    ];
    return spawn(app('makerdesk'), args, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  test('is installed without running anything, and enables nothing', ({ skip }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const field = (name: string) => execFileSync('dpkg-deb', ['--field', deb, name], { encoding: 'utf8' }).trim();
    expect(field('Package')).toBe('makerdesk');
    expect(field('Depends')).toContain('libnss3');
    const parts = execFileSync('dpkg-deb', ['--ctrl-tarfile', deb]);
    const names = execFileSync('tar', ['-t'], { input: parts, encoding: 'utf8' }).trim().split('\n');
    expect(names.sort()).toEqual(['./', './control']);
    expect(readdirSync(installed('usr', 'lib', 'systemd'))).toEqual(['system']);
    expect(readdirSync(installed())).toEqual(['usr', 'var']);
  });

  test('its unit and its entry in the menu start what the package brings', ({ skip }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const unit = readFileSync(installed('usr/lib/systemd/system/makerdesk.service'), 'utf8');
    const entry = readFileSync(installed('usr/share/applications/makerdesk.desktop'), 'utf8');
    const command = /exec (\S+) serve /.exec(unit)?.[1] ?? '';
    const program = /^Exec=(\S+)$/m.exec(entry)?.[1] ?? '';
    for (const path of [command, program]) expect(statSync(installed(path)).mode & 0o111, path).toBe(0o111);
    expect(unit).not.toContain('node_modules');
  });

  test('beside Electron and anvil it holds less than 15 MB, and one binding of SQLite', ({ skip }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const files = filesBelow(app('resources'));
    const ours = files.filter((file) => !file.includes('/@foundry-rs/'));
    const bytes = ours.reduce((sum, file) => sum + lstatSync(file).size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(ours.filter((file) => file.includes('better-sqlite3'))).toHaveLength(1);
  });

  test('its archive says of every file what its content is', ({ skip }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const archive = readFileSync(app('resources', 'app.asar'));
    const { header, content } = readArchive(archive);
    const files = packedFiles(header);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/out/main/main.js', '/out/main/cli.js', '/out/preload/preload.cjs', '/package.json']),
    );
    expect(files.filter(({ path }) => /\.(ts|map|md)$|\/test\//.test(path)).map(({ path }) => path)).toEqual([]);
    for (const { path, size, offset, integrity } of files.filter((file) => file.offset !== undefined)) {
      const bytes = content.subarray(Number(offset), Number(offset) + size);
      expect(integrity?.hash, path).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  test('its program takes no code from the environment, and the app from its archive alone', async ({ skip }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const wire = await getCurrentFuseWire(app('makerdesk'));
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: FuseState.ENABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.DISABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FuseState.ENABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
    });
    const [foreign, ran] = [join(folder, 'foreign.cjs'), join(folder, 'foreign-code-ran')];
    writeFileSync(foreign, `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`);
    const options = { env: { ...environment(), NODE_OPTIONS: `--require ${foreign}` } };
    await promisify(execFile)(installed('usr', 'bin', 'makerdesk'), ['--version'], options);
    expect(existsSync(ran)).toBe(false);
  });

  test('the app opens its window, its desk signs quotes, and the button HALT stops it; without a window the same desk comes up HALTED', async ({
    skip,
  }) => {
    skip(withoutElectron !== null, withoutElectron ?? '');
    const started = startApp();
    const inspected = debuggerOf(started);
    try {
      const ready = await readyLine(started);
      await vi.waitFor(async () => expect(JSON.parse(await said('log')).length).toBeGreaterThan(0));
      const browser = await chromium.connectOverCDP(await inspected);
      const page = browser.contexts()[0]?.pages()[0];
      expect(page?.url()).toMatch(/^app:\/\/makerdesk\//);
      expect(JSON.parse(await said('status', '--json'))).toMatchObject({ state: 'LIVE', running: true });

      await page?.getByRole('button', { name: /^HALT/ }).click();
      await vi.waitFor(async () =>
        expect(JSON.parse(await said('status', '--json'))).toMatchObject({ state: 'HALTED', running: true }),
      );
      expect((await fetch(`${ready.surface}/31337/prices`)).ok).toBe(false);
      await browser.close();
    } finally {
      await endProcess(started);
    }

    const args = ['--data', desk(), 'serve', '--surface-port', '0', '--console-port', '0'];
    const headless = spawn(installed('usr', 'bin', 'makerdesk'), args, {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const ready = await readyLine(headless);
      expect(ready.pid, 'the desk is what a signal of the system reaches').toBe(headless.pid);
      expect(JSON.parse(await said('status', '--json'))).toMatchObject({ state: 'HALTED', running: true });
      const page = await fetch(ready.console);
      expect(await page.text()).toContain('<title>');
    } finally {
      await endProcess(headless);
    }
  });
});

/** Where the window can be looked into, as Chromium says it. */
function debuggerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stderr?.on('data', (data) => {
      text += data;
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

interface Entry {
  files?: Record<string, Entry>;
  size?: number;
  /** Where its content begins; absent where it lies beside the archive. */
  offset?: string;
  integrity?: { hash: string };
}

/** An archive of Electron: its own length and that of its table, the table as JSON, and the contents one after another. */
function readArchive(archive: Buffer): { header: Entry; content: Buffer } {
  const header = JSON.parse(archive.subarray(16, 16 + archive.readUInt32LE(12)).toString('utf8'));
  return { header, content: archive.subarray(8 + archive.readUInt32LE(4)) };
}

function packedFiles(
  entry: Entry,
  path = '',
): { path: string; size: number; offset?: string; integrity?: { hash: string } }[] {
  if (entry.files !== undefined) {
    return Object.entries(entry.files).flatMap(([name, below]) => packedFiles(below, `${path}/${name}`));
  }
  return [{ path, size: entry.size ?? 0, offset: entry.offset, integrity: entry.integrity }];
}
