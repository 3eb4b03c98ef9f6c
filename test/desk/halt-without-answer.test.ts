import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDeskPid } from '../../electron/desk/pid-file.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { startChild } from '../journal/child-process.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { configured, START } from '../journal/sample-events.ts';
import { runCommand } from './desk-process.ts';

/** The folder of a desk that holds it and answers nobody, and whose file `armed` cannot be removed. */
async function hungDesk(): Promise<{ folder: string; armed: string }> {
  const folder = temporaryFolder();
  const journal = await openJournal({ folder, now: () => START });
  await journal.append(configured());
  await journal.close();
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
