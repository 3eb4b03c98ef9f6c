import type { Page, TestInfo } from '@playwright/test';
import { EVERY_PAGE, goToListed } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { axeFaults, dismissNotices, faultsIn, OTHER_SIZES, SIZES, setTheme, THEMES } from './looker.ts';
import { pageFaults } from './page-faults.ts';
import { FAILED, standBetween } from './unanswered.ts';

const [USUAL, WIDE] = SIZES;
const [SMALLEST, LARGE, ZOOMED] = OTHER_SIZES;
/** Bars stand for what is on its way only after this. Milliseconds. */
const BARS_AFTER = 400;

interface Room {
  width: number;
  height: number;
}

/**
 * A picture of each page, opened once, in the usual window and in another one, in both themes, and what is wrong on it, also in
 * further windows.
 */
async function look(
  page: Page,
  info: TestInfo,
  { what, room: other, others }: { what: string; room: Room; others: readonly Room[] },
  stands: () => Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const listed of EVERY_PAGE) {
    await goToListed(page, listed);
    await stands();
    for (const theme of THEMES) {
      await setTheme(page, theme);
      for (const room of [USUAL, other]) {
        await page.setViewportSize(room);
        await dismissNotices(page);
        const label = `${listed.name}-${what}-${room.width}x${room.height}-${theme}`;
        await page.screenshot({ path: info.outputPath(`${label}.png`) });
        const found = await pageFaults(page);
        if (room === USUAL) found.push(...(await axeFaults(page, theme)));
        faults.push(...found.map((fault) => `${label}: ${fault}`));
      }
    }
    faults.push(...(await faultsIn(page, `${listed.name}-${what}`, others)));
  }
  return faults;
}

test('every page whose questions all fail says so and asks again at a press: nothing clipped, also at 150 %', async ({
  page,
  openConsole,
}, info) => {
  const answer = await standBetween(page);
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  answer('failed');
  const main = page.locator('main');
  const faults = await look(page, info, { what: 'failed', room: ZOOMED, others: [WIDE, LARGE, SMALLEST] }, async () => {
    await expect(main.locator('section').or(main.getByRole('alert')).first()).toBeVisible();
    await expect(main.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  });
  expect(faults).toEqual([]);
  // What cannot be asked any more is not said to be off.
  await goToListed(page, { letter: 'h', name: 'hedge' });
  await expect(main.getByRole('button', { name: 'Automatic hedging…', exact: true })).toBeVisible();
  await goToListed(page, { letter: 's', name: 'service' });
  await expect(main).toContainText(FAILED);
  answer('given');
  await main.getByRole('button', { name: 'Ask again' }).first().click();
  await expect(main.getByRole('button', { name: 'Ask again' })).toHaveCount(0);
});

test('every page that waits for its answers stands as it will stand: nothing clipped, also in the smallest window', async ({
  page,
  openConsole,
}, info) => {
  const answer = await standBetween(page);
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  answer('held');
  const faults = await look(
    page,
    info,
    { what: 'loading', room: SMALLEST, others: [WIDE, LARGE, ZOOMED] },
    async () => {
      await page.waitForTimeout(BARS_AFTER);
    },
  );
  expect(faults).toEqual([]);
});
