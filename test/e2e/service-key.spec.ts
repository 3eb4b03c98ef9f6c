import AxeBuilder from '@axe-core/playwright';
import { goTo } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { makerdesk } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';

const KEY = 'canary-of-the-screen';

test('a key to the service is typed in on Settings, told by its fingerprint while the desk is LIVE, and removed', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'Services' }).click();
  const service = page.getByRole('region', { name: desk.service });
  await expect(service).toContainText('Practice, Practice Two');
  await expect(service).toContainText('no key');
  await service.getByRole('button', { name: 'Set a key…' }).click();
  const field = page.getByLabel('Key', { exact: true });
  await field.fill('two words');
  await page.getByRole('button', { name: 'Keep it sealed' }).click();
  await expect(page.getByText('printable characters').first()).toBeVisible();
  await field.fill(KEY);
  await page.keyboard.press('Enter');
  await expect(service).toContainText(/key kept, fingerprint [0-9a-f]{16}/);
  expect(await page.content()).not.toContain(KEY);

  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: info.outputPath(`services-${width}.png`) });
    expect(await pageFaults(page)).toEqual([]);
  }
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  const exported = JSON.parse(await makerdesk(desk.folder, 'export', '--with-secrets'));
  expect(exported.serviceKeys).toEqual({ [desk.service]: KEY });

  await service.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove the key' }).click();
  await expect(service).toContainText('no key');
});
