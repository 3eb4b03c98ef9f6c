import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { takeSecret } from '../../electron/desk/taken-secret.ts';
import { openKeystore } from '../../electron/signer/keystore.ts';
import { descendantsOf } from '../desk/descendants.ts';
import { PASSPHRASE, startDesk, temporaryFolder } from '../desk/desk-process.ts';

test('a secret that was handed over in the environment is not there any more once it was taken', () => {
  const environment: NodeJS.ProcessEnv = { SECRET: 'for this test only', EMPTY: '' };
  expect([takeSecret(environment, 'SECRET'), takeSecret(environment, 'SECRET')]).toEqual([
    'for this test only',
    undefined,
  ]);
  expect([takeSecret(environment, 'EMPTY'), environment]).toEqual([undefined, {}]);
});

test.runIf(platform() === 'linux')('no process that a desk starts inherits the passphrase', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const desk = await startDesk(folder, 'practice', ['--no-takers']);
  onTestFinished(async () => void (await desk.stop()));
  const started = descendantsOf(desk.ready.pid);
  expect(started.length).toBeGreaterThan(0);
  const knowing = started.filter((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(PASSPHRASE));
  expect(knowing).toEqual([]);
});

test('a practice desk takes no passphrase of a real desk from the environment: it opens without it the next time', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const desk = await startDesk(folder, 'practice', ['--no-takers']);
  onTestFinished(async () => void (await desk.stop()));
  expect(desk.stderr()).toContain('MAKERDESK_PASSPHRASE is not used');
  expect(await openKeystore(folder, 'practice')).toMatch(/^0x/);
});
