import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { readPlaces } from '../../electron/app/window-place.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { expect, nextWindow, openDesktop, test } from './desktop-test.ts';

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
  const open = () => openDesktop(folder, ['--surface-port', '0'], { passphrase: 'of windows', profile });
  try {
    const first = await open();
    let stood: Awaited<ReturnType<typeof windowsOf>>;
    try {
      await expect(first.page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
      for (const hash of ['#/firm-log', '#/fills']) {
        const opened = nextWindow(first.app);
        await first.page.evaluate((page) => void window.open(`${location.pathname}${page}`), hash);
        await (await opened).waitForURL(`**/*${hash}`);
      }
      const fills = first.app.windows().find((page) => page.url().endsWith('#/fills'));
      await fills?.close();
      const pages = async () => (await windowsOf(first.app)).map(({ page }) => page);
      await expect.poll(pages).toEqual(['/', '/firm-log']);
      const placed = await first.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window, index) => {
          const box = { x: 30 + index * 50, y: 40, width: 1040 + index * 20, height: 660 };
          window.setBounds(box);
          return box;
        }),
      );
      // The system moves a window when it gets to it.
      const boxes = async () => (await windowsOf(first.app)).map(({ box }) => box).sort((a, b) => a.x - b.x);
      await expect.poll(boxes).toEqual(placed);
      // A slow display takes back what it was asked for before it does it: the places that are kept are waited for too.
      const kept = () => readPlaces(join(profile, 'windows.json')).map(({ box }) => box);
      await expect.poll(() => kept().sort((a, b) => a.x - b.x)).toEqual(placed);
      stood = await windowsOf(first.app);
    } finally {
      await first.close();
    }
    const second = await open();
    try {
      await expect.poll(() => second.app.windows().length).toBe(2);
      await expect.poll(() => windowsOf(second.app)).toEqual(stood);
    } finally {
      await second.close();
    }
  } finally {
    remove();
  }
});
