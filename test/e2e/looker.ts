import AxeBuilder from '@axe-core/playwright';
import type { Page, TestInfo } from '@playwright/test';
import { expect } from './console-test.ts';
import { lasting, pageFaults } from './page-faults.ts';

export const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
/** Windows of other sizes that people have: the smallest one, a large one, and the usual one zoomed to 150 %. */
export const OTHER_SIZES = [
  { width: 1024, height: 700 },
  { width: 2560, height: 1440 },
  { width: 853, height: 533 },
] as const;
export const THEMES = ['dark', 'light'] as const;
/** Axe looks at each page in each theme once: the size changes no colour and no name. */
export const AXE_WIDTH = 1280;

/** What axe finds, by any of its rules. A theme changes nothing but colours: names and roles are looked at in the first one only. */
export function axeFaults(page: Page, theme: (typeof THEMES)[number] = THEMES[0]): Promise<string[]> {
  return lasting(page, async () => {
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (theme !== THEMES[0]) axe.withRules('color-contrast');
    const { violations } = await axe.analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, any, all, none }) => `${id}: ${html.slice(0, 200)} ${[...any, ...all, ...none][0]?.message ?? ''}`,
      ),
    );
  });
}

/**
 * Takes one state of a page in every size, and collects what is wrong with it: by theme, or in both. `isThere` is awaited before each
 * picture: it expects what the picture is to show.
 */
export function looker(
  page: Page,
  info: TestInfo,
  of: string,
  sizes: readonly { width: number; height: number }[] = SIZES,
) {
  const faults: string[] = [];
  const look = async (what: string, theme: (typeof THEMES)[number], isThere: () => Promise<void> = async () => {}) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      await isThere();
      const label = `${of}-${what}-${size.width}x${size.height}-${theme}`;
      await page.screenshot({ path: info.outputPath(`${label}.png`) });
      const found = await pageFaults(page);
      if (size.width === AXE_WIDTH) found.push(...(await axeFaults(page, theme)));
      faults.push(...found.map((fault) => `${label}: ${fault}`));
    }
  };
  const inBoth = async (what: string) => {
    for (const theme of THEMES) {
      await setTheme(page, theme);
      await look(what, theme);
    }
  };
  return { faults, look, inBoth };
}

/** What is wrong with a page as it stands in windows of these sizes, one after the other, without a picture. */
export async function faultsIn(
  page: Page,
  of: string,
  sizes: readonly { width: number; height: number }[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await dismissNotices(page);
    faults.push(...(await pageFaults(page)).map((fault) => `${of}-${size.width}x${size.height}: ${fault}`));
  }
  return faults;
}

export async function setTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  const now = await page.locator('html').getAttribute('data-theme');
  const button = page.getByRole('button', { name: 'Theme' });
  if (now !== theme) await button.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await button.blur();
}

/** A notice lies over the page on purpose, until it is dismissed or has been there long enough. */
export async function dismissNotices(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 1_000 })
      .catch(() => {});
}

/** Nothing of the page is at odds with the rules of accessibility, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of THEMES) {
    await setTheme(page, theme);
    expect(await axeFaults(page, theme)).toEqual([]);
  }
}
