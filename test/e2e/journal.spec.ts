import type { Page } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { dismissNotices, looker } from './looker.ts';
import type { PracticeDesk } from './practice-desk.ts';

const CHAIN = 31337;
const PAIR = 'WETH/USDC';

const events = (page: Page) => page.getByRole('region', { name: 'Events' });
const rows = (page: Page) => events(page).locator('[data-seq]');
const filter = (page: Page) => page.getByRole('search', { name: 'Filter' });

/** A person changes a limit to 3,000 and then to `seconds`, so that there is something before, and back again. */
async function changeLimits({ folder }: PracticeDesk, seconds = 4_500): Promise<void> {
  const connection = await connectionTo(folder, 'Night desk');
  const { limits } = connection.desk;
  const before = await connection.desk.settings.get();
  const now = before.desk.chains.find(({ chainId }) => chainId === CHAIN)?.limits;
  if (now === undefined) throw new Error('there is no such chain');
  await limits.set({ chainId: CHAIN, limits: { ...now, ladderMaxAgeSeconds: 3_000 } });
  await limits.set({ chainId: CHAIN, limits: { ...now, ladderMaxAgeSeconds: seconds } });
  await limits.set({ chainId: CHAIN, limits: now });
  await connection.close();
}

test('what a person changed stands there as a sentence with what was before, is found by words, and opens with its hash', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await changeLimits(desk);
  await openConsole();
  await goTo(page, 'j');
  await expect(page).toHaveURL(/#\/journal$/);
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('limits 4,500');
  const changed = rows(page).filter({ hasText: 'seconds 3,000 → 4,500' });
  await expect(changed.first()).toBeVisible();
  await expect(changed.first()).toContainText('Night desk');
  await filter(page).getByLabel('Who').selectOption({ label: 'people' });
  await changed.first().click();
  const drawer = page.getByRole('region', { name: 'Event', exact: true });
  await expect(drawer).toContainText('is what was written');
  await expect(drawer).toContainText('limits.ladderMaxAgeSeconds');
  await dismissNotices(page);
  const { faults, inBoth } = looker(page, info, 'journal', [{ width: 1280, height: 800 }]);
  await inBoth('opened');
  expect(faults).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
});

test('what changed a pair is one step from the palette, and goes on to another one', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'p');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`what changed ${PAIR}`);
  await page
    .getByRole('option', { name: new RegExp(`^What changed ${PAIR}`) })
    .first()
    .click();
  await expect(page).toHaveURL(/pair=WETH%2FUSDC.*#\/journal$/);
  await expect(filter(page).getByLabel('Pair')).toHaveValue(PAIR);
  await expect(
    rows(page)
      .filter({ hasText: 'imported a desk file' })
      .or(rows(page).filter({ hasText: PAIR }))
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('what changed DAI/USDC');
  await page
    .getByRole('option', { name: /^What changed DAI\/USDC/ })
    .first()
    .click();
  await expect(filter(page).getByLabel('Pair')).toHaveValue('DAI/USDC');
});

test('from a cell of a ladder by a key to who changed it, and from cells and rows by a right click to what the journal tells of them', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'p');
  const ladder = page.getByRole('grid', { name: `Draft of ${PAIR}` });
  const cell = ladder.locator('[data-cell="0-1"]');
  await cell.click();
  await page.keyboard.press('w');
  const history = page.getByRole('list', { name: 'Who changed Bid 1 price' });
  await expect(history.getByRole('listitem').first()).toContainText('→');
  await expect(cell).toBeFocused();
  await cell.click({ button: 'right' });
  await page.getByRole('menuitem', { name: `What changed ${PAIR}` }).click();
  await expect(page).toHaveURL(/pair=WETH%2FUSDC.*#\/journal$/);
  await goTo(page, 'l');
  const quote = page.locator('tr[data-stories*="order"]').first();
  await expect(quote).toBeVisible();
  await quote.locator('td').first().click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'Journal' });
  await expect(menu.getByRole('menuitem', { name: /^What changed / })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /^Everything of user 0x/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: /^Everything of order 0x/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/words=0x[0-9a-f]{64}.*#\/journal$/);
  await expect(rows(page).first()).toBeVisible();
});

test('what is written while the page is open comes on top, and with a filter only what it lets through', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'j');
  await filter(page).getByLabel('Words, hash, address or row').fill('limits seconds 4,321');
  await expect(events(page)).toContainText('No event matches');
  await changeLimits(desk, 4_321);
  // From 3,000 to it, and from it back again; not what came before.
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('seconds 4,321 →');
  await expect(rows(page).last()).toContainText('seconds 3,000 → 4,321');
});

test('while an event is open new ones wait, which the button says, and a press shows them', async ({
  page,
  desk,
  openConsole,
}) => {
  await changeLimits(desk, 4_111);
  await openConsole();
  await goTo(page, 'j');
  await filter(page).getByLabel('Words, hash, address or row').fill('limits seconds');
  await rows(page).filter({ hasText: 'seconds 4,111 →' }).first().click();
  await expect(page.getByRole('region', { name: 'Event', exact: true })).toBeVisible();
  await changeLimits(desk, 4_222);
  // All three of them: what comes behind the press waits again.
  const tail = filter(page).getByRole('button', { name: 'Held · 3 new' });
  await expect(tail).toBeVisible();
  const waiting = rows(page).filter({ hasText: 'seconds 4,222 →' });
  await expect(waiting).toHaveCount(0);
  await tail.click();
  await expect(waiting.first()).toBeVisible();
});

testAlone(
  'on its way, nothing found, and failed: it says so, and what would help',
  async ({ page, openConsole }, info) => {
    let answers: 'all' | 'none' | 'refused' = 'none';
    await page.routeWebSocket(/\/rpc/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        const text = message.toString();
        if (answers === 'all' || !text.includes('journal/find')) return server.send(message);
        if (answers === 'none') return;
        const { i } = JSON.parse(text) as { i: string };
        const body = {
          defined: false,
          code: 'INTERNAL_SERVER_ERROR',
          status: 500,
          message: 'The journal cannot be read.',
        };
        socket.send(JSON.stringify({ i, p: { s: 500, b: { json: body } } }));
      });
    });
    await openConsole();
    await goTo(page, 'j');
    await expect(events(page).getByRole('status', { name: 'Loading' })).toBeVisible();
    answers = 'all';
    await filter(page).getByLabel('Words, hash, address or row').fill('thereisnothingofthiskind');
    await expect(events(page)).toContainText('No event matches');
    const { faults, inBoth } = looker(page, info, 'journal', [{ width: 1280, height: 800 }]);
    await inBoth('nothing');
    answers = 'refused';
    await filter(page).getByLabel('Words, hash, address or row').fill('another');
    await expect(events(page)).toContainText('The journal cannot be read.');
    await inBoth('failed');
    answers = 'all';
    await events(page).getByRole('button', { name: 'Ask again' }).click();
    await expect(events(page)).not.toContainText('The journal cannot be read.');
    expect(faults).toEqual([]);
  },
);
