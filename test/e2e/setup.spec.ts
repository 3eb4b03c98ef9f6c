import { claimPort } from '../../electron/practice/service/free-port.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { makerdesk } from './makerdesk.ts';

test('a first start in a browser: a key is made, a counterparty typed in, and a node that does not answer is not taken', async ({
  page,
}) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();
    const steps = page.getByRole('region', { name: 'Steps' });
    await expect(steps.getByRole('button', { name: /^to do: Key/ })).toBeVisible();
    await expect(steps.getByText('Surface', { exact: true })).toHaveAttribute('title', /where counterparties ask/);
    await expect(page.getByText('makerdesk key import --keystore FILE')).toBeVisible();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await expect(steps.getByRole('button', { name: /^done: Key/ })).toBeVisible();
    await page.getByRole('combobox', { name: 'Network' }).selectOption({ label: 'Arbitrum' });
    await page.getByLabel('Node', { exact: true }).fill('http://127.0.0.1:1');
    await expect(page.getByText(/127\.0\.0\.1:1/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take this network' })).toBeDisabled();
    await steps.getByRole('button', { name: /Counterparty/ }).click();
    await page.getByLabel('Domain', { exact: true }).fill('router-prod');
    await page.getByLabel('Access key').fill('an access key');
    const keep = page.getByRole('button', { name: 'Keep the credentials' });
    await expect(keep).toBeDisabled();
    await page.getByLabel('Secret key').fill('a secret key of its own');
    await keep.click();
    await expect(steps.getByRole('button', { name: /^done: Counterparty/ })).toBeVisible();
    await steps.getByRole('button', { name: /Surface/ }).click();
    const port = await claimPort(0, 'the surface');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(port));
    await page.getByRole('button', { name: 'Listen there' }).click();
    await expect(page.getByText(`It listens on http://127.0.0.1:${port}`)).toBeVisible();
    expect((await fetch(`http://127.0.0.1:${port}/1/prices`)).status, 'it is heard there').toBeGreaterThanOrEqual(400);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
    await expect(page.getByRole('region', { name: 'Missing before LIVE' })).toContainText('A network');
    const file = JSON.parse(await makerdesk(desk.folder, 'export'));
    expect(file.counterparties[0]).toMatchObject({ domain: 'router-prod' });
    expect(JSON.stringify(file)).not.toContain('a secret key of its own');
  } finally {
    await desk.stop();
  }
});

test('a desk file that is wrong is refused whole, with the path of every fault; one that is right is compared, then imported', async ({
  page,
}) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await page.getByRole('radio', { name: 'Import a desk file' }).click();
    const wrong = { version: 1, chains: [{ chainId: 1, name: '' }], counterparties: [] };
    await page.getByLabel('Choose the file…').setInputFiles({
      name: 'desk.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(wrong)),
    });
    await expect(page.getByText(/chains\[0\]\.rpcUrl/)).toBeVisible();
    await expect(page.getByText(/chains\[0\]\.name/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();

    const right = { version: 1, chains: [], deadlineMs: 2_000 };
    await page.getByLabel('Choose the file…').setInputFiles({
      name: 'desk.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(right)),
    });
    await expect(page.getByRole('row', { name: 'Answers within, ms 3000 2000' })).toBeVisible();
    await page.getByRole('button', { name: 'Import it' }).click();
    await expect(page.getByRole('region', { name: 'Steps' })).toBeVisible();
    await page.goto(`${new URL(desk.console).origin}/#/settings/file`);
    await page.getByLabel('Choose the file…').setInputFiles({
      name: 'desk.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(right)),
    });
    await expect(page.getByText('This file changes nothing')).toBeVisible();
  } finally {
    await desk.stop();
  }
});
