import type { Browser, Page } from '@playwright/test';
import { type Caddy, freePort, noCaddy, startCaddy } from '../desk/caddy.ts';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { statusOf } from './makerdesk.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

test.skip(noCaddy !== null, noCaddy ?? '');

const halt = { name: 'Halt all trading now' };
let elsewhere: PracticeDesk;
let caddy: Caddy;
let port: number;

test.beforeAll(async ({ kept }) => {
  await kept.close();
  port = await freePort();
  elsewhere = await startPracticeDesk(['--no-takers', '--console-url', `https://localhost:${port}`]);
  caddy = await startCaddy(port, new URL(elsewhere.console).host);
});
test.afterAll(async () => {
  await caddy?.stop();
  await elsewhere?.stop();
});

/** The console of somebody at another computer; its browser does not know the authority that Caddy made for this machine. */
async function consoleOf(browser: Browser, name: string, rights: string): Promise<Page> {
  const owner = await connectionTo(elsewhere.folder);
  const { console: link } = await owner.desk.tokens.create({ name, rights });
  await owner.close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(link ?? '');
  // HALT can be pressed before the desk has said anything: that it has is told by its word on who this is.
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(name);
  return page;
}

test('people elsewhere open the console over TLS at the same time, each by their name; one’s halt is on the other’s screen at once', async ({
  browser,
}) => {
  const requests = new Set<string>();
  const tara = await consoleOf(browser, 'tara', 'trade');
  const hal = await consoleOf(browser, 'hal', 'halt');
  tara.on('websocket', (socket) => requests.add(socket.url()));
  expect(new URL(tara.url()).origin).toBe(`https://localhost:${port}`);
  await hal.getByRole('button', halt).click();
  await expect(tara.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  expect(await statusOf(elsewhere.folder)).toMatchObject({ state: 'HALTED', actor: 'hal' });
  const why = tara.getByLabel('Why is it safe to trade again?');
  const resume = tara.getByRole('button', { name: 'Resume', exact: true });
  await why.fill('hal only tried');
  // While the self-check is made anew Enter does nothing.
  await expect(async () => {
    if (await resume.isVisible()) {
      await expect(resume).toBeEnabled({ timeout: 10_000 });
      await why.press('Enter', { timeout: 2_000 });
    }
    expect(await statusOf(elsewhere.folder)).toMatchObject({ state: 'LIVE', actor: 'tara' });
  }).toPass();

  await tara.reload();
  await expect(tara.getByRole('navigation', { name: 'Pages' })).toContainText(/tara\s*trade/);
  await goTo(tara, 'j');
  // Ladders that follow write a row with every move: what is older than a moment is below those in sight.
  await tara.getByLabel('Who').selectOption({ label: 'people' });
  await expect(tara.getByText('hal only tried').first()).toBeVisible();
  // A line that is not heard for some seconds is given up, and found again at the same address.
  expect([...requests]).toEqual([`wss://localhost:${port}/rpc`]);
  await tara.context().close();
  await hal.context().close();
});

test('a proxy that is started again costs a console its line and nothing else', async ({ browser }) => {
  const page = await consoleOf(browser, 'rita', 'look');
  await caddy.stop();
  await expect(page.getByText('This screen has lost the desk, which may still be trading.')).toBeVisible();
  caddy = await startCaddy(port, new URL(elsewhere.console).host);
  await expect(page.getByText('This screen has lost the desk, which may still be trading.')).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/rita\s*may look/);
  await page.context().close();
});
