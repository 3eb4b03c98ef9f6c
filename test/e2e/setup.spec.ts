import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { makerdesk } from './makerdesk.ts';

test('a first start: a key is made, a chain taken from a preset, a counterparty typed in, and the desk opens HALTED on its self-check', async ({
  page,
}) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await expect(page.getByText('keystore v3, mode 0600')).toBeVisible({ timeout: 20_000 });
    await page.getByLabel('Network').selectOption({ label: 'Arbitrum' });
    await page.getByLabel('Node').fill('http://127.0.0.1:1');
    await page.getByLabel('Domain').fill('router-prod');
    await page.getByLabel('Access key').fill('an access key');
    const open = page.getByRole('button', { name: 'Open the desk' });
    await expect(open).toBeDisabled();
    await page.getByLabel('Secret key').fill('a secret key');
    await open.click();
    await expect(page.getByRole('heading', { name: 'Service' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
    const file = JSON.parse(await makerdesk(desk.folder, 'export'));
    expect(file.chains[0]).toMatchObject({ chainId: 42161, name: 'Arbitrum', domainName: 'AUGUSTUS RFQ' });
    expect(JSON.stringify(file)).not.toContain('a secret key');
  } finally {
    await desk.stop();
  }
});

test('a first start: the practice market is started from the screen, in a folder of its own, and opens LIVE on its self-check', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await page.getByRole('button', { name: /^Practice market/ }).click();
    const before = new URL(page.url()).origin;
    await page.getByRole('button', { name: 'Start the practice market' }).click();
    await expect(page.getByText(/usually under 30 s/)).toContainText(/\d+ s, usually under 30 s/);
    await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    expect(new URL(page.url()).origin).not.toBe(before);
    expect(JSON.parse(await makerdesk(desk.folder, 'export')).chains).toEqual([]);
    const practice = JSON.parse(await makerdesk(join(desk.folder, 'practice'), 'export'));
    expect(practice.chains[0]).toMatchObject({ chainId: 31337 });
    // A second press finds the one that runs.
    await page.goto(desk.console);
    await page.getByRole('button', { name: /^Practice market/ }).click();
    await page.getByRole('button', { name: 'Start the practice market' }).click();
    await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible();
    const pid = Number(readFileSync(join(desk.folder, 'practice', 'desk.pid'), 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await desk.stop();
    await expect.poll(() => isGone(pid)).toBe(true);
  } finally {
    await desk.stop();
  }
});

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

test('a desk file that is wrong is refused whole, with the path of every fault', async ({ page }) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await page.getByRole('button', { name: 'Import a desk file' }).click();
    const wrong = { version: 1, chains: [{ chainId: 1, name: '' }], counterparties: [] };
    await page.getByLabel('Choose the file…').setInputFiles({
      name: 'desk.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(wrong)),
    });
    await expect(page.getByText(/chains\[0\]\.rpcUrl/)).toBeVisible();
    await expect(page.getByText(/chains\[0\]\.name/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();
  } finally {
    await desk.stop();
  }
});
