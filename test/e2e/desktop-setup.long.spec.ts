import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './desktop-test.ts';
import { makerdesk, statusOf } from './makerdesk.ts';

test.use({ firstStart: true });

test('a first start in the app: the practice desk takes the window over, LIVE on its self-check, and the empty desk is closed', async ({
  desktop,
}) => {
  const { page, folder } = desktop;
  await page.getByRole('radio', { name: 'Practice' }).click();
  await page.getByRole('button', { name: 'Start the practice market' }).click();
  await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  const practice = join(folder, 'practice');
  expect((await statusOf(practice)).state).toBe('LIVE');
  await expect.poll(() => existsSync(join(folder, 'desk.pid'))).toBe(false);
  expect(JSON.parse(await makerdesk(folder, 'export')).chains).toEqual([]);
  // What halts the app's desk now halts this one.
  await page.keyboard.press('Control+Shift+H');
  await expect.poll(async () => (await statusOf(practice)).state).toBe('HALTED');
});
