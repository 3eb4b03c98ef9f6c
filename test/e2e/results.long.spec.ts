import type { Page, TestInfo } from '@playwright/test';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { axeFaults, dismissNotices, setTheme, THEMES } from './looker.ts';
import { pageFaults } from './page-faults.ts';
import { approve, parts, table, tradeUntil } from './results-page.ts';
import { FAILED, standBetween } from './unanswered.ts';

const SIZES = [
  { width: 1024, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

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
    faults.push(...(await axeFaults(page)).map((fault) => `${what} ${theme}: ${fault}`));
  }
  return faults;
}

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
  const answer = await standBetween(page, /results\/sums/);
  try {
    await page.goto(desk.console);
    await goTo(page, 'n');
    await expect(parts(page)).toContainText('No fills in this time');
    const faults = await look(page, info, 'empty');
    answer('failed');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('radio', { name: '7 d' }).click();
    await expect(parts(page)).toContainText(FAILED);
    faults.push(...(await look(page, info, 'failed')));
    await expect(parts(page).getByRole('button', { name: 'Ask again' })).toBeVisible();
    answer('given');
    // Whether the button is pressed or not: it is asked again by itself.
    await expect(parts(page)).toContainText('No fills in this time');
    expect(faults).toEqual([]);
  } finally {
    await desk.stop();
  }
});
