import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';

test('fills arrive on the chart, in the table and in the sums of their pair, and a brush narrows all of them', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'f');
  const chart = page.locator('.price-chart canvas');
  const drawn = async () => Number(await chart.getAttribute('data-fills'));
  await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = await drawn();
  await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(before);
  const table = page.getByRole('region', { name: 'Fills', exact: true });
  await expect(table.locator('.rows-row').first()).toContainText('/');
  const sums = page.getByRole('region', { name: 'By pair' });
  await expect(sums.getByRole('row', { name: /All/ })).toContainText(/[1-9]/);

  // By keyboard: everything before the market began is empty.
  const end = page.getByRole('slider', { name: 'End of what is shown' });
  await end.focus();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('PageDown');
  await expect(end).not.toHaveAttribute('aria-valuetext', 'now');
  await expect(table).toContainText('No fills in this time');
  await expect.poll(drawn).toBe(0);
  await expect(sums).toContainText('Nobody asked in this time');
  await page.keyboard.press('Escape');
  await expect(end).toHaveAttribute('aria-valuetext', 'now');
  await expect(table.locator('.rows-row').first()).toBeVisible();
});

test('a user is chosen in the sums, and the table shows him alone', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'f');
  await page.getByRole('button', { name: 'User', exact: true }).click();
  const sums = page.getByRole('region', { name: 'By user' });
  await expect(sums.getByRole('row').nth(1)).toContainText('0x', { timeout: 20_000 });
  const name = (await sums.getByRole('row').nth(1).locator('.mono').innerText()).trim();
  await sums.getByRole('row').nth(1).click();
  await expect(page.getByRole('button', { name: new RegExp(`User.*${name.slice(-4)}`) })).toBeVisible();
  const rows = page.locator('.fills-table .rows-row');
  await expect(rows.first()).toContainText(name.slice(-4));
  for (const row of await rows.all()) await expect(row).toContainText(name.slice(-4));
});
