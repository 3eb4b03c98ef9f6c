import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { goTo, type Letter } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { pageFaults } from './page-faults.ts';

const PAGES: readonly { letter: Letter; name: string }[] = [
  { letter: 'd', name: 'desk' },
  { letter: 'p', name: 'prices' },
  { letter: 't', name: 'tokens-and-pairs' },
  { letter: 'l', name: 'firm-log' },
  { letter: 'f', name: 'fills' },
  { letter: 'b', name: 'blacklist' },
  { letter: 'h', name: 'hedge' },
  { letter: 's', name: 'service' },
  { letter: 'r', name: 'practice' },
  { letter: 'e', name: 'settings' },
];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const THEMES = ['dark', 'light'] as const;
/** Axe looks at each page in each theme once: the size changes no colour and no name. */
const AXE_WIDTH = 1280;

test.setTimeout(420_000);

/** Takes every page in every size and theme, and collects what is clipped, overlaps or cannot be read. */
async function takePictures(page: Page, what: string, folder: (name: string) => string): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of THEMES) {
    await setTheme(page, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const listed of PAGES) {
        const { name } = listed;
        await openPage(page, listed);
        const label = `${name}-${what}-${size.width}x${size.height}-${theme}`;
        await page.screenshot({ path: folder(`${label}.png`) });
        const found = await pageFaults(page);
        if (size.width === AXE_WIDTH) found.push(...(await axeFaults(page, theme)));
        faults.push(...found.map((fault) => `${label}: ${fault}`));
      }
    }
  }
  return faults;
}

/** Goes to a page and waits until it shows what it has. */
async function openPage(page: Page, { letter, name }: (typeof PAGES)[number]): Promise<void> {
  await goTo(page, letter);
  await expect(page).toHaveURL(name === 'desk' ? /#\/$/ : new RegExp(`#/${name}`));
  await expect(page.locator('main .panel').first()).toBeVisible();
  await expect(page.locator('main .bars')).toHaveCount(0);
}

/**
 * What axe calls serious or worse. A theme changes nothing but colours, so names and roles are looked at in the first
 * one only. Axe does not know that Chromium lets the keyboard into a scroller by itself: `pageFaults` tries each instead.
 */
async function axeFaults(page: Page, theme: (typeof THEMES)[number]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(theme === THEMES[0]
      ? { rules: { 'scrollable-region-focusable': { enabled: false } } }
      : { runOnly: { type: 'rule', values: ['color-contrast'] } }),
  });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.any[0]?.message ?? ''}`);
}

async function setTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  const now = await page.locator('html').getAttribute('data-theme');
  const button = page.getByRole('button', { name: 'Theme' });
  if (now !== theme) await button.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await button.blur();
}

test('every page full of practice data: a picture of each, nothing clipped, nothing overlapping, readable by everybody', async ({
  page,
  openConsole,
}, info) => {
  await openConsole();
  await expect(page.locator('.activity tbody tr').nth(4)).toBeVisible({ timeout: 30_000 });
  expect(await takePictures(page, 'full', (name) => info.outputPath(name))).toEqual([]);
});

test('every page of an empty desk: a picture of each, nothing clipped, nothing overlapping, readable by everybody', async ({
  page,
}, info) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.locator('.strip')).toContainText('HALTED');
    expect(await takePictures(page, 'empty', (name) => info.outputPath(name))).toEqual([]);
  } finally {
    await desk.stop();
  }
});

test('the emergency: a picture in both themes and sizes, nothing clipped', async ({ page, openConsole }, info) => {
  await openConsole();
  await expect(page.locator('.strip .exposure')).toContainText(/\d quote/, { timeout: 30_000 });
  await goTo(page, 'l');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  const faults: string[] = [];
  for (const theme of THEMES) {
    await setTheme(page, theme);
    for (const size of [...SIZES, { width: 1024, height: 700 }]) {
      await page.setViewportSize(size);
      const label = `emergency-${size.width}x${size.height}-${theme}`;
      await page.screenshot({ path: info.outputPath(`${label}.png`) });
      const found = await pageFaults(page);
      if (size.width === AXE_WIDTH) found.push(...(await axeFaults(page, theme)));
      faults.push(...found.map((fault) => `${label}: ${fault}`));
    }
  }
  await page.setViewportSize(SIZES[0]);
  await page.getByLabel('Why is it safe to trade again?').fill('the pictures are taken');
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('the smallest and the largest window: nothing clipped on any page', async ({ page, openConsole }) => {
  await openConsole();
  await expect(page.locator('.strip')).toContainText('LIVE');
  const faults: string[] = [];
  for (const size of [
    { width: 1024, height: 700 },
    { width: 3840, height: 2160 },
  ]) {
    await page.setViewportSize(size);
    for (const listed of PAGES) {
      await openPage(page, listed);
      faults.push(...(await pageFaults(page)).map((fault) => `${listed.name} ${size.width}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});
