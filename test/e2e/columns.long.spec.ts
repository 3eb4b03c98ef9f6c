import type { Locator, Page } from '@playwright/test';
import { EVERY_PAGE, goToListed, takerOf } from './console-pages.ts';
import { expect, test } from './console-test.ts';

/** So many tables a practice desk fills within its first minute; one without a row has no columns to move. */
const ARRANGED = 10;

const tables = (page: Page) => page.locator('main [data-rows]').filter({ has: page.locator('th[draggable="true"]') });
/** Their texts as they are read: the arrow of a sorted column has none. */
const headsOf = (table: Locator) => table.locator('th[draggable="true"]').allInnerTexts();

async function widthOf(head: Locator): Promise<number> {
  return (await head.boundingBox())?.width ?? 0;
}

test('in every table a column is dragged to another place and made wider, and it is kept so', async ({
  page,
  desk,
  openConsole,
}) => {
  test.setTimeout(600_000);
  const { taker } = await takerOf(desk);
  await expect(async () => {
    expect((await taker.firm('bids', { takerAmount: String(10n ** 16n) })).json.order).toBeDefined();
  }).toPass();
  await openConsole();
  const arranged = new Map<string, string[]>();
  for (const listed of EVERY_PAGE) {
    await goToListed(page, listed);
    await page.waitForTimeout(2_000); // what the page reads is there, or the table has no row yet and no head
    for (const name of await tables(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-rows') ?? ''))) {
      const table = page.locator(`main [data-rows="${name}"]`);
      const heads = table.locator('th[draggable="true"]');
      const before = await headsOf(table);
      if (before.length < 3) continue;
      const what = `${listed.name}: ${name}`;
      await heads.nth(2).dragTo(heads.nth(1));
      const moved = [before[0], before[2], before[1], ...before.slice(3)];
      await expect.poll(() => headsOf(table), what).toEqual(moved);
      const width = await widthOf(heads.nth(1));
      const { x = 0, y = 0, height = 0 } = (await heads.nth(1).boundingBox()) ?? {};
      await page.mouse.move(x + width - 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width + 28, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => widthOf(heads.nth(1)), what).toBeGreaterThan(width + 15);
      arranged.set(what, await headsOf(table));
    }
  }
  expect(arranged.size, [...arranged.keys()].join(', ')).toBeGreaterThanOrEqual(ARRANGED);
  await goToListed(page, { letter: 'd', name: 'desk' });
  await page.reload();
  await expect.poll(() => headsOf(page.locator('main [data-rows="Pairs"]'))).toEqual(arranged.get('desk: Pairs'));
});
