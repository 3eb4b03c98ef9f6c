import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { statusOf } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';

const halt = { name: 'Halt all trading now' };

/** A second console, as of somebody at another computer. */
async function secondConsole(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByRole('button', halt)).toBeVisible();
  return page;
}

test('somebody is added on Settings, sees every page and can press nothing but HALT, and is cut off once revoked', async ({
  page,
  browser,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Add somebody…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('lena');
  await page.getByRole('button', { name: 'Make the token' }).click();
  const made = page.getByRole('dialog', { name: 'The token of lena' });
  const address = (await made.locator('p.mono').textContent()) ?? '';
  expect(address.startsWith(new URL(desk.console).origin)).toBe(true);
  await made.getByRole('button', { name: 'It is handed over' }).click();
  const row = page.getByRole('row', { name: /^lena look/ });
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(new URL(address).hash.slice(1));
  await page.screenshot({ path: info.outputPath('people.png') });
  expect(await pageFaults(page)).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);

  const lena = await secondConsole(browser, address);
  await expect(lena.getByRole('navigation', { name: 'Pages' })).toContainText(/lena\s*may look/);
  await goTo(lena, 'p');
  await expect(lena.getByText('It takes the right “trade”, which you do not have: ask')).toBeVisible();
  await expect(lena.getByRole('button', { name: 'Tighten' })).toBeDisabled();
  await expect(lena.getByRole('button', { name: /^Publish / })).toHaveAttribute('title', /It takes the right “trade”/);
  await lena.screenshot({ path: info.outputPath('looker-prices.png') });
  await goTo(lena, 'e');
  await expect(lena.getByText('lena may not do this here.')).toBeVisible();
  await expect(lena.getByLabel('Overfill allowed, bps').first()).toBeDisabled();
  await lena.getByRole('link', { name: 'People' }).click();
  await expect(lena.getByText('It takes the right “admin”, which you do not have: ask')).toBeVisible();
  await lena.getByRole('button', halt).click();
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  expect(await statusOf(desk.folder)).toMatchObject({ state: 'HALTED', actor: 'lena' });
  await goTo(lena, 'd');
  await expect(lena.getByLabel('Why is it safe to trade again?')).toBeDisabled();
  await lena.screenshot({ path: info.outputPath('looker-halted.png') });

  await goTo(page, 'd');
  await resume(page);
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'People' }).click();
  await row.getByRole('button', { name: 'Rights…' }).click();
  await page.getByRole('checkbox', { name: /^trade/ }).check();
  await page.screenshot({ path: info.outputPath('rights.png') });
  await page.getByRole('button', { name: 'Set the rights of lena' }).click();
  await expect(lena.getByRole('navigation', { name: 'Pages' })).toContainText(/lena\s*trade/);
  const trader = page.getByRole('row', { name: /^lena look, trade/ });
  await trader.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('button', { name: 'Revoke lena' }).click();
  await expect(page.getByText('Nobody but you')).toBeVisible();
  await expect(lena.getByText('This screen has lost the desk, which may still be trading.')).toBeVisible();
  await lena.context().close();
});

test('a token that may only halt opens a console with the stops alone', async ({
  browser,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  const owner = await connectionTo(desk.folder);
  const { console } = await owner.desk.tokens.create({ name: 'night-watch', rights: 'halt' });
  const watch = await secondConsole(browser, console ?? '');
  await expect(watch.getByText('Your token may halt, and nothing else.')).toBeVisible();
  await expect(watch.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText(['Desk']);
  await watch.screenshot({ path: info.outputPath('halt-only.png') });
  expect(await pageFaults(watch)).toEqual([]);
  const panel = watch.getByRole('region', { name: 'What trades' });
  const pair = panel.getByRole('button', { name: 'Halt WETH/USDC' }).first();
  await pair.click();
  await expect(pair).toBeDisabled();
  await watch.keyboard.press('Control+Shift+H');
  await expect.poll(async () => statusOf(desk.folder)).toMatchObject({ state: 'HALTED', actor: 'night-watch' });
  for (const scope of [{}, { chainId: 31337, pair: 'WETH/USDC' }]) {
    await owner.desk.trading.resume({ scope, reason: 'the end of a test' });
  }
  await owner.desk.tokens.revoke({ name: 'night-watch' });
  await owner.close();
  await watch.context().close();
});
