import type { ElectronApplication, Page } from '@playwright/test';

const SIZES = [
  { width: 1_280, height: 800 },
  { width: 1_920, height: 1_080 },
];

/** Where MAKERDESK_PICTURES names a folder: this page of the app in both sizes and both themes, to be looked at. */
export async function pictured(app: ElectronApplication, page: Page, name: string): Promise<void> {
  const { MAKERDESK_PICTURES: folder } = process.env;
  if (folder === undefined) return;
  const window = await app.browserWindow(page);
  for (const { width, height } of SIZES) {
    await window.evaluate((shown, size) => shown.setContentSize(size.width, size.height), { width, height });
    for (const theme of ['dark', 'light']) {
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen;
      }, theme);
      await page.screenshot({ path: `${folder}/${name}-${width}x${height}-${theme}.png` });
    }
  }
}
