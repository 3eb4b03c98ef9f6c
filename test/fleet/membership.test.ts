import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addExport } from '../../electron/commands/export.ts';
import { addFills } from '../../electron/commands/fills.ts';
import { addJournal } from '../../electron/commands/journal.ts';
import { addLog } from '../../electron/commands/log.ts';
import { addResume } from '../../electron/commands/resume.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { addVerify } from '../../electron/commands/verify.ts';
import { joinFleet } from '../../electron/fleet/membership.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { commandsHere } from '../desk/commands-here.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';

const FLEET = 'nats://127.0.0.1:1/desk';
const here = commandsHere(addExport, addFills, addJournal, addLog, addResume, addStatus, addVerify);

/** A folder whose journal says LIVE and that has no file that arms it, as a standby's has: whoever opens it as a desk halts it with a row. */
async function followingFolder(): Promise<string> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const journal = await openJournal({ folder, now: Date.now });
  const body = { scope: {}, state: 'LIVE', reason: 'a test begins', until: null, cause: null } as const;
  await journal.append({ time: Date.now(), actor: 'mara', kind: 'trading_state', body });
  await journal.close();
  await joinFleet(folder, { fleet: FLEET, follows: true });
  return folder;
}

async function lastRow(folder: string): Promise<number> {
  const journal = await openJournal({ folder, now: Date.now });
  const { seq } = journal.head();
  await journal.close();
  return seq;
}

test('no command writes a row into the folder of a standby, whether it reads or changes something: with a row of its own it could never follow again', async () => {
  const folder = await followingFolder();
  const refused = { code: 1, stderr: expect.stringContaining(`follows the desk of ${FLEET}`) };
  for (const command of [['status'], ['log'], ['journal'], ['export'], ['fills'], ['resume', '--reason', 'x']]) {
    expect(await here(folder, command), command.join(' ')).toMatchObject(refused);
  }
  expect(await runCommand(folder, ['halt'])).toMatchObject(refused); // as it is shipped
  expect(await lastRow(folder)).toBe(1);
  expect(await here(folder, ['verify'])).toMatchObject({ code: 0 });
});

test('a folder whose place in its fleet cannot be read is no folder for a command either', async () => {
  const folder = await followingFolder();
  writeFileSync(join(folder, 'fleet.json'), '{"fleet":');
  expect(await here(folder, ['status'])).toMatchObject({ code: 1, stderr: expect.stringContaining('follows') });
  expect(await lastRow(folder)).toBe(1);
});

test('a folder from before it was said who follows is one that writes', async () => {
  const folder = await followingFolder();
  writeFileSync(join(folder, 'fleet.json'), JSON.stringify({ fleet: FLEET }));
  expect(await here(folder, ['status'])).toMatchObject({ code: 0 });
});
