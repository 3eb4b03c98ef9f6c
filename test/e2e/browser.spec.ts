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

test('a page opened in a new tab is connected, by the keys and by a press with Ctrl; HALT is in each', async ({
  page,
  context,
  openConsole,
}) => {
  await openConsole();
  await expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible();
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Firm log' });
  for (const open of [
    () => link.click({ modifiers: ['ControlOrMeta'] }),
    async () => {
      await link.click();
      await page.keyboard.press('Control+Shift+O');
    },
  ]) {
    const opened = context.waitForEvent('page');
    await open();
    const tab = await opened;
    await expect(tab.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    await expect(tab.getByLabel('Hash, user, pair or code')).toBeVisible();
    await expect(tab).toHaveTitle('Firm log · LIVE · Makerdesk');
    await expect(tab.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
    expect(tab.url()).not.toContain('token');
    await tab.close();
  }
});
