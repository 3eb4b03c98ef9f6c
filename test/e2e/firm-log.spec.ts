import { goTo, takerOf } from './console-pages.ts';
import { expect, test } from './console-test.ts';

const user = `0x${'c0ffee'.repeat(6)}cafe` as const;

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'l');
});

test('a quote appears as it is signed, is found by its user, and opens with all its decision depended on', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk, user);
  const { order } = (await taker.firm('asks', { makerAmount: '123450000000000000' })).json;
  await page.getByLabel('Hash, user, pair or code').fill(user);
  const row = page.locator('.rows-row').first();
  await expect(row).toContainText('0.1234');
  await row.click();
  const drawer = page.getByRole('complementary', { name: 'Quote' });
  await expect(drawer).toContainText('We sell 0.12345 WETH');
  await expect(drawer).toContainText('123450000000000000');
  await expect(drawer).toContainText(String(order?.signature));
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
});

test('a refused request stands there with its code, and can be filtered by it', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  const answer = await taker.firm('asks', { makerAmount: String(10n ** 24n) });
  const code = answer.json.code ?? '';
  await page.getByLabel('Code', { exact: true }).selectOption(code);
  await expect(page.locator('.rows-row').first()).toContainText('Refused');
  await expect(page.locator('.rows-row').first()).toContainText(code);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByLabel('Hash, user, pair or code').fill('nobody');
  await expect(page.getByRole('alert')).toContainText('Not an order hash');
});

test('Space holds the live tail and lets it go', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  await expect(page.getByRole('button', { name: /Live tail/ })).toBeVisible();
  await page.keyboard.press('Space');
  await taker.firm('asks', { makerAmount: '777770000000000000' });
  await expect(page.getByRole('button', { name: /Held · [1-9]/ })).toBeVisible();
  await expect(page.getByText('0.7777')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(page.getByText('0.7777').first()).toBeVisible();
});

test('the chain of hashes is verified from here', async ({ page }) => {
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText(/Chain of hashes holds to row/)).toBeVisible();
});
