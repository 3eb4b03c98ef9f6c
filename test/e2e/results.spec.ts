import type { Page } from '@playwright/test';
import type { ResultRow, Sums } from '../../electron/contract/results.ts';
import { goTo } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { approve, parts, table, tradeUntil } from './results-page.ts';

/** Columns of the table that stand in each room, by how their heads begin. */
const FIGURES = ['Fills', 'Edge', 'Inventory', 'Hedge', 'Net'] as const;

/** The same of a row as the desk gave it, as a trader writes dollars. */
function figuresOf({ fills, unpriced, unreadable, parts, missing, net }: ResultRow) {
  const grouped = (whole: string) => whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const dollars = (figure: string | null) => {
    if (figure === null) return '—';
    if (figure === 'not_yet') return 'not yet';
    const [whole = '', cents = ''] = figure.replace('-', '').split('.');
    const sign = figure.startsWith('-') ? '−' : /[1-9]/.test(figure) ? '+' : '';
    return `${sign}${grouped(whole)}.${cents.padEnd(2, '0')}`;
  };
  return {
    Fills: `${grouped(String(fills))}${unpriced + unreadable > 0 ? '*' : ''}`,
    Edge: `${dollars(parts.edge)}${parts.edge !== null && missing.edge > 0 ? '*' : ''}`,
    Inventory: dollars(parts.inventory),
    Hedge: dollars(parts.hedge),
    Net: net === null ? 'no price' : dollars(net),
  };
}

/** The nets of panel, table and curve, each once; none while one of them is missing. */
function netsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent?.replace('$', '') ?? '';
    const said = [text('[data-net]'), text('[data-total]'), text('[data-line-end="net"]')];
    return said.includes('') ? [] : [...new Set(said)];
  });
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
  await expect(paid).toContainText(/Cancels, approvals−\d/);
  await expect(table(page, 'pair').locator('tfoot')).toContainText('Cancels, approvals');
  await expect.poll(() => netsOf(page)).toHaveLength(1);

  await page.getByRole('radio', { name: 'User', exact: true }).click();
  await table(page, 'user').locator('tbody tr').first().click();
  const row = table(page, 'user').locator('tbody tr[aria-selected="true"]');
  const name = (await row.locator('.mono').innerText()).trim();
  const behind = page.getByRole('region', { name, exact: true });
  await expect(behind.locator('[data-seq]').first()).toBeVisible();
  const counted = (said: string | undefined) => Number(said?.replaceAll(',', ''));
  const count = counted(/([\d,]+) fill/.exec(await behind.locator('header').innerText())?.[1]);
  expect(count).toBeGreaterThan(0);
  await behind.getByRole('link', { name: 'Open in Fills' }).click();
  await expect(page).toHaveURL(/#\/fills$/);
  await expect(page.getByRole('button', { name: new RegExp(`User.*${name.slice(-4)}`) })).toBeVisible();
  const fills = page.getByRole('region', { name: 'Fills', exact: true });
  // More than a page of them are counted only as far as they are read.
  await expect
    .poll(async () => {
      const [, read, whole] = /([\d,]+) (fill|read so far)/.exec(await fills.locator('header').innerText()) ?? [];
      return whole === 'fill' ? counted(read) : read === undefined ? 0 : Number.POSITIVE_INFINITY;
    })
    .toBeGreaterThanOrEqual(count);
  for (const each of await fills.locator('[data-seq]').all()) await expect(each).toContainText(name.slice(-4));
});

testAlone(
  'each figure of the table is the one that the desk gave, by pair, by user and by counterparty',
  async ({ page, desk, openConsole }) => {
    const given: Sums[] = [];
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        const { p } = JSON.parse(payload.toString()) as { p?: { d?: { json?: { result?: Sums | null } } } };
        const results = p?.d?.json?.result;
        if (results?.rowsBy !== undefined) given.push(results); // several may be of the same moment
      });
    });
    await tradeUntil(desk, 12);
    await openConsole();
    await goTo(page, 'n');
    for (const [name, key] of [
      ['Pair', 'pair'],
      ['User', 'user'],
      ['Counterparty', 'counterparty'],
    ] as const) {
      await page.getByRole('radio', { name, exact: true }).click();
      const shown = table(page, key);
      await expect(shown.locator('tbody tr').first()).toBeVisible();
      // The figures come anew all the time: those on the screen are of one of the answers, whole.
      await expect(async () => {
        const cells = (rows: string[]) => rows.map((row) => row.split('\n'));
        const drawn = await shown.evaluate((panel) =>
          [...panel.querySelectorAll('tbody tr')].map((row) =>
            [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '').join('\n'),
          ),
        );
        const heads = await shown.locator('thead th').allInnerTexts();
        const answers = given.map(({ rowsBy }) => rowsBy[key].rows.map(figuresOf));
        const figures = cells(drawn).map((row) =>
          Object.fromEntries(
            FIGURES.map((name) => [name, row[heads.findIndex((head) => head.startsWith(name))] ?? '']),
          ),
        );
        expect(answers).toContainEqual(figures);
      }).toPass();
    }
  },
);

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
  // Fills come all the time, and may bring another pair to its place.
  const pair = await table(page, 'pair').locator('tbody tr').nth(1).getByRole('button').innerText();
  const second = table(page, 'pair').locator('tbody tr').filter({ hasText: pair });
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

test('the table says by which fills a hedge is reckoned: first in, first out', async ({ page, desk, openConsole }) => {
  await tradeUntil(desk, 3);
  await openConsole();
  await goTo(page, 'n');
  const note = table(page, 'pair').getByText(/a hedge covers fills first in, first out/);
  await expect(note).toBeVisible();
  await expect(note, 'where the line is cut as well').toHaveAttribute(
    'title',
    /a hedge covers fills first in, first out/,
  );
});

test('the table is written as comma-separated values', async ({ page, desk, openConsole }) => {
  await tradeUntil(desk, 3);
  await openConsole();
  await goTo(page, 'n');
  await expect(table(page, 'pair').locator('tbody tr').first()).toContainText('/');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^results-by-pair-.*\.csv$/);
});
