import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { freePort } from '../desk/caddy.ts';
import { connectionTo } from '../desk/connection.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { goTo } from './console-pages.ts';
import { type Desktop, expect, noElectron, openDesktop, test } from './desktop-test.ts';
import { statusOf } from './makerdesk.ts';
import { placeMarket } from './practice-desk.ts';

const PORTS = ['--surface-port', '0', '--service-port', '0', '--rpc-port', '0', '--no-takers'];
const halted = { name: 'HALTED' };
const lost = 'This screen has lost the desk, which may still be trading.';

let desktop: Awaited<ReturnType<typeof openDesktop>>;
let removeFolder: () => void;

// The app with a window of its own, on a desk whose console is served to browsers too, always at the same port.
test.beforeAll(async () => {
  test.skip(noElectron !== null, noElectron ?? '');
  const { folder, remove } = temporaryFolder();
  removeFolder = remove;
  placeMarket(folder);
  desktop = await openDesktop(folder, ['--practice', ...PORTS, '--console-port', `${await freePort()}`]);
  await untilLive(desktop);
});
test.afterAll(async () => {
  await desktop?.close();
  removeFolder?.();
});

const untilLive = ({ page }: Pick<Desktop, 'page'>) =>
  expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
const stateOf = async () => statusOf(desktop.folder);

/** A browser of somebody with a token of these rights, beside the app’s window. */
async function browserOf(browser: Browser, name: string, rights: string): Promise<{ page: Page; link: string }> {
  const owner = await connectionTo(desktop.folder);
  const { console: link } = await owner.desk.tokens.create({ name, rights });
  await owner.close();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(link ?? '');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(name);
  return { page, link: link ?? '' };
}

test('two consoles: what one does in a browser is in the app’s window at once, and the other way round; who is attached from a terminal too', async ({
  browser,
}) => {
  const { page: app, folder } = desktop;
  const { page: tara, link } = await browserOf(browser, 'tara', 'trade');
  await tara.getByRole('button', { name: 'Halt all trading now' }).click();
  await expect(app.getByRole('heading', halted)).toBeVisible();
  expect(await stateOf()).toMatchObject({ state: 'HALTED', actor: 'tara' });
  await app.getByLabel('Why is it safe to trade again?').fill('tara only tried');
  await app.getByRole('button', { name: 'Resume', exact: true }).click();
  await untilLive(desktop);
  await untilLive({ page: tara });
  await app.keyboard.press('Control+Shift+H');
  await expect(tara.getByRole('heading', halted)).toBeVisible();
  await tara.getByLabel('Why is it safe to trade again?').fill('the app only tried');
  await tara.getByRole('button', { name: 'Resume', exact: true }).click();
  await untilLive(desktop);
  expect(await stateOf()).toMatchObject({ state: 'LIVE', actor: 'tara' });

  const { origin, hash } = new URL(link);
  const there = { MAKERDESK_TOKEN: hash.slice(1), MAKERDESK_DATA: join(folder, 'nothing here') };
  const attached = await runCommand(null, ['halt', '--reason', 'from a terminal', '--attach', origin], there);
  expect(attached.code, attached.stderr).toBe(0);
  expect(await stateOf()).toMatchObject({ state: 'HALTED', actor: 'tara' });
  const owner = await connectionTo(folder);
  await owner.desk.trading.resume({ scope: {}, reason: 'the end of a test' });
  await owner.close();
  await tara.context().close();
});

test('revoke: who is revoked in the app’s window is cut off in their browser, and comes in no more with the same link', async ({
  browser,
}) => {
  const { page: app } = desktop;
  const { page: lena, link } = await browserOf(browser, 'lena', 'look');
  await goTo(app, 'e');
  await app.getByRole('link', { name: 'People' }).click();
  await app
    .getByRole('row', { name: /^lena look/ })
    .getByRole('button', { name: 'Revoke…' })
    .click();
  await app.getByRole('button', { name: 'Revoke lena' }).click();
  await expect(lena.getByText(lost)).toBeVisible();
  await lena.goto('about:blank');
  await lena.goto(link);
  await expect(lena.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
  await expect(lena.getByRole('navigation', { name: 'Pages' })).not.toContainText('lena');
  await lena.context().close();
});
