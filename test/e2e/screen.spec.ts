import AxeBuilder from '@axe-core/playwright';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startPracticeDesk } from './practice-desk.ts';

const PAGES = ['d', 'p', 't', 'l', 'f', 'b'] as const;

for (const theme of ['dark', 'light'] as const) {
  test(`every page can be read by everybody in the ${theme} theme`, async ({ page, openConsole }) => {
    await page.addInitScript((kept) => localStorage.setItem('makerdesk.theme', kept), theme);
    await openConsole();
    for (const letter of PAGES) {
      await goTo(page, letter);
      await expect(page.locator('main .panel').first()).toBeVisible();
      // Chromium lets the keyboard into every scroller by itself, which axe does not know.
      const { violations } = await new AxeBuilder({ page }).disableRules('scrollable-region-focusable').analyze();
      expect(violations.map(({ id, nodes }) => `${letter} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });
}

test('nothing on the page is refused by its own content policy, and no page throws', async ({ page, openConsole }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await openConsole();
  for (const letter of PAGES) {
    await goTo(page, letter);
    await expect(page.locator('main .panel').first()).toBeVisible();
  }
  expect(complaints).toEqual([]);
});

test('the theme is kept', async ({ page, openConsole }) => {
  await openConsole();
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.locator('.strip')).toContainText('LIVE');
});

test('a desk that is gone is told at once: figures are struck and dated, and HALT waits for the line', async ({
  page,
}) => {
  const desk = await startPracticeDesk(['--no-takers']);
  try {
    await page.goto(desk.console);
    await expect(page.locator('.strip')).toContainText('LIVE');
  } finally {
    await desk.stop();
  }
  await expect(page.getByText('This screen is not connected.')).toBeVisible();
  await expect(page.getByText(/^as of /)).toBeVisible();
  await expect(page.locator('.blotter .live-figure').first()).toHaveCSS('text-decoration-line', 'line-through');
  await page.getByRole('button', { name: 'Halt all trading now' }).click();
  await expect(page.getByText('sent when back')).toBeVisible();
});
