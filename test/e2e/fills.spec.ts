import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';

test('fills arrive on the chart, in the table and in the volume of their pair', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'f');
  const marks = page.locator('.fills-chart .recharts-scatter path');
  const fills = page.getByRole('row', { name: /WETH\/USDC/ }).first();
  await expect(marks.first()).toBeVisible({ timeout: 20_000 });
  const before = await marks.count();
  await expect.poll(() => marks.count(), { timeout: 20_000 }).toBeGreaterThan(before);
  await expect(page.locator('.fill-columns.rows-row').first()).toContainText('WETH/USDC');
  await expect(fills).toContainText(/[1-9]/);
});
