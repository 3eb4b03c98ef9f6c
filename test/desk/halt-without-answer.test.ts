import { spawn } from 'node:child_process';
import fs, { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addHalt } from '../../electron/commands/halt.ts';
import { addPracticeControl } from '../../electron/commands/practice-control.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { readDeskPid } from '../../electron/desk/pid-file.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { startChild } from '../journal/child-process.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { configured, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { runCommand } from './desk-process.ts';
import { standIn } from './wrong-desks.ts';

const here = commandsHere(addHalt, addStatus, addPracticeControl);

/** The folder of a desk that does not run. */
async function leftDesk(): Promise<string> {
  const folder = temporaryFolder();
  const journal = await openJournal({ folder, now: () => START });
  await journal.append(configured());
  await journal.close();
  return folder;
}

/** The folder of a desk that holds it and answers nobody, and whose file `armed` cannot be removed. */
async function hungDesk(): Promise<{ folder: string; armed: string }> {
  const folder = await leftDesk();
  const armed = join(folder, 'armed');
  mkdirSync(join(armed, 'x'), { recursive: true }); // what is in the way of its removal, as a disk that can only be read
  await startChild('hold-folder.ts', [folder]);
  expect(readDeskPid(folder)).not.toBeNull();
  return { folder, armed };
}

test('a desk that hangs is ended by halt --force although its file armed cannot be removed, and the halt is in its journal', async () => {
  const { folder } = await hungDesk();
  const forced = await runCommand(folder, ['halt', '--force']);
  expect(forced.code, forced.stderr).toBe(0);
  expect(JSON.parse(forced.stdout)).toMatchObject({ halted: true, durable: true, state: 'HALTED', running: false });
  expect(readDeskPid(folder)).toBeNull();
});

test('where nothing can be written in its folder, halt says that the desk may come back LIVE, and halt --force ends it all the same', async () => {
  const { folder, armed } = await hungDesk();
  writeFileSync(join(folder, 'logs'), ''); // no desk can be opened here
  const mayComeBack = `${armed} could not be removed`;
  const unanswered = await runCommand(folder, ['halt']);
  expect(unanswered).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(mayComeBack) });
  const pid = readDeskPid(folder);
  expect(pid).not.toBeNull();
  const forced = await runCommand(folder, ['halt', '--force']);
  expect(forced).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(mayComeBack) });
  expect(forced.stderr).toContain(`Process ${pid} of the desk is ended`);
  expect(forced.stderr).toContain('remove it before the desk is started again');
  expect(readDeskPid(folder)).toBeNull();
});

test.skipIf(process.platform !== 'linux')(
  'halt --force ends no process that desk.pid names and that does not have the folder, such as one with the number of a desk before, and says so',
  async () => {
    const { folder } = await hungDesk();
    const holder = readDeskPid(folder) ?? 0;
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill('SIGKILL'));
    writeFileSync(join(folder, 'desk.pid'), `${stranger.pid}\n`);
    writeFileSync(join(folder, 'logs'), ''); // no desk can be opened here
    const forced = await runCommand(folder, ['halt', '--force']);
    expect(forced).toMatchObject({ code: 1, stdout: '' });
    expect(forced.stderr).toContain('Which process has the folder is not known, so none was ended');
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    process.kill(holder, 0); // throws where it was ended
  },
);

test('a desk that ends before it has answered is halted in its folder, where nothing arms it for its next start', async () => {
  const folder = await leftDesk();
  const armed = join(folder, 'armed');
  writeFileSync(armed, '{}');
  await standIn(folder, () => 'ended');
  const { code, stdout, stderr } = await runCommand(folder, ['halt']);
  expect([code, JSON.parse(stdout || 'null')], stderr).toMatchObject([
    0,
    { halted: true, durable: true, state: 'HALTED', running: false },
  ]);
  expect(existsSync(armed)).toBe(false);
});

test('what a desk was asked that ended before it had answered is said to be not known', async () => {
  const folder = await leftDesk();
  await standIn(folder, () => 'ended');
  expect(await here(folder, ['status'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `The desk in ${folder} ended before it had answered: whether this was done is not known.\nSee "makerdesk status" and "makerdesk journal".\n`,
  });
});

test.each([[['fault', 'node-down', 'on']], [['speed', '2']], [['restart']]])(
  'a practice desk that ends while it is asked for %j is told of in a plain sentence',
  async (asked) => {
    const folder = await leftDesk();
    await standIn(folder, () => 'ended');
    expect(await here(folder, asked)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The practice desk in ${folder} ended before it had answered: whether this was done is not known.\nSee "makerdesk status" and "makerdesk journal".\n`,
    });
  },
);

test('where the journal cannot be opened a halt of all the desk disarms it and says so, and the halt of a chain does not', async () => {
  const folder = temporaryFolder();
  const armed = join(folder, 'armed');
  writeFileSync(armed, '{}');
  writeFileSync(join(folder, 'journal.db'), 'no journal '.repeat(1_000));
  for (const part of [
    ['--chain', '1'],
    ['--side', 'bids'],
  ]) {
    expect(await here(folder, ['halt', ...part])).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(armed), part.join(' ')).toBe(true);
  }
  const { code, stderr } = await here(folder, ['halt']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The halt could not be written\. The desk comes back HALTED all the same\.\n.*journal/),
  ]);
  expect(existsSync(armed)).toBe(false);
});

test('where its disk hangs, a halt that could not be written says that the desk may come back LIVE, and waits no longer for it', async () => {
  const folder = temporaryFolder();
  const armed = join(folder, 'armed');
  writeFileSync(armed, '{}');
  writeFileSync(join(folder, 'journal.db'), 'no journal '.repeat(1_000));
  const { unlink } = fs.promises;
  const patch = (patched: typeof unlink) => {
    fs.promises.unlink = patched;
    syncBuiltinESMExports();
  };
  onTestFinished(() => patch(unlink));
  patch((path) => (path === armed ? new Promise(() => {}) : unlink(path)));
  const { code, stderr } = await here(folder, ['halt']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      `The halt could not be written. ${armed} could not be removed: the disk has not answered yet. While it is there the desk may come back LIVE`,
    ),
  ]);
});
