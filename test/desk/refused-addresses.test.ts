import { expect, onTestFinished, test } from 'vitest';
import { addAlerts } from '../../electron/commands/alerts.ts';
import { addExport } from '../../electron/commands/export.ts';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { RefusedAddresses } from '../../electron/desk/refused-addresses.ts';
import { call, signatureHeaders } from '../surface/http-client.ts';
import { ACCESS_KEY, SECRET } from '../surface/open-surface.ts';
import { commandsHere } from './commands-here.ts';
import { PASSPHRASE, startDesk, temporaryFolder } from './desk-process.ts';

const HOUR_MS = 3_600_000;

test('keys that are used from elsewhere are told by count, time and last address, each counterparty alone, for an hour', () => {
  let now = 0;
  const refused = new RefusedAddresses(() => now);
  expect(refused.attention()).toEqual([]);
  refused.record({ domain: 'one.example', address: '198.51.100.1', at: 0 });
  refused.record({ domain: 'one.example', address: '198.51.100.2', at: 1_000 });
  refused.record({ domain: 'two.example', address: null, at: 2_000 });
  expect(refused.list()).toEqual([
    { domain: 'one.example', count: 2, address: '198.51.100.2', at: 1_000 },
    { domain: 'two.example', count: 1, address: null, at: 2_000 },
  ]);
  now = HOUR_MS + 1_000;
  expect(refused.attention()).toMatchObject([{ code: 'elsewhere two.example', level: 'look' }]);
  now = HOUR_MS + 2_000;
  expect(refused.attention()).toEqual([]);
  expect(refused.list()).toHaveLength(2);
});

test('a running desk refuses keys from an address that its desk file does not list, counts that, and gives the list back', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const party = { domain: 'desk.example', accessKey: ACCESS_KEY, secretKey: SECRET, addresses: ['203.0.113.0/24'] };
  const before = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await before.desk.desk.import({ desk: deskFileSchema.parse({ version: 1, chains: [], counterparties: [party] }) });
  await before.close();
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await desk.stop()));
  const port = Number(new URL(desk.ready.surface).port);
  const headers = { ...signatureHeaders('GET', '/1/prices'), 'X-Forwarded-For': '203.0.113.1' };
  const { status, json } = await call(port, 'GET', '/1/prices', { headers });
  expect([status, json]).toMatchObject([401, { code: 'address_not_allowed' }]);
  const here = commandsHere(addAlerts, addExport);
  const { stdout } = await here(folder, ['alerts', '--json']);
  expect(stdout).toContain('elsewhere desk.example');
  expect(stdout).toContain('from 127.0.0.1');
  const exported = JSON.parse((await here(folder, ['export'])).stdout);
  expect(exported.counterparties).toMatchObject([{ domain: 'desk.example', addresses: ['203.0.113.0/24'] }]);
});
