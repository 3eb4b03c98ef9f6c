import AxeBuilder from '@axe-core/playwright';
import type { Page, TestInfo } from '@playwright/test';
import { connectToDesk } from '../../electron/commands/client.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { dismissNotices, setTheme, THEMES } from './looker.ts';
import { pageFaults } from './page-faults.ts';
import type { PracticeDesk } from './practice-desk.ts';

const SIZES = [
  { width: 1024, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

const parts = (page: Page) => page.getByRole('region', { name: 'Net and its parts' });
const table = (page: Page, by: string) => page.getByRole('region', { name: `By ${by}`, exact: true });

/** Until so many fills are seen. */
async function tradeUntil({ folder }: PracticeDesk, count: number): Promise<void> {
  const connection = await connectToDesk(folder, 'tests', 30_000);
  if (connection === null) throw new Error('the desk does not answer');
  const { desk } = connection;
  const seen = async () => (await desk.fills.list({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000 })).length;
  await expect.poll(seen, { timeout: 120_000 }).toBeGreaterThanOrEqual(count);
  await connection.close();
}

/** Has the desk approve a token, which costs gas. */
async function approve({ folder }: PracticeDesk): Promise<void> {
  const connection = await connectToDesk(folder, 'tests', 30_000);
  if (connection === null) throw new Error('the desk does not answer');
  const sent = await connection.desk.onChain.setAllowance({ chainId: 31337, tokenId: 'USDC', amount: '900000000' });
  expect(sent.map(({ outcome }) => outcome)).toEqual(['confirmed']);
  await connection.close();
}

/** The nets of panel, table and curve, each once; none while one of them is missing. */
function netsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent?.replace('$', '') ?? '';
    const said = [text('[data-net]'), text('[data-total]'), text('[data-line-end="net"]')];
    return said.includes('') ? [] : [...new Set(said)];
  });
}

/** In every size and both themes: what is clipped, overlaps or scrolls sideways, and all that axe finds. */
async function look(page: Page, info: TestInfo, what: string): Promise<string[]> {
  const faults: string[] = [];
  await dismissNotices(page);
  for (const theme of THEMES) {
    await setTheme(page, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const label = `results-${what}-${size.width}x${size.height}-${theme}`;
      await page.screenshot({ path: info.outputPath(`${label}.png`) });
      faults.push(...(await pageFaults(page)).map((fault) => `${label}: ${fault}`));
    }
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    faults.push(...violations.map(({ id, nodes }) => `${what} ${theme}: ${id} ${nodes[0]?.html.slice(0, 160)}`));
  }
  return faults;
}

test('the last hour in one glance: parts, table and curve say the same net, and a row leads to the fills behind it', async ({
  page,
  desk,
  openConsole,
}) => {
  await tradeUntil(desk, 12);
  await openConsole();
  await goTo(page, 'n');
  await expect(page).toHaveURL(/#\/results$/);
  await expect(parts(page)).toContainText(/net · [+−]?[\d.]+ bps of \$[\d,.]+/);
  // All three are of one answer of the desk, which comes anew all the time.
  await expect.poll(() => netsOf(page)).toHaveLength(1);

  // What is paid for no fill stands beside the fills, and is in the net of all three.
  await approve(desk);
  const paid = parts(page).locator('[data-part="no-fill"]');
  await expect(paid).toContainText(/For no fill−\d/, { timeout: 60_000 });
  await expect(table(page, 'pair').locator('tfoot')).toContainText('For no fill');
  await expect.poll(() => netsOf(page), { timeout: 60_000 }).toHaveLength(1);

  await page.getByRole('radio', { name: 'User', exact: true }).click();
  const row = table(page, 'user').locator('tbody tr').first();
  await row.click();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  const name = (await row.locator('.mono').innerText()).trim();
  const behind = page.getByRole('region', { name, exact: true });
  await expect(behind.locator('[data-seq]').first()).toBeVisible();
  const count = Number.parseInt((await behind.locator('header').innerText()).match(/(\d+) fill/)?.[1] ?? '', 10);
  expect(count).toBeGreaterThan(0);
  await behind.getByRole('link', { name: 'Open in Fills' }).click();
  await expect(page).toHaveURL(/#\/fills$/);
  await expect(page.getByRole('button', { name: new RegExp(`User.*${name.slice(-4)}`) })).toBeVisible();
  const fills = page.getByRole('region', { name: 'Fills', exact: true });
  await expect
    .poll(async () => Number(/(\d+) fill/.exec(await fills.locator('header').innerText())?.[1] ?? 0))
    .toBeGreaterThanOrEqual(count);
  for (const each of await fills.locator('[data-seq]').all()) await expect(each).toContainText(name.slice(-4));
});

test('the keyboard reaches ranges, a time of its own, rows and what is behind them', async ({
  page,
  desk,
  openConsole,
}) => {
  await tradeUntil(desk, 12);
  await openConsole();
  await goTo(page, 'n');
  await expect(table(page, 'pair').locator('tbody tr').nth(1)).toBeVisible();
  await page.getByRole('radio', { name: 'Counterparty' }).focus();
  await page.keyboard.press('Enter');
  await expect(table(page, 'counterparty').locator('tbody tr').first()).toContainText('practice');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: 'User', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: 'Pair', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  const second = table(page, 'pair').locator('tbody tr').nth(1);
  await second.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Pick…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('From, UTC').fill('2020-01-01');
  await page.getByLabel('To, UTC').fill('2019-01-01');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It ends before it begins.')).toBeVisible();
  await page.getByLabel('To, UTC').fill('2020-01-02');
  await page.keyboard.press('Enter');
  await expect(table(page, 'pair')).toContainText('No fills in this time');
  await expect(page.getByText('1 Jan 00:00:00 – 2 Jan 23:59:59')).toBeVisible();
});

test('the table is written as comma-separated values', async ({ page, desk, openConsole }) => {
  await tradeUntil(desk, 3);
  await page.addInitScript(() => {
    Object.assign(window, { showSaveFilePicker: undefined });
  });
  await openConsole();
  await goTo(page, 'n');
  await expect(table(page, 'pair').locator('tbody tr').first()).toContainText('/');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^results-by-pair-.*\.csv$/);
});

test('filled: nothing clipped, nothing overlapping, and nothing that axe finds, in three sizes and both themes', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await tradeUntil(desk, 20);
  await openConsole();
  await goTo(page, 'n');
  await expect(page.locator('[data-line-end="net"]')).toBeVisible();
  await expect(page.locator('.recharts-line').first()).toBeVisible();
  await approve(desk);
  await expect(parts(page).locator('[data-part="no-fill"]')).toBeVisible({ timeout: 60_000 });
  const faults = await look(page, info, 'filled');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('radio', { name: 'User', exact: true }).click();
  await expect(table(page, 'user').locator('tbody tr').first()).toContainText('0x');
  faults.push(...(await look(page, info, 'users')));
  expect(faults).toEqual([]);
});

test('empty and failed: it says so, and what would help', async ({ page }, info) => {
  const desk = await startEmptyDesk();
  let fail = false;
  await page.routeWebSocket(/\/rpc/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(message));
    socket.onMessage((message) => {
      const text = message.toString();
      if (!fail || !text.includes('results/sums')) return server.send(message);
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
  try {
    await page.goto(desk.console);
    await goTo(page, 'n');
    await expect(parts(page)).toContainText('No fills in this time');
    const faults = await look(page, info, 'empty');
    fail = true;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('radio', { name: '7 d' }).click();
    await expect(parts(page)).toContainText('The journal cannot be read.');
    faults.push(...(await look(page, info, 'failed')));
    await expect(parts(page).getByRole('button', { name: 'Ask again' })).toBeVisible();
    fail = false;
    // Whether the button is pressed or not: it is asked again by itself.
    await expect(parts(page)).toContainText('No fills in this time');
    expect(faults).toEqual([]);
  } finally {
    await desk.stop();
  }
});
