import { defineConfig } from '@playwright/test';
import { PATIENCE } from './test/how-long.ts';
import { isHalfHour, isShort, QUICK_SPECS, TAKE_LONGEST } from './test/takes-long.ts';

// The console in a browser and the desktop app, both on a real practice desk. A few files at a time, each
// worker on a desk and chains of its own.
const long = process.env.MAKERDESK_LONG === '1';
const globs = (files: readonly string[]) => files.map((file) => `**/${file}`);
const QUICK = globs(QUICK_SPECS);
const left = isHalfHour ? globs(TAKE_LONGEST) : [];

/**
 * Switched off in the browser: with each page it would open one more that nobody sees, under its address field, which took
 * a second of the processor. The rest is what Playwright switches off, for the browser takes only one such list.
 */
const OFF = [
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
];

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/state-folder.ts',
  // `npm test` runs the quick ones, `npm run test:whole` all others, `test:long` most of them; named by themselves all but those that end in `.long`.
  testMatch: isShort ? QUICK : '**/*.spec.ts',
  testIgnore: long ? [...QUICK, ...left] : isShort ? [] : '**/*.long.spec.ts',
  // What is waited for comes when the machine gets to it: none of these says how fast anything is to be.
  timeout: 900_000,
  expect: { timeout: PATIENCE, toPass: { timeout: PATIENCE } },
  // They wait for desks, chains and pages most of their time.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  use: {
    actionTimeout: PATIENCE,
    launchOptions: {
      executablePath: process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium',
      args: [`--disable-features=${OFF.join(',')}`],
    },
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
