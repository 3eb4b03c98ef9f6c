import { defineConfig } from '@playwright/test';

// The console in a browser and the desktop app, both on a real practice desk. Two files at a time, each
// worker on a desk and chains of its own.
export default defineConfig({
  testDir: 'test/e2e',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  use: {
    launchOptions: { executablePath: process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium' },
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
