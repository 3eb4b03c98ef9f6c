import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { type Caddy, freePort, noCaddy, startCaddy } from '../desk/caddy.ts';
import { connectionTo } from '../desk/connection.ts';
import { type RunningDesk, removeFolder, runCommand, startDesk } from '../desk/desk-process.ts';
import { type Desktop, expect, nextWindow, noElectron, openDesktop, test } from './desktop-test.ts';
import { pictured } from './pictured.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

test.skip(noCaddy !== null, noCaddy ?? '');
test.describe.configure({ mode: 'serial' });

const haltAll = { name: /^HALT ALL/ };
let folder: string;
let desktop: Desktop & { close(): Promise<void> };
let list: Page;
let fra: PracticeDesk;
let fraProxy: Caddy;
let ash: RunningDesk;
let ashFolder: string;
let ashProxy: Caddy;
const at = { fra: '', ash: '' };

/** Two desks behind proxies of their own, and an app whose own desk was never set up, with the list open. */
test.beforeAll(async () => {
  if (noElectron !== null || noCaddy !== null) return;
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-desks-'));
  ashFolder = join(folder, 'ash');
  const [fraPort, ashPort] = [await freePort(), await freePort()];
  at.fra = `https://localhost:${fraPort}`;
  at.ash = `https://localhost:${ashPort}`;
  fra = await startPracticeDesk(['--no-takers', '--console-url', at.fra]);
  expect(await runCommand(ashFolder, ['key', 'new'])).toMatchObject({ code: 0 });
  ash = await startDesk(ashFolder, 'serve', ['--console-url', at.ash]);
  fraProxy = await startCaddy(fraPort, new URL(fra.console).host);
  ashProxy = await startCaddy(ashPort, new URL(ash.ready.console).host);
  const authorities = join(folder, 'authorities.crt');
  writeFileSync(authorities, [fraProxy, ashProxy].map(({ authority }) => readFileSync(authority, 'utf8')).join('\n'));
  const ports = ['--surface-port', '0', '--service-port', '0', '--rpc-port', '0'];
  desktop = await openDesktop(join(folder, 'own'), ports, { passphrase: 'first start', authorities });
  const opened = nextWindow(desktop.app);
  await clickMenu(desktop.app, 'desks');
  list = await opened;
});
test.afterAll(async () => {
  await desktop?.close();
  await fraProxy?.stop();
  await ashProxy?.stop();
  await fra?.stop();
  await ash?.stop();
  if (folder !== undefined) removeFolder(folder);
});

const clickMenu = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id);
const rowOf = (name: string) => list.getByRole('row', { name: new RegExp(`^${name} `) });
const tokenOf = async (of: string, name: string, rights: string) => {
  const owner = await connectionTo(of);
  const { token } = await owner.desk.tokens.create({ name, rights });
  await owner.close();
  return token;
};
const addDesk = async (name: string, url: string, token: string) => {
  await list.getByRole('button', { name: 'Add a desk…' }).click();
  await list.getByLabel('Name').fill(name);
  await list.getByLabel('Address of its console').fill(url);
  await list.getByLabel('Token', { exact: true }).fill(token);
  await list.getByRole('button', { name: 'Add it' }).click();
};

test('an empty list says what a desk elsewhere needs, and HALT ALL is there already', async () => {
  await expect(list.getByText('No desk elsewhere is in the list')).toBeVisible();
  await expect(list.getByRole('button', haltAll)).toBeVisible();
  await pictured(desktop.app, list, 'desks-empty');
});

test('desks that are added by their link show what each is doing, with no token anywhere on the screen or the disk', async () => {
  const token = await tokenOf(fra.folder, 'tess', 'trade');
  await addDesk('fra-1', `${at.fra}/#${token}`, token);
  await expect(rowOf('fra-1')).toContainText('LIVE');
  await addDesk('ash-1', at.ash, await tokenOf(ashFolder, 'hal', 'halt'));
  await expect(rowOf('ash-1')).toContainText('HALTED');
  expect(await list.content()).not.toContain(token);
  const kept = await desktop.app.evaluate(({ app }) => app.getPath('userData'));
  expect(readFileSync(join(kept, 'desks-elsewhere.json'), 'utf8')).not.toContain(token);
  await pictured(desktop.app, list, 'desks-filled');
});

test('what cannot be an address is refused in its field', async () => {
  await addDesk('new-1', 'http://desk.example.com', 'a-token');
  await expect(list.getByText('must be an https address')).toBeVisible();
  await list.getByRole('button', { name: 'Leave it' }).click();
});
