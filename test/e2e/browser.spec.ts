import { expect, test } from './console-test.ts';

test('a browser opens the console by the link that the desk prints, and the token leaves the address', async ({
  desk,
  page,
  openConsole,
}) => {
  await openConsole();
  await expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('WETH/USDC').first()).toBeVisible();
  const token = new URL(desk.console).hash.slice(1);
  expect(token).not.toBe('');
  expect(page.url()).not.toContain(token);
});

test('a browser with another token gets no desk', async ({ desk, page }) => {
  const link = new URL(desk.console);
  link.hash = '#anothertoken';
  await page.goto(link.href);
  await expect(page.getByText('does not know this token').first()).toBeVisible();
  await expect(page.getByText('WETH/USDC')).toHaveCount(0);
});
