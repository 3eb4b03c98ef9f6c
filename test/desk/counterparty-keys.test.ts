import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addCounterpartyKeys } from '../../electron/commands/counterparty-keys.ts';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { fingerprint } from '../../electron/signer/secrets.ts';
import { deskFile } from '../book/fixture.ts';
import { commandsHere } from './commands-here.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const canary = () => `canary-${randomBytes(12).toString('hex')}`;
const [OLD, NEW] = [
  { accessKey: 'old access key', secretKey: canary() },
  { accessKey: 'new access key', secretKey: canary() },
];
const DOMAIN = 'router.example';

test('a counterparty changes its keys without a refused request: both are taken, until the earlier ones are ended', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = deskFileSchema.parse({ ...deskFile(), counterparties: [{ domain: DOMAIN, ...OLD }] });
  const before = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await before.desk.desk.import({ desk: file });
  await before.close();
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await desk.stop()));
  const statusWith = async (keys: typeof OLD) => {
    const signing = { ...file, counterparties: [{ domain: DOMAIN, signedPath: 'full' as const, ...keys }] };
    return (await takerClient(desk.ready.surface, signing).get('/prices')).status;
  };
  const isTaken = async (keys: typeof OLD) => (await statusWith(keys)) !== 401;
  const here = commandsHere(addCounterpartyKeys);
  const command = (...args: string[]) => {
    const line = ['counterparty-keys', ...args];
    vi.stubEnv('MAKERDESK_ACCESS_KEY', NEW.accessKey);
    vi.stubEnv('MAKERDESK_SECRET_KEY', NEW.secretKey);
    return here(folder, line).finally(() => vi.unstubAllEnvs());
  };
  expect([await isTaken(OLD), await isTaken(NEW)]).toEqual([true, false]);
  expect((await here(folder, ['counterparty-keys', 'set', DOMAIN])).stderr).toContain('MAKERDESK_ACCESS_KEY');
  expect((await command('set', 'nobody.example')).stderr).toContain('nobody.example is no counterparty of this desk.');
  expect((await command('end-earlier', DOMAIN)).stderr).toContain(`No earlier keys of ${DOMAIN} are taken.`);

  const environment = { MAKERDESK_ACCESS_KEY: NEW.accessKey, MAKERDESK_SECRET_KEY: NEW.secretKey };
  const set = await runCommand(folder, ['counterparty-keys', 'set', DOMAIN, '--keep-earlier'], environment);
  const prints = { domain: DOMAIN, fingerprint: fingerprint(NEW.secretKey), earlier: fingerprint(OLD.secretKey) };
  expect(JSON.parse(set.stdout)).toEqual({ set: true, ...prints, lastUsed: null });
  expect([await isTaken(NEW), await isTaken(NEW)]).toEqual([true, true]);
  expect((await command()).stdout).toMatch(/not yet$/m);
  expect(await isTaken(OLD)).toBe(true);
  expect(JSON.parse((await command('list', '--json')).stdout)).toEqual([
    { ...prints, lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  ]);

  const ended = await command('end-earlier', DOMAIN);
  expect(JSON.parse(ended.stdout)).toEqual({ ended: true, ...prints, earlier: null, lastUsed: null });
  expect([await isTaken(OLD), await isTaken(NEW)]).toEqual([false, true]);

  const said = [set, ended].map(({ stdout, stderr }) => stdout + stderr).join() + desk.stderr();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const secret of [OLD.secretKey, NEW.secretKey]) {
    expect(said).not.toContain(secret);
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1'), name).not.toContain(secret);
    }
  }
});
