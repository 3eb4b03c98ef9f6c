import { existsSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

const browser = process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium';
const noBrowser = process.env.MAKERDESK_NO_BROWSER ?? (existsSync(browser) ? null : `there is no ${browser}`);
if (noBrowser !== null) console.warn(`SKIPPED: the console in a browser was NOT tested: ${noBrowser}`);

interface TestFixtures {
  /** Skips the test where there is no browser. */
  hasBrowser: boolean;
  openConsole: () => Promise<void>;
}

/**
 * Tests of the console in a browser, on a real practice desk: `desk` is one for all tests of a worker, `openConsole`
 * opens its console in the test's page. A test that stops the desk for good starts one of its own.
 */
export const test = base.extend<TestFixtures, { desk: PracticeDesk }>({
  hasBrowser: [
    async ({ playwright: _ }, use, info) => {
      info.skip(noBrowser !== null, noBrowser ?? '');
      await use(true);
    },
    { auto: true },
  ],
  desk: [
    async ({ playwright: _ }, use) => {
      const desk = await startPracticeDesk();
      await use(desk);
      await desk.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  openConsole: async ({ page, desk }, use) => {
    await use(async () => {
      await page.goto(desk.console);
    });
  },
});

export { expect };
