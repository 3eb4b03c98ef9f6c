import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startPracticeDesk } from './practice-desk.ts';

const PAGES = ['d', 'p', 't', 'l', 'f', 'b', 'h', 's', 'r', 'e'] as const;

test('nothing on the page is refused by its own content policy, and no page throws', async ({ page, openConsole }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await openConsole();
  for (const letter of PAGES) {
    await goTo(page, letter);
    await expect(page.locator('main section').first()).toBeVisible();
  }
  expect(complaints).toEqual([]);
});

test('the theme is that of the system until one is chosen, which is kept', async ({ page, openConsole }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openConsole();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
});

test('a desk that is gone is told at once: figures are struck and dated, and HALT waits for the line', async ({
  page,
}) => {
  const desk = await startPracticeDesk(['--no-takers']);
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  } finally {
    await desk.stop();
  }
  await expect(page.getByText('This screen has lost the desk')).toBeVisible();
  await expect(page.getByText(/^as of /)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pairs', exact: true }).locator('.live-figure').first()).toHaveCSS(
    'text-decoration-line',
    'line-through',
  );
  await page.getByRole('button', { name: 'Halt all trading now' }).click();
  await expect(page.getByText('sent when back')).toBeVisible();
});
