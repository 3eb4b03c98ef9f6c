import { join } from 'node:path';
import { temporaryFolder } from '../desk/desk-process.ts';
import { expect, openDesktop, test } from './desktop-test.ts';
import { expectAccessible } from './looker.ts';
import { statusOf } from './makerdesk.ts';

const PORTS = ['--surface-port', '0'];

test('a fresh folder and no passphrase in the environment: one click, and the practice desk trades in this window', async () => {
  const { folder, remove } = temporaryFolder();
  const desktop = await openDesktop(folder, PORTS);
  const { page } = desktop;
  try {
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('no chain yet');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start practising' }).click();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    await expect(page.getByText('WETH/USDC').first()).toBeVisible();
    expect((await statusOf(join(folder, 'practice'))).state).toBe('LIVE');
  } finally {
    await desktop.close();
    remove();
  }
});
