import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { addToken } from '../../electron/commands/token.ts';
import { commandsHere } from '../desk/commands-here.ts';
import { CLI, PASSPHRASE, removeFolder } from '../desk/desk-process.ts';
import { keyIn } from '../desk/key-in.ts';
import { endProcess, readyLine } from '../e2e/desk-process.ts';

const DEPLOY = fileURLToPath(new URL('../../resources/deploy', import.meta.url));
const UNIT = readFileSync(join(DEPLOY, 'makerdesk.service'), 'utf8');
const INSTALLED = '/opt/makerdesk/node_modules/.bin/makerdesk';

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? null : 'there is no systemd-analyze on this machine';
if (noSystemd !== null) console.warn(`SKIPPED: the unit of systemd was NOT checked: ${noSystemd}`);

/** A machine's folders: where units are installed, the package, the credential that systemd hands over, the desk. */
const root = mkdtempSync(join(tmpdir(), 'makerdesk-deploy-'));
afterAll(() => removeFolder(root));

/** What stands in the unit under this name, once or more than once, as systemd reads it. */
function settings(name: string): string[] {
  return UNIT.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
}

describe.skipIf(noSystemd !== null)('the unit as it is installed', () => {
  const units = join(root, 'etc', 'systemd', 'system');
  mkdirSync(units, { recursive: true });
  const unit = join(units, 'makerdesk.service');
  copyFileSync(join(DEPLOY, 'makerdesk.service'), unit);
  const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', args);

  test('systemd finds no fault in it', async () => {
    expect(await analyze('verify', unit)).toMatchObject({ stdout: '', stderr: '' });
    const broken = join(units, 'broken.service');
    writeFileSync(broken, UNIT.replace('Type=exec', 'Type=exact'));
    const { stderr } = await analyze('verify', broken).catch((error: { stderr: string }) => error);
    expect(stderr).toContain('exact');
  });

  test('what the service could reach of the machine beside its own is little, as systemd counts it', async () => {
    const { stdout } = await analyze('security', '--offline=true', '--threshold=25', unit);
    expect(stdout).toContain('Overall exposure level');
  });
});

test('the command of the unit starts the desk with the passphrase that systemd hands over, and a signal ends it cleanly', async () => {
  const [exec = ''] = settings('ExecStart');
  const [, script = ''] = /^\/bin\/sh -c '(.*)'$/.exec(exec) ?? [];
  expect(script).toContain(INSTALLED);
  const [package_, credentials, folder, witness] = ['package', 'credentials', 'desk', 'witness'].map((name) => {
    mkdirSync(join(root, name), { mode: 0o700 });
    return join(root, name);
  }) as [string, string, string, string];
  writeFileSync(join(package_, 'makerdesk'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(join(package_, 'makerdesk'), 0o755);
  symlinkSync(join(package_, 'makerdesk'), join(root, 'installed'));
  writeFileSync(join(credentials, 'passphrase'), `${PASSPHRASE}\n`);
  await keyIn(folder);
  const { MAKERDESK_PASSPHRASE: _, ...machine } = process.env;
  const [places = ''] = settings('Environment');
  expect(places).toBe('MAKERDESK_DATA=/var/lib/makerdesk/desk MAKERDESK_STATE=/var/lib/makerdesk/witness');
  const service = spawn('/bin/sh', ['-c', script.replaceAll('$$', '$').replace(INSTALLED, join(root, 'installed'))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...machine,
      CREDENTIALS_DIRECTORY: credentials,
      MAKERDESK_DATA: folder,
      MAKERDESK_STATE: witness,
      MAKERDESK_OPTIONS: '--console-url https://desk.example.com --surface-port 0 --console-port 0',
    },
  });
  try {
    const ready = await readyLine(service);
    const pid = service.pid;
    expect(ready, 'the desk itself is what systemd sends its signal to').toMatchObject({ pid });
    const made = await commandsHere(addToken)(folder, ['token', 'new', 'tara', '--rights', 'trade']);
    expect(JSON.parse(made.stdout).console).toMatch(/^https:\/\/desk\.example\.com\/#/);
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    await endProcess(service);
  }
});

test('the guide names every file beside it, and the container keeps the desk in the folders of the unit', () => {
  const guide = readFileSync(join(DEPLOY, 'README.md'), 'utf8');
  for (const name of ['Caddyfile', 'Containerfile', 'makerdesk.service']) expect(guide).toContain(name);
  const container = readFileSync(join(DEPLOY, 'Containerfile'), 'utf8');
  expect(container).toContain(settings('Environment')[0]);
  expect(container).toContain('/opt/makerdesk');
});
