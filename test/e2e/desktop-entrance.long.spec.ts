import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeKey } from '../../electron/signer/keystore.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { expect, openDesktop, test } from './desktop-test.ts';
import { expectAccessible } from './looker.ts';
import { makerdesk, statusOf } from './makerdesk.ts';

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

test('a lock outlives the process of the desk: an app that was given the passphrase asks for it at the next start', async () => {
  const { folder, remove } = temporaryFolder();
  await storeKey(folder, PASSPHRASE, `0x${'11'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  const { app, page, close } = await openDesktop(folder, PORTS, { passphrase: PASSPHRASE });
  const pidOfDesk = () => Number(readFileSync(join(folder, 'desk.pid'), 'utf8'));
  const opened = page.getByRole('button', { name: /^done: Key/ });
  const locked = page.getByRole('heading', { name: 'Locked' });
  try {
    await expect(opened).toBeVisible();
    // Whenever the process of the desk is gone another is started.
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    });
    const first = pidOfDesk();
    process.kill(first, 'SIGKILL');
    await expect.poll(pidOfDesk).not.toBe(first);
    await expect.poll(() => makerdesk(folder, 'lock').then(JSON.parse)).toMatchObject({ locked: true, halted: true });
    process.kill(pidOfDesk(), 'SIGKILL');
    await expect(locked).toBeVisible();
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(opened).toBeVisible();
    expect((await statusOf(folder)).state).toBe('HALTED');
  } finally {
    await close();
    remove();
  }
});
