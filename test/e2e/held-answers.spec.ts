import type { Page, WebSocketRoute } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { chainReader } from './chain-reader.ts';
import { goTo, resume, takeAsKnown } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { statusOf } from './makerdesk.ts';
import { startPracticeDesk } from './practice-desk.ts';

const heading = { name: 'HALTED', exact: true };

/** The line of a page to its desk, of which a test keeps back what one of the two says. */
interface HeldLine {
  /** What the page says of this is not sent on. */
  holds: RegExp | null;
  /** Nothing that the desk says arrives. */
  isDeaf: boolean;
  /** What was said, also what did not arrive. */
  byPage: string[];
  byDesk: string[];
  /** Another line is opened by the page itself. */
  cut(): Promise<void>;
}

async function heldLine(page: Page): Promise<HeldLine> {
  const open = new Set<WebSocketRoute>();
  const line: HeldLine = {
    holds: null,
    isDeaf: false,
    byPage: [],
    byDesk: [],
    async cut() {
      const sockets = [...open];
      open.clear();
      await Promise.all(sockets.map((socket) => socket.close().catch(() => {})));
    },
  };
  await page.routeWebSocket(/\/rpc/, (socket) => {
    open.add(socket);
    const server = socket.connectToServer();
    server.onMessage((message) => {
      line.byDesk.push(message.toString());
      if (!line.isDeaf) socket.send(message);
    });
    socket.onMessage((message) => {
      line.byPage.push(message.toString());
      if (line.holds?.test(message.toString()) !== true) server.send(message);
    });
  });
  return line;
}

test('the answer to a resume that comes on another line does not put the status of then on the screen', async ({
  page,
  desk,
}) => {
  const owner = await connectionTo(desk.folder, 'nora');
  const line = await heldLine(page);
  await page.goto(desk.console);
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await page.getByLabel('Why is it safe to trade again?').fill('it is safe');
  await takeAsKnown(page);
  line.isDeaf = true;
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(async () => (await statusOf(desk.folder)).state).toBe('LIVE');
  await owner.desk.trading.halt({ scope: {}, reason: 'it is not' });
  line.isDeaf = false;
  const heardBefore = line.byDesk.length;
  const answers = () => line.byDesk.findIndex((said, index) => index >= heardBefore && said.includes('staysClosed'));
  await line.cut();
  await expect.poll(answers).toBeGreaterThan(0);
  // What it does to the screen is done once the desk was heard some more.
  const at = answers();
  await expect.poll(() => line.byDesk.length).toBeGreaterThan(at + 5);
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
  await owner.close();
  await resume(page);
});

test('the answer to “I have looked” that comes on another line does not put the status of then on the screen', async ({
  page,
}) => {
  const desk = await startPracticeDesk(['--no-takers']);
  try {
    const owner = await connectionTo(desk.folder, 'nora');
    const line = await heldLine(page);
    const chain = await chainReader(desk, 31337);
    await chain.setHeld('WETH', (await chain.heldBy(chain.maker, 'WETH')) - 42n);
    await page.goto(desk.console);
    await goTo(page, 'd');
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', heading)).toBeVisible();
    await page.getByRole('button', { name: 'I have looked…' }).click();
    await page.getByLabel('What did you find?').fill('it was a test');
    line.isDeaf = true;
    await page.getByRole('button', { name: 'I have looked', exact: true }).click();
    const alarms = async () => (await owner.desk.trading.status()).alarms ?? [];
    await expect.poll(alarms).toEqual([]);
    await owner.desk.trading.resume({ scope: {}, reason: 'it was a test' });
    line.isDeaf = false;
    const heardBefore = line.byDesk.length;
    await line.cut();
    // The dialog closes with the answer; what that does to the screen is done once the desk was heard some more.
    await expect(page.getByLabel('What did you find?')).toHaveCount(0);
    const at = Math.max(heardBefore, line.byDesk.length);
    await expect.poll(() => line.byDesk.length).toBeGreaterThan(at + 5);
    await expect(page.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    await owner.close();
  } finally {
    await desk.stop();
  }
});

test('a stop that is pressed while another is on its way is sent as well: of two pairs, and a halt after a drain', async ({
  page,
  desk,
  browser,
}) => {
  const owner = await connectionTo(desk.folder);
  const line = await heldLine(page);
  await page.goto(desk.console);
  const status = page.getByRole('region', { name: 'Status' });
  await expect(status).toContainText('LIVE');
  line.holds = /trading\/(halt|drain)/;
  const stops = () => line.byPage.filter((said) => /trading\/(halt|drain)/.test(said)).length;
  await status.getByTitle('Drain, halt or resume this chain').first().click();
  const menu = page.getByRole('dialog');
  await menu.getByRole('button', { name: /^Drain / }).click();
  await menu.getByRole('button', { name: /^Halt / }).click();
  await expect.poll(stops).toBe(2);

  const { console } = await owner.desk.tokens.create({ name: 'night-watch', rights: 'halt' });
  const watch = await (await browser.newContext()).newPage();
  const watched = await heldLine(watch);
  await watch.goto(console ?? '');
  const panel = watch.getByRole('region', { name: 'What trades' });
  watched.holds = /trading\/halt/;
  const halts = () => watched.byPage.filter((said) => /trading\/halt/.test(said)).length;
  await panel.getByRole('button', { name: 'Halt WETH/USDC' }).first().click();
  await panel.getByRole('button', { name: 'Halt LINK/WETH' }).first().click();
  await expect.poll(halts).toBe(2);
  await owner.desk.tokens.revoke({ name: 'night-watch' });
  await owner.close();
  await watch.context().close();
});

test('after another halt nothing is said to be over before the chains were asked anew', async ({ page }) => {
  const desk = await startPracticeDesk(['--no-takers']);
  try {
    const line = await heldLine(page);
    await page.goto(desk.console);
    await goTo(page, 'd');
    await page.keyboard.press('Control+Shift+H');
    const banner = page.getByRole('region', { name: 'Halted' });
    await expect(banner).toContainText('Every chain agrees');
    await resume(page);
    line.holds = /onChain\/stillLive/;
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', heading)).toBeVisible();
    await expect(banner).toContainText('not known');
    await expect(page.getByRole('table', { name: 'Allowances' })).toContainText('The chains are being asked.');
    await expect(page.getByRole('button', { name: 'Allowances to zero…' })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Cancel orders…' })).toBeEnabled();
  } finally {
    await desk.stop();
  }
});
