import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addConsole } from '../../electron/commands/console.ts';
import { browserConsole } from '../hostile/browser-console.ts';
import { PATIENCE } from '../how-long.ts';
import { commandsHere } from './commands-here.ts';
import { connectionTo } from './connection.ts';
import { CLI, PASSPHRASE, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

/** As `serve` gives it out: with the token behind `#`. */
const WITH_TOKEN = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]{20,}/;

/** A desk whose stdout and stderr are one file, which systemd says is its journal, or another file is. */
async function serveInto({ isJournal, log }: { isJournal: boolean; log: 'json' | 'text' }) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await keyIn(folder);
  const file = join(folder, 'written');
  const written = openSync(file, 'a');
  const { dev, ino } = fstatSync(written, { bigint: true });
  const ports = ['--surface-port', '0', '--console-port', '0'];
  const child = spawn(process.execPath, [CLI, 'serve', ...ports, '--log', log, '--data', folder], {
    env: {
      ...process.env,
      MAKERDESK_PASSPHRASE: PASSPHRASE,
      JOURNAL_STREAM: `${dev}:${isJournal ? ino : ino + 1n}`,
    },
    stdio: ['ignore', written, written],
  });
  closeSync(written);
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const text = () => readFileSync(file, 'utf8');
  await vi.waitFor(() => expect(text()).toContain('"ready":true'), { timeout: PATIENCE, interval: 50 });
  return { folder, text };
}

test('a desk that writes into the system’s journal gives the address of its console without the token, and “console” tells it whole', async () => {
  const { folder, text } = await serveInto({ isJournal: true, log: 'json' });
  expect(text()).not.toMatch(WITH_TOKEN);
  const line =
    text()
      .split('\n')
      .find((one) => one.includes('"ready":true')) ?? '';
  const { console: address } = JSON.parse(line);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);

  const told = await commandsHere(addConsole)(folder, ['console']);
  expect(told.stdout).toMatch(WITH_TOKEN);
  expect(told.stdout.startsWith(address)).toBe(true);
  const opened = await browserConsole(told.stdout.trim(), 'mara');
  onTestFinished(() => opened.socket.terminate());
  await opened.desk.tokens.list();
  // A console is not told it, whoever looks at it.
  await expect(opened.desk.tokens.owner()).rejects.toMatchObject({ data: { code: 'secrets_stay' } });
});

test('what a person would read at a terminal has no token either where it goes into the system’s journal', async () => {
  const { text } = await serveInto({ isJournal: true, log: 'text' });
  await vi.waitFor(() => expect(text()).toContain('"makerdesk console" tells its address with the token'));
  expect(text()).not.toMatch(WITH_TOKEN);
});

test('a desk whose output is not the system’s journal gives the address with the token, as programs read it', async () => {
  const { folder, text } = await serveInto({ isJournal: false, log: 'json' });
  const [address] = text().match(WITH_TOKEN) ?? [];
  const owner = await connectionTo(folder, userInfo().username);
  onTestFinished(owner.close);
  expect(await owner.desk.tokens.owner()).toEqual({ console: address });
});
