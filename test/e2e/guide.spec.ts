import { expect, keptTest as test } from './console-test.ts';
import { expectAccessible } from './looker.ts';
import { pageFaults } from './page-faults.ts';

test('the guide is read in the console: from the keys, from the search, from page to page, with its pictures', async ({
  page,
  openConsole,
}, info) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  await page.keyboard.press('?');
  await page.getByRole('link', { name: /^Guide/ }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The guide' })).toBeVisible();
  await page.getByRole('article').getByRole('link', { name: 'Hedge a position' }).first().click();
  await expect(page).toHaveURL(/#\/guide\/hedge$/);
  await expect(page.getByRole('heading', { name: 'Hedge a position' })).toBeVisible();
  await expect(page.getByRole('article').getByText('makerdesk hedges --open')).toBeVisible();
  const picture = page.getByRole('article').getByRole('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.screenshot({ path: info.outputPath('guide.png') });
  expect(await pageFaults(page)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All pages' }).click();
  await expect(page.getByRole('heading', { name: 'The guide' })).toBeVisible();
  await page.screenshot({ path: info.outputPath('guide-index.png') });
  expect(await pageFaults(page)).toEqual([]);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('stop everything');
  await page.getByRole('option', { name: /^Guide: STOP everything/ }).click();
  await expect(page).toHaveURL(/#\/guide\/stop$/);
  await page.evaluate(() => location.assign('#/guide/nothing'));
  await expect(page.getByText('The guide has no such page')).toBeVisible();
});
