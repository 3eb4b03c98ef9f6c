import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../desk/desk-process.ts';
import { expect, openDesktop, test } from './desktop-test.ts';
import { expectAccessible } from './looker.ts';
import { statusOf } from './makerdesk.ts';

const PASSPHRASE = 'typed in the window, nowhere else';
const PORTS = ['--surface-port', '0'];

/** Every file of the folder, however it is written. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test('a real desk: its passphrase is set in the window, and asked for at the next start; a wrong one is counted and waits', async () => {
  const { folder, remove } = temporaryFolder();
  try {
    const first = await openDesktop(folder, PORTS);
    try {
      const { page } = first;
      await page.getByRole('button', { name: 'Set up a real desk' }).click();
      await expectAccessible(page);
      const set = page.getByRole('button', { name: 'Set the passphrase' });
      await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
      await page.getByLabel('Repeat it', { exact: true }).fill(`${PASSPHRASE}.`);
      await expect(page.getByText('It is not the same.')).toBeVisible();
      await expect(set).toBeDisabled();
      await page.getByLabel('Repeat it', { exact: true }).fill(PASSPHRASE);
      await set.click();
      await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
      // Where the desk is silent for too long while it seals the key, the page says so, and it is pressed again.
      await expect(async () => {
        const make = page.getByRole('button', { name: 'Make a key' });
        if (await make.isVisible()) await make.click({ timeout: 2_000 });
        await expect(page.getByRole('button', { name: /^done: Key/ })).toBeVisible({ timeout: 10_000 });
      }).toPass();
    } finally {
      await first.close();
    }
    const second = await openDesktop(folder, PORTS);
    try {
      const { page } = second;
      await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
      const field = page.getByLabel('Passphrase', { exact: true });
      await expect(field).toBeFocused();
      await expectAccessible(page);
      await field.fill('not the passphrase');
      await field.press('Enter');
      await expect(page.getByText('This is not the passphrase of this desk.')).toBeVisible();
      await expect(page.getByText('1 try since the app was started')).toBeVisible();
      await expect(field).toHaveValue('');
      await field.fill(PASSPHRASE);
      const unlock = page.getByRole('button', { name: 'Unlock' });
      await expect(unlock).toBeEnabled();
      await unlock.click();
      await expect(page.getByRole('button', { name: /^done: Key/ })).toBeVisible();
      expect((await statusOf(folder)).state).toBe('HALTED');
    } finally {
      await second.close();
    }
    expect(everythingIn(folder)).not.toContain(PASSPHRASE);
  } finally {
    remove();
  }
});
