import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { cuttingProxy } from '../cutting-proxy.ts';
import { type Caddy, freePort, noCaddy, startCaddy } from '../desk/caddy.ts';
import { connectionTo } from '../desk/connection.ts';
import { type RunningDesk, removeFolder, runCommand, startDesk } from '../desk/desk-process.ts';
import { goTo } from './console-pages.ts';
import { type Desktop, expect, nextWindow, noElectron, openDesktop, test } from './desktop-test.ts';
import { statusOf } from './makerdesk.ts';
import { noticesOf } from './notices.ts';
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
let fraLine: BreakableLine;
let ash: RunningDesk;
let ashFolder: string;
let ashProxy: Caddy;
let ashLine: BreakableLine;
const at = { fra: '', ash: '' };

/** The way to a proxy, which can break and is mended again. */
async function breakableLine(port: number) {
  const line = await cuttingProxy(port);
  return {
    url: `https://localhost:${line.port}`,
    break: async () => {
      line.leadTo(await freePort());
      line.cutAfter(0);
    },
    mend: () => line.leadTo(port),
    close: line.close,
  };
}
type BreakableLine = Awaited<ReturnType<typeof breakableLine>>;

/** Two desks behind proxies of their own, and an app whose own desk was never set up, with the list open. */
test.beforeAll(async () => {
  if (noElectron !== null || noCaddy !== null) return;
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-desks-'));
  ashFolder = join(folder, 'ash');
  const [fraPort, ashPort] = [await freePort(), await freePort()];
  fraLine = await breakableLine(fraPort);
  ashLine = await breakableLine(ashPort);
  at.fra = fraLine.url;
  at.ash = ashLine.url;
  fra = await startPracticeDesk(['--no-takers', '--console-url', at.fra]);
  expect(await runCommand(ashFolder, ['key', 'new'])).toMatchObject({ code: 0 });
  ash = await startDesk(ashFolder, 'serve', ['--console-url', at.ash]);
  fraProxy = await startCaddy(fraPort, new URL(fra.console).host);
  ashProxy = await startCaddy(ashPort, new URL(ash.ready.console).host);
  const authorities = join(folder, 'authorities.crt');
  writeFileSync(authorities, [fraProxy, ashProxy].map(({ authority }) => readFileSync(authority, 'utf8')).join('\n'));
  const ports = ['--surface-port', '0', '--service-port', '0', '--rpc-port', '0'];
  desktop = await openDesktop(join(folder, 'own'), ports, { passphrase: 'of a first start', authorities });
  const opened = nextWindow(desktop.app);
  await clickMenu(desktop.app, 'desks');
  list = await opened;
});
test.afterAll(async () => {
  await desktop?.close();
  for (const part of [fraLine, ashLine]) await part?.close();
  for (const part of [fraProxy, ashProxy]) await part?.stop();
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
  const token = await tokenOf(fra.folder, 'tess', 'admin');
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

/** Opens a desk’s console in a window of its own, by its row of the list. */
async function openFromList(name: string): Promise<Page> {
  const opened = nextWindow(desktop.app);
  await rowOf(name).getByRole('button', { name: 'Open' }).click();
  return opened;
}
const lost = 'This screen has lost the desk, which may still be trading.';

test('Open shows the console of a desk elsewhere in a window of its own, by the name of its token, and acts there: two consoles see each other', async ({
  browser,
}) => {
  const there = await openFromList('fra-1');
  await expect(there.getByRole('note').filter({ hasText: 'fra-1 a desk elsewhere' })).toBeVisible();
  await expect(there.getByRole('navigation', { name: 'Pages' })).toContainText('tess');
  await expect(there.getByText('WETH/USDC').first()).toBeVisible();
  // The page has no network and no token: all it says goes through the app.
  expect(there.url()).toMatch(/^app:\/\/makerdesk\/index\.html\?elsewhere=fra-1/);
  const beside = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await beside.goto(fra.console);
  await there.keyboard.press('Control+Shift+H');
  await expect(beside.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  expect(await statusOf(fra.folder)).toMatchObject({ state: 'HALTED', actor: 'tess' });
  await pictured(desktop.app, there, 'desks-open-halted');
  await beside.getByLabel('Why is it safe to trade again?').fill('tess only tried');
  await beside.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(there.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await beside.context().close();
});

test('a window on a desk elsewhere whose line breaks says so, and finds it again; a command that was given meanwhile is carried out once', async () => {
  const there = windowOn('fra-1');
  await goTo(there, 'b');
  const form = there.getByRole('form', { name: 'Add a user to the blacklist' });
  await form.getByLabel('Address').fill(`0x${'d1'.repeat(20)}`);
  await form.getByLabel('Reason').fill('over a line that broke');
  await fraLine.break();
  await expect(there.getByText(lost)).toBeVisible();
  await expect(rowOf('fra-1')).toContainText('NO ANSWER');
  fraLine.mend();
  await expect(there.getByText(lost)).toBeHidden();
  await form.getByRole('button', { name: /^Blacklist .*for good$/ }).click();
  await expect(there.getByRole('region', { name: 'On the list' })).toContainText('over a line that broke');
  const owner = await connectionTo(fra.folder);
  const history = await owner.desk.blacklist.history({ chainId: 31337 });
  await owner.close();
  expect(history.filter(({ reason }) => reason === 'over a line that broke')).toHaveLength(1);
});

test('four eyes: what takes a second person waits in the app’s window on a desk elsewhere, and is approved there as well', async () => {
  const owner = await connectionTo(fra.folder, 'mara');
  await owner.desk.approvals.set({ kinds: ['resume'], seen: [] });
  await owner.desk.trading.halt({ scope: {} });
  const there = windowOn('fra-1');
  await goTo(there, 'd');
  await there.getByLabel('Why is it safe to trade again?').fill('asked from afar');
  await there.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(
    there
      .getByRole('alert')
      .filter({ hasText: 'This waits for a second person: go live on the desk (asked from afar)' }),
  ).toBeVisible();
  const [asked] = (await owner.desk.approvals.list({})).waiting;
  expect(asked).toMatchObject({ actor: 'tess' });
  const told = await noticesOf(there);
  await owner.desk.approvals.approve({ request: asked?.seq ?? 0 });
  await expect(there.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await expect.poll(told).toContain('done, approved by mara');

  await owner.desk.trading.halt({ scope: {} });
  const asks = await owner.desk.trading.resume({ scope: {}, reason: 'asked at home' }).catch((error) => error);
  expect(refusalOf(asks).code).toBe('second_person_asked');
  // A stop that is heard only now would lie over the page that is gone to.
  await expect(there.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await goTo(there, 'a');
  const waits = there.getByRole('region', { name: 'Waiting for a second person' }).getByRole('listitem');
  await waits.filter({ hasText: 'asked at home' }).getByRole('button', { name: 'Approve…' }).click();
  await there.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(async () => statusOf(fra.folder)).toMatchObject({ state: 'LIVE', actor: 'mara' });
  await owner.close();
});

test('HALT ALL halts every desk of the list and says who has not confirmed; one that was away is halted once it is back', async () => {
  await ashLine.break();
  await list.getByRole('button', haltAll).click();
  await expect(list.getByText('NOT confirmed: ash-1.')).toBeVisible();
  await expect(rowOf('fra-1')).toContainText('HALTED');
  await expect.poll(async () => statusOf(fra.folder)).toMatchObject({ state: 'HALTED', actor: 'tess' });
  await pictured(desktop.app, list, 'desks-not-confirmed');
  ashLine.mend();
  await expect(list.getByText(/have confirmed that they are HALTED/)).toBeVisible();
  await pictured(desktop.app, list, 'desks-confirmed');
});

test('a token that is revoked there cuts the window and the row off, and nothing is done with it any more', async () => {
  const owner = await connectionTo(fra.folder);
  await owner.desk.tokens.revoke({ name: 'tess' });
  await owner.close();
  await expect(windowOn('fra-1').getByText(lost)).toBeVisible();
  await expect(rowOf('fra-1')).toContainText('token');
  await pictured(desktop.app, list, 'desks-revoked');
});

/** The window on a desk elsewhere that is open. */
function windowOn(name: string): Page {
  const found = desktop.app.windows().find((page) => page.url().includes(`?elsewhere=${name}`));
  if (found === undefined) throw new Error(`No window shows ${name}.`);
  return found;
}
