import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addAlerts } from '../../electron/commands/alerts.ts';
import { addCheck } from '../../electron/commands/check.ts';
import { addImport } from '../../electron/commands/import.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { deskFile } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { startDesk, temporaryFolder } from './desk-process.ts';

const SAID = {
  code: 'witness',
  level: 'look',
  detail: expect.stringMatching(/cannot be written to .* MAKERDESK_STATE/),
};

test('a witness that cannot be written is an alert on every way a person looks, until it can', async () => {
  const { folder, remove } = temporaryFolder();
  const state = temporaryFolder();
  onTestFinished(remove);
  onTestFinished(state.remove);
  const place = join(state.folder, 'state');
  writeFileSync(place, 'a file where the folder ought to be');
  const file = join(state.folder, 'desk.json');
  writeFileSync(file, JSON.stringify({ ...deskFile({ rpcUrl: 'http://127.0.0.1:1' }), counterparties: [] }));
  const here = commandsHere(addAlerts, addCheck, addImport, addStatus);
  const json = async (...args: string[]) => JSON.parse((await here(folder, [...args, '--json'])).stdout);
  expect(await here(folder, ['import', file])).toMatchObject({ code: 0 });

  const desk = await startDesk(folder, 'serve', [], undefined, { MAKERDESK_STATE: place });
  onTestFinished(async () => void (await desk.stop()));
  await vi.waitFor(() => expect(desk.stderr()).toContain('there is no key that could sign: nothing is quoted'));
  expect(await json('alerts')).toContainEqual(expect.objectContaining(SAID));
  expect((await json('status')).alerts).toContainEqual(expect.objectContaining(SAID));
  const checks = async () =>
    (await json('check')).chains[0].checks.filter(({ name }: { name: string }) => name === 'witness');
  expect(await checks()).toMatchObject([{ outcome: 'warning', sentence: SAID.detail }]);

  rmSync(place);
  await vi.waitFor(() => expect(existsSync(place)).toBe(true));
  await vi.waitFor(async () => expect(JSON.stringify(await json('alerts'))).not.toContain('witness'));
  expect(await checks()).toMatchObject([{ outcome: 'passed' }]);
});
