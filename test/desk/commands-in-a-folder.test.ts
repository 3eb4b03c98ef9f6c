import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addStatus } from '../../electron/commands/status.ts';
import { addVerify } from '../../electron/commands/verify.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { configured, quote, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';

const here = commandsHere(addStatus, addVerify);

/** A folder in which a desk has run and does not run, and where its witness lies. */
function leftFolder(): string {
  const place = temporaryFolder();
  vi.stubEnv('MAKERDESK_STATE', join(place, 'state'));
  onTestFinished(() => void vi.unstubAllEnvs());
  return join(place, 'desk');
}

async function written(folder: string, ...events: NewEvent[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const witness = join(folder, '../state');
  const journal = await openJournal({ folder, now: () => START, witness });
  for (const event of events) await journal.append(event);
  await journal.close();
}

test('verify says of a journal that was put back that rows are missing, also after a command has opened it, until somebody accepts it', async () => {
  const folder = leftFolder();
  await written(folder, configured());
  copyFileSync(join(folder, 'journal.db'), join(folder, '../backup.db'));
  await written(folder, quote(1), quote(2), quote(3), quote(4));
  const sound = await here(folder, ['verify']);
  expect(JSON.parse(sound.stdout)).toMatchObject({ ok: true, past: { witness: null, unaccepted: null } });

  for (const file of ['journal.db-wal', 'journal.db-shm']) rmSync(join(folder, file), { force: true });
  copyFileSync(join(folder, '../backup.db'), join(folder, 'journal.db'));
  expect((await here(folder, ['status'])).stdout).toContain('HALTED');
  const found = await here(folder, ['verify']);
  expect([found.code, JSON.parse(found.stdout)]).toMatchObject([
    1,
    {
      ok: false,
      firstBad: null,
      detail: expect.stringMatching(/was put back from before|holds another past/),
      past: { unaccepted: { row: 2, why: [expect.stringContaining('its end is missing')] } },
    },
  ]);
  expect(found.stderr).toMatch(/row 5 was written here\.\nRow 2 of .* nobody has accepted that with a resume since/);

  const live = { scope: {}, state: 'LIVE', reason: 'the new disk', until: null, cause: null } as const;
  await written(folder, { time: START, actor: 'mara', kind: 'trading_state', body: live });
  expect(await here(folder, ['verify'])).toMatchObject({ code: 0, stderr: '' });
});

test('verify takes a copy of a folder as it is: the witness of the folder it was copied from says nothing against it', async () => {
  const folder = leftFolder();
  await written(folder, configured(), quote(1));
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  await written(folder, quote(2));
  expect(await here(copy, ['verify'])).toMatchObject({ code: 0, stderr: '' });
});
