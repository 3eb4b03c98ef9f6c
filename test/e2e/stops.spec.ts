import type { Locator, Page } from '@playwright/test';
import type { DeskClient } from '../../electron/desk/desk-line.ts';
import { connectionTo } from '../desk/connection.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { looker } from './looker.ts';
import type { PracticeDesk } from './practice-desk.ts';

const CHAIN = 31337;
const ASKS = { chainId: CHAIN, pair: 'WETH/USDC', side: 'asks' } as const;

/** The stops on the page, newest first. */
const stops = (page: Page): Locator => page.getByRole('region', { name: 'What was stopped' }).locator('tbody tr');

/** Another person at the same desk. */
async function asBen<T>(desk: PracticeDesk, act: (ben: DeskClient) => Promise<T>) {
  const connection = await connectionTo(desk.folder, 'ben');
  try {
    return await act(connection.desk);
  } finally {
    await connection.close();
  }
}

test('a halt, the words added to it by another, and the resume stand in the list, reached by keyboard', async ({
  page,
  desk,
}) => {
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await asBen(desk, (ben) => ben.trading.explain({ scope: {}, reason: 'the feed of WETH froze' }));
  await resume(page);
  await page.getByRole('link', { name: 'Stops' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Stops', level: 1 })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Desk' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  const newest = stops(page).first();
  await expect(newest).toContainText('The whole desk');
  await expect(newest).toContainText(/the feed of WETH froze ben, \d\d:\d\d:\d\d/);
  await expect(newest).toContainText('the test is over');
  await expect(newest.getByRole('cell').last()).toHaveText(/^\d+\s(s|min)$/);
});

test('while it is halted the way leads from the emergency to earlier stops, and the halt stays told above them', async ({
  page,
}) => {
  await goTo(page, 'l');
  await page.keyboard.press('Control+Shift+H');
  await page.getByRole('link', { name: 'Earlier stops' }).click();
  await expect(stops(page).first()).toContainText('still stopped');
  await expect(page.getByRole('region', { name: 'Halted' })).toContainText('No signature leaves this desk');
  await resume(page);
});

test('a side that somebody switches off appears while the page is open, and so does its end', async ({
  page,
  desk,
}) => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('stops');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Stops', level: 1 })).toBeVisible();
  await asBen(desk, (ben) => ben.trading.halt({ scope: ASKS, reason: 'short of WETH' }));
  const newest = stops(page).first();
  await expect(newest).toContainText('WETH/USDC asks');
  await expect(newest).toContainText('short of WETH');
  await expect(newest).toContainText('still off');
  await newest.getByRole('button', { name: 'Switch asks on… WETH/USDC asks' }).click();
  await expect(page.getByRole('dialog', { name: 'Go live on WETH/USDC asks' })).toBeVisible();
  await page.keyboard.press('Escape');
  await asBen(desk, (ben) => ben.trading.resume({ scope: ASKS, reason: 'inventory is back' }));
  await expect(newest).toContainText('inventory is back');
  await expect(newest).not.toContainText('still off');
  await page.getByRole('radio', { name: 'Desk and chains' }).click();
  await expect(stops(page).filter({ hasText: 'WETH/USDC asks' })).toHaveCount(0);
});

testAlone(
  'older stops are read page by page, to the first one, also where one more comes while they are read',
  async ({ page, desk, openConsole }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = false;
    await page.routeWebSocket(/\/rpc/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        if (asked || !/trading\/stops.*before/.test(message.toString())) return server.send(message);
        asked = true;
        void released.then(() => server.send(message));
      });
    });
    await asBen(desk, async (ben) => {
      for (let number = 1; number <= 55; number += 1) {
        await ben.trading.halt({ scope: ASKS, reason: `stop number ${number}` });
        await ben.trading.resume({ scope: ASKS, reason: 'again' });
      }
    });
    await openConsole();
    await page.getByRole('link', { name: 'Stops' }).click();
    await expect(stops(page)).toHaveCount(50);
    await expect(stops(page).first()).toContainText('stop number 55');
    await expect(page.getByText('50 stops read so far')).toBeVisible();
    await page.getByRole('button', { name: 'Earlier stops' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => asked).toBe(true);
    await asBen(desk, async (ben) => {
      await ben.trading.halt({ scope: ASKS, reason: 'one more' });
      await ben.trading.resume({ scope: ASKS, reason: 'again' });
    });
    await expect(stops(page).first()).toContainText('one more');
    release();
    await expect(page.getByText('stop number 1', { exact: true })).toBeVisible();
    await expect(page.getByText(/\d+ stops, all there are/)).toBeVisible();
  },
);

testAlone(
  'while the desk does not say who stopped it the screen says so beside Resume and asks again; a desk that has no such question is resumed without',
  async ({ page, openConsole }, info) => {
    let answer: 'given' | 'failed' | 'unknown' = 'failed';
    let asked = 0;
    const resumes: { seen?: unknown }[] = [];
    await page.routeWebSocket(/\/rpc/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        const { i, p } = JSON.parse(message.toString()) as { i: string; p?: { u?: string; b?: { json?: object } } };
        if (p?.u?.endsWith('/trading/resume')) resumes.push(p.b?.json ?? {});
        if (p?.u?.includes('/trading/stopsAround')) asked += 1;
        if (answer === 'given' || !p?.u?.includes('/trading/stopsAround')) return server.send(message);
        const [code, s] = answer === 'failed' ? ['INTERNAL_SERVER_ERROR', 500] : ['NOT_FOUND', 404];
        const json = { defined: false, code, status: s, message: 'The stops cannot be read.' };
        socket.send(JSON.stringify({ i, p: { s, b: { json } } }));
      });
    });
    await openConsole();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    await page.keyboard.press('Control+Shift+H');
    const panel = page.getByRole('region', { name: 'Resume', exact: true });
    await panel.getByLabel('Why is it safe to trade again?').fill('nothing is wrong');
    await expect(panel).toContainText(/Who stopped this is not known\.\s*The stops cannot be read\./);
    await expect(panel).toContainText('Not yet: who stopped this is not known.');
    await expect(panel.getByRole('button', { name: 'Resume', exact: true })).toBeDisabled();
    const { faults, inBoth } = looker(page, info, 'stops-unread');
    await inBoth('emergency');
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    // It asks by itself, too: the button is gone as soon as there is an answer.
    const before = asked;
    await panel.getByRole('button', { name: 'Ask again' }).click();
    await expect.poll(() => asked).toBeGreaterThan(before);
    answer = 'given';
    await expect(panel).not.toContainText('Who stopped this is not known');
    await resume(page);
    expect(resumes.at(-1)?.seen).toEqual([expect.objectContaining({ state: 'HALTED' })]);

    answer = 'unknown';
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
    await resume(page);
    expect(resumes.at(-1)).not.toHaveProperty('seen');
  },
);
