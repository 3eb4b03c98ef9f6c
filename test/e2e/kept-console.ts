import { type Browser, expect, type Page } from '@playwright/test';
import { PATIENCE } from '../how-long.ts';
import type { PracticeDesk } from './practice-desk.ts';

/** A console that stays open from one test to the next. */
export interface KeptConsole {
  /** The page with the console of a desk, as if it were just opened. */
  open(desk: PracticeDesk): Promise<Page>;
  /** An open console draws whatever comes, also where nobody looks at it. */
  close(): Promise<void>;
}

const SIZE = { width: 1280, height: 800 };
/** How often Escape is pressed for what a test left open: a question in a form in a dialog. */
const MOST_OPEN = 3;
/** How many notices are taken away; more may come all the time. */
const MOST_NOTICES = 20;

export function keptConsole(browser: Browser): KeptConsole {
  let kept: { page: Page; of: string } | null = null;
  const close = async () => {
    await kept?.page.context().close();
    kept = null;
  };
  return {
    close,
    async open(desk) {
      if (kept !== null && kept.of === desk.console && !kept.page.isClosed()) {
        if (await asAtFirst(kept.page)) return kept.page;
      }
      await close();
      const context = await browser.newContext({ viewport: SIZE, colorScheme: 'dark' });
      context.setDefaultTimeout(PATIENCE);
      // Else the browser asks where to save, in a window that is not the page's.
      await context.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
      const page = await context.newPage();
      kept = { page, of: desk.console };
      await page.goto(desk.console);
      await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
      return page;
    },
  };
}

/** Leaves whatever the test before it left open, chose or was told; false where that cannot be left. */
async function asAtFirst(page: Page): Promise<boolean> {
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ colorScheme: 'dark', media: null });
  await page.mouse.move(0, 0);
  const open = page.locator('[role="dialog"], [role="menu"], [role="listbox"]');
  for (let left = MOST_OPEN; left > 0 && (await open.count()) > 0; left -= 1) await page.keyboard.press('Escape');
  if ((await open.count()) > 0) return false;
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    localStorage.clear();
    // As if another tab had done so: what was chosen is let go of.
    window.dispatchEvent(new StorageEvent('storage'));
    window.location.hash = '#/';
  });
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  for (let left = MOST_NOTICES; left > 0 && (await dismiss.count()) > 0; left -= 1) {
    await dismiss
      .first()
      .click({ timeout: 1_000 })
      .catch(() => {});
  }
  await expect(page.getByRole('region', { name: 'Pairs', exact: true })).toBeVisible();
  const isLive = /LIVE/.test((await page.getByRole('region', { name: 'Status' }).textContent()) ?? '');
  return isLive && (await page.evaluate(() => window.location.search === ''));
}
