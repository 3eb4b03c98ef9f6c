import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { temporaryFolder } from '../desk/desk-process.ts';
import { expect, openDesktop, test } from './desktop-test.ts';

/** Where each window is and what it shows, in the order of their pages. */
const windowsOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => ({ page: window.webContents.getURL().split('#')[1] ?? '/', box: window.getBounds() }))
      .sort((a, b) => a.page.localeCompare(b.page)),
  );

test('the windows of before stand again where they stood, each on its page, and one that was closed does not', async () => {
  const { folder, remove } = temporaryFolder();
  const profile = join(folder, 'profile');
  mkdirSync(profile);
  const open = () => openDesktop(folder, ['--surface-port', '0'], 'of windows', profile);
  try {
    const first = await open();
    let stood: Awaited<ReturnType<typeof windowsOf>>;
    try {
      await expect(first.page.getByRole('region', { name: 'Status' })).toContainText('HALTED', { timeout: 90_000 });
      for (const hash of ['#/firm-log', '#/fills']) {
        const opened = first.app.waitForEvent('window');
        await first.page.evaluate((page) => void window.open(`${location.pathname}${page}`), hash);
        await (await opened).waitForURL(`**/*${hash}`);
      }
      const fills = first.app.windows().find((page) => page.url().endsWith('#/fills'));
      await fills?.close();
      await first.app.evaluate(({ BrowserWindow }) => {
        for (const [index, window] of BrowserWindow.getAllWindows().entries())
          window.setBounds({ x: 30 + index * 50, y: 40, width: 1040 + index * 20, height: 660 });
      });
      stood = await windowsOf(first.app);
      expect(stood.map(({ page }) => page)).toEqual(['/', '/firm-log']);
    } finally {
      await first.close();
    }
    const second = await open();
    try {
      await expect.poll(() => second.app.windows().length, { timeout: 60_000 }).toBe(2);
      await expect.poll(() => windowsOf(second.app), { timeout: 60_000 }).toEqual(stood);
    } finally {
      await second.close();
    }
  } finally {
    remove();
  }
});
