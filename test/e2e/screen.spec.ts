import type { Locator } from '@playwright/test';
import { cuttingProxy } from '../cutting-proxy.ts';
import { goTo, takerOf } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { looker } from './looker.ts';
import { startPracticeDesk } from './practice-desk.ts';

const PAGES = ['d', 'p', 't', 'l', 'f', 'b', 'h', 's', 'r', 'e'] as const;

testAlone(
  'nothing on the page is refused by its own content policy, and no page throws',
  async ({ page, openConsole }) => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await openConsole();
    await expect(page.getByRole('region', { name: 'Pairs' })).toBeVisible();
    const columns = page.getByRole('button', { name: /^Columns/ });
    await expect(columns, 'in the head of the page').toBeVisible();
    await expect(page.getByRole('region', { name: 'Pairs' }).getByRole('button', { name: /^Columns/ })).toHaveCount(0);
    for (const letter of PAGES) {
      await goTo(page, letter);
      await expect(page.locator('main section').first()).toBeVisible();
    }
    expect(complaints).toEqual([]);
  },
);

test('the strip says in dollars what is signed and live, and holds it on one line in the smallest window', async ({
  page,
  openConsole,
}) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openConsole();
  const strip = page.getByRole('region', { name: 'Status' });
  await expect(strip).toContainText(/Signed and still live\$[1-9][\d,]*zero in/);
  const live = strip.getByTitle(/^[\d.,]+ \w+: \$[\d.,]+/);
  await expect(live, 'token by token').toBeVisible();
  for (const shown of [strip, live])
    expect(await shown.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
});

test('the head of Desk tells the edge of today and the p99 of answers, and the title on how much', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  const figure = (name: string) =>
    page.getByRole('definition').and(page.locator('dt', { hasText: name }).locator('+ dd'));
  await expect(figure('Edge, volume-weighted')).toHaveText(/^[+−]?[\d.,]+ bps\*? [+−]?\$[\d,]+$/);
  await expect(figure('Edge, volume-weighted')).toHaveAttribute('title', /[+−]?\$[\d.,]+ on \$[\d.,]+/);
  await expect(figure('Answer time p99')).toHaveText(/^[\d,]+(\.\d)?\sms last hour$/);
  await expect(figure('Answer time p99')).toHaveAttribute('title', /Practice: [\d.,]+\sms, [\d,]+ answers?/);
});

test('a dialog that is longer than the window scrolls under its answers, which stay in sight', async ({
  page,
  openConsole,
}) => {
  await page.setViewportSize({ width: 853, height: 533 });
  await openConsole();
  await goTo(page, 'o');
  await page.getByRole('button', { name: 'Add a rule…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a rule' });
  const last = dialog.getByRole('checkbox').or(dialog.getByRole('textbox')).or(dialog.getByRole('combobox')).last();
  await expect(last).not.toBeInViewport();
  const answers = ['Add none', 'Add rule'].map((name) => dialog.getByRole('button', { name }));
  for (const answer of answers) await expect(answer).toBeInViewport({ ratio: 1 });
  // What has the focus is never under them.
  await last.focus();
  const [field, answer] = await Promise.all([last.boundingBox(), answers[0]?.boundingBox()]);
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(answer?.y ?? 0);
  for (const answer of answers) await expect(answer).toBeInViewport({ ratio: 1 });
});

test('a wide window is used: every check of Service is in sight at once, and tokens tell what is held of them', async ({
  page,
  openConsole,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await openConsole();
  await goTo(page, 's');
  const checks = page.getByRole('region', { name: 'Self-check' }).getByRole('listitem');
  await expect(checks.nth(20)).toBeVisible();
  await expect(checks.first()).toBeInViewport({ ratio: 1 });
  await expect(checks.last()).toBeInViewport({ ratio: 1 });
  await goTo(page, 't');
  const tokens = page.getByRole('table', { name: 'Tokens' });
  await expect(tokens.getByRole('columnheader', { name: /^(Price, USD|Held|Still live)$/ })).toHaveCount(3);
  const usdc = tokens.getByRole('row', { name: /^USDC/ });
  await expect(usdc.getByRole('cell', { name: /^\d{2,3}(,\d{3}){2}\.\d{2}$/ }), 'what the maker holds').toBeVisible();
});

test('the theme is that of the system until one is chosen, which is kept', async ({ page, openConsole }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openConsole();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
});

test('time zone and number form are set once, count on every page and in every tab, and are kept', async ({
  page,
  context,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'Appearance' }).click();
  const opened = context.waitForEvent('page');
  await page.keyboard.press('Control+Shift+O');
  const tab = await opened;
  await goTo(tab, 'd');
  const pairs = tab.getByRole('region', { name: 'Pairs', exact: true });
  await expect(pairs).toContainText(/\d,\d{3}/);
  // A long choice fills when it is turned to.
  await page.getByLabel('Another').focus();
  await page.getByLabel('Another').selectOption('Asia/Tokyo');
  await page.getByRole('radio', { name: '1.234,5' }).click();
  await expect(pairs).toContainText(/\d\.\d{3},\d/);
  for (const shown of [tab, page]) {
    await expect(shown.getByRole('navigation', { name: 'Pages' })).toContainText('GMT+9');
  }
  await goTo(page, 'l');
  await expect(page.getByText('GMT+9').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('GMT+9');
  await tab.close();
});

testAlone('times are those of this computer or UTC, as it is set', async ({ browser, desk }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(desk.console);
    await goTo(page, 'e');
    await page.getByRole('link', { name: 'Appearance' }).click();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    /** Minutes of the day that the clock shows. */
    const clock = async (zone: string) => {
      await expect(pages).toContainText(zone);
      await expect(page.getByRole('region', { name: 'Time zone' })).toContainText(
        new RegExp(`Now [\\w :]+ ${zone.replace('+', '\\+')}`),
      );
      const [, hours, minutes] = /(\d\d):(\d\d):\d\d /.exec(await pages.innerText()) ?? [];
      return Number(hours) * 60 + Number(minutes);
    };
    const utc = await clock('UTC');
    await page.getByRole('radio', { name: 'This computer’s, Asia/Tokyo' }).click();
    const ahead = ((await clock('GMT+9')) - utc + 1_440) % 1_440;
    expect(ahead).toBeGreaterThanOrEqual(540);
    expect(ahead, 'nine hours, and what went by meanwhile').toBeLessThan(560);
    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    expect(((await clock('UTC')) - utc + 1_440) % 1_440).toBeLessThan(20);
  } finally {
    await context.close();
  }
});

test('typed into the search, a limit leads to the fields where it is set', async ({ page, openConsole }) => {
  await openConsole();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('limit one quote');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/settings\/limits$/);
  const field = page
    .getByRole('region', { name: 'Limits of Practice', exact: true })
    .getByLabel('WETH, at most in one quote');
  await expect(field).toBeInViewport();
  await expect(field).toBeEditable();
});

test('a word of the trade says what it means where it is a head or a label: Handler, Productive, Overfill, Grid, Surface', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'h');
  const ways = page.getByRole('region', { name: 'Hedge', exact: true });
  const means = (word: Locator, meaning: RegExp) => expect(word).toHaveAttribute('title', meaning);
  await means(ways.getByRole('radio', { name: 'Handler' }), /a contract of your own settles/);
  await means(ways.getByRole('radio', { name: 'Productive' }), /tokens work in a strategy until it is filled/);
  await goTo(page, 'e');
  await means(page.getByText(/^Overfill allowed/), /over what the levels of a side hold/);
  await means(page.getByText('Grid', { exact: true }), /the prices of all pairs.*as counterparties poll them/);
  await means(page.getByRole('link', { name: 'Surface' }), /where counterparties ask/);
});

testAlone(
  'sorted pairs stay where they are while a pointer moves on them, and are in their order once it only lies there',
  async ({ page }) => {
    // A desk on which nobody else asks: what is refused elsewhere changes the order too.
    const desk = await startPracticeDesk(['--no-takers']);
    try {
      await page.setViewportSize({ width: 1920, height: 1080 });
      await page.goto(desk.console);
      const pairs = page.getByRole('region', { name: 'Pairs', exact: true });
      const rows = pairs.getByRole('row').filter({ has: page.getByRole('switch') });
      const order = async () => (await rows.allInnerTexts()).map((text) => /[A-Z]+\/[A-Z]+/i.exec(text)?.[0]);
      const head = pairs.getByRole('columnheader', { name: /^Refused/ });
      // The largest first, then the smallest.
      await head.getByRole('button').press('Enter');
      await head.getByRole('button').press('Enter');
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
      await pairs.getByRole('switch').first().hover();
      // By the page's own clock: however slow the machine is, a move comes before the pointer has rested.
      const hand = await pairs.evaluate((panel) =>
        window.setInterval(() => panel.dispatchEvent(new PointerEvent('pointermove', { bubbles: true })), 250),
      );
      const before = await order();
      const { taker } = await takerOf(desk, `0x${'50'.repeat(20)}`);
      for (let asked = 0; asked < 60; asked += 1) await taker.firm('asks', { makerAmount: String(10n ** 24n) });
      const at = (await pairs.getByRole('columnheader').allInnerTexts()).findIndex((text) =>
        text.startsWith('Refused'),
      );
      const count = rows.filter({ hasText: 'WETH/USDC' }).first().locator('td, th').nth(at);
      await expect.poll(async () => Number((await count.innerText()).replace(/\D/g, ''))).toBeGreaterThan(59);
      expect(await order()).toEqual(before);
      expect(before.at(-1)).not.toBe('WETH/USDC');
      await page.evaluate((moves) => window.clearInterval(moves), hand);
      await expect.poll(async () => (await order()).indexOf('WETH/USDC')).toBeGreaterThan(before.indexOf('WETH/USDC'));
    } finally {
      await desk.stop();
    }
  },
);

testAlone(
  'a desk that is gone is told at once: figures are struck and dated, and HALT waits for the line',
  async ({ page }) => {
    const desk = await startPracticeDesk();
    const address = new URL(desk.console);
    const line = await cuttingProxy(Number(address.port));
    address.port = String(line.port);
    const isStruck = (region: string) =>
      expect(page.getByRole('region', { name: region, exact: true }).locator('.live-figure').first()).toHaveCSS(
        'text-decoration-line',
        'line-through',
      );
    try {
      await page.goto(address.href);
      await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
      // The figures themselves: rows are drawn before they are known.
      const sums = page.getByRole('region', { name: 'By pair', exact: true });
      for (const name of ['n', 'f'] as const) {
        await goTo(page, name);
        await expect(sums.locator('.live-figure').first()).toBeVisible();
      }
      // The sums of another time are being asked for as the line goes: that question fails, and the figures stay.
      line.cutAfter(0);
      await page.getByRole('radio', { name: '7 d', exact: true }).click();
    } finally {
      await line.close();
      await desk.stop();
    }
    await expect(page.getByText('This screen has lost the desk')).toBeVisible();
    await expect(page.getByText(/^as of /)).toBeVisible();
    // Sums until now are of a moment that is over.
    await isStruck('By pair');
    await goTo(page, 'n');
    await isStruck('By pair');
    await goTo(page, 'd');
    await isStruck('Pairs');
    // Not that there was no quote: nobody knows.
    await expect(page.getByRole('region', { name: 'Activity' })).toContainText(
      'Not known while the desk is not heard.',
    );
    await page.getByRole('button', { name: 'Halt all trading now' }).click();
    await expect(page.getByText('sent when back')).toBeVisible();
  },
);

testAlone(
  'a halted desk that is gone is told as it was when last heard, readable in both themes, and nothing asks to be asked again',
  async ({ page }, info) => {
    const { faults, inBoth } = looker(page, info, 'lost-halted', [{ width: 1280, height: 800 }]);
    const desk = await startPracticeDesk();
    try {
      await page.goto(desk.console);
      // Something can still be filled for a while: its clock stands on the red.
      await expect(page.getByRole('region', { name: 'Status' })).toContainText(/zero in/);
      await page.getByRole('button', { name: 'Halt all trading now' }).click();
      await expect(page.getByRole('region', { name: 'Halted' })).toContainText('No signature leaves this desk');
    } finally {
      await desk.stop();
    }
    await expect(page.getByText('This screen has lost the desk')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Halted' })).toContainText(
      'When last heard, no signature left this desk',
    );
    await inBoth('desk');
    await goTo(page, 'f');
    await expect(page.getByRole('region', { name: 'Halted' })).toContainText(
      'When last heard, no signature left this desk',
    );
    await expect(page.getByText('Not known while the desk is not heard.').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ask again' })).toBeHidden();
    await inBoth('fills');
    expect(faults).toEqual([]);
  },
);
