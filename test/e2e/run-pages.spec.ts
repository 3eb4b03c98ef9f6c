import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { processCommand } from '../../electron/practice/chain/folder-node.ts';
import { descendantsOf } from '../desk/descendants.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { haltDesk, makerdesk } from './makerdesk.ts';
import { noticesOf } from './notices.ts';

test('Service: what is asked and when, the self-check, and an order of ours as the service has it', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await expect(
    page.getByRole('region', { name: 'Activity' }).locator('tbody tr').filter({ hasText: 'Filled' }).first(),
  ).toBeVisible();
  await goTo(page, 's');
  const endpoints = page.getByRole('region', { name: 'Endpoints' });
  await expect(endpoints.getByRole('row', { name: /GET \/prices/ })).toContainText('200');
  await expect(page.getByRole('region', { name: 'Self-check' })).toContainText(/\d+ passed/);
  // What a test asked for by itself the service does not know; the first fills may be of the other chain.
  const filledOrder = async () => {
    const rows: { orderHash: string | null; chainId: number; filledMakerAmount: string }[] = JSON.parse(
      await makerdesk(desk.folder, 'log'),
    );
    return rows.findLast(({ chainId, filledMakerAmount }) => chainId === 31337 && filledMakerAmount !== '0')?.orderHash;
  };
  await expect.poll(filledOrder).toBeTruthy();
  await page.getByLabel('Order hash').fill('0x12');
  await page.getByRole('button', { name: 'Ask the service' }).click();
  await expect(
    page.getByText('An order hash has 64 digits after 0x; shortened it begins with four of them.'),
  ).toBeVisible();
  await page.getByLabel('Order hash').fill((await filledOrder()) ?? '');
  // A fill may be on chain a moment before the service has written its order down.
  await expect(async () => {
    await page.getByRole('button', { name: 'Ask the service' }).click();
    const lookup = page.getByRole('region', { name: 'Order lookup' });
    await expect(lookup).toContainText('Maker gives', { timeout: 3_000 });
  }).toPass();
});

test('Service: a line that a person types is in the service’s log, and on record', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 's');
  await expect(page.getByRole('row', { name: /WS \/ws/ })).toContainText('1 open');
  await page.getByRole('button', { name: 'Send its log a line…' }).click();
  await page.getByLabel('Line', { exact: true }).fill('pausing WETH, back at 10:00 UTC');
  await page.getByRole('button', { name: 'Send it', exact: true }).click();
  await expect(page.getByText('It was sent.')).toBeVisible();
  const ofMarket = readdirSync(join(desk.folder, 'logs')).filter((name) => name.startsWith('market-'));
  const logs = () => ofMarket.map((name) => readFileSync(join(desk.folder, 'logs', name), 'utf8')).join('');
  await expect.poll(logs).toContain('the channel says: pausing WETH, back at 10:00 UTC');
  expect(await makerdesk(desk.folder, 'journal', '--kind', 'line_told', '--json')).toContain('back at 10:00 UTC');
});

test('Practice: a fault goes on and off by its switch, and a drill measures the time from its signal to HALTED', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'r');
  const slow = page.getByRole('switch', { name: 'service-slow' });
  await slow.click();
  await expect(slow).toHaveAttribute('aria-checked', 'true');
  await slow.click();
  await expect(slow).toHaveAttribute('aria-checked', 'false');
  await page.getByRole('button', { name: 'Call me to halt' }).click();
  await expect(page.getByText('Drill: halt the desk now')).toBeVisible();
  await page.keyboard.press('Control+Shift+H');
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await expect(page.getByRole('row', { name: /Called to halt/ })).toContainText(/\d+\.\d\ss/);
  await resume(page);
});

test('Practice: a market that ended is told on its page, which starts it again', async ({
  page,
  desk,
  openConsole,
}) => {
  test.skip(platform() !== 'linux', 'processes are looked up as Linux lists them');
  await openConsole();
  await goTo(page, 'r');
  const slow = page.getByRole('switch', { name: 'service-slow' });
  await expect(slow).toBeVisible();
  const market = descendantsOf(desk.pid).find((pid) => processCommand(pid).includes('practice-process'));
  process.kill(market ?? 0, 'SIGKILL');
  await expect(page.getByRole('heading', { name: 'The practice market does not run' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Practice market' })).toContainText('was ended by SIGKILL');
  await page.getByRole('button', { name: 'Start it again' }).click();
  await expect(slow).toBeVisible();
  const users = page.getByRole('region', { name: 'What the takers got' });
  await expect(users.getByRole('row', { name: /retail/ })).toHaveCount(2);
});

test('Settings: the desk file is downloaded with every chain in it, and without a single secret', async ({
  page,
  desk,
  openConsole,
}) => {
  // Else the browser asks where to save, in a window that is not the page's.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await openConsole();
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'Desk file' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export the desk file…' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^desk-\d{4}-\d\d-\d\d\.json$/);
  const text = readFileSync(await download.path(), 'utf8');
  const whole: DeskFile = JSON.parse(await makerdesk(desk.folder, 'export', '--with-secrets'));
  const listed = ({ chains }: DeskFile) => chains.map(({ name, pairs }) => [name, Object.keys(pairs)]);
  expect(listed(JSON.parse(text))).toEqual(listed(whole));
  const secrets = whole.counterparties.map(({ secretKey }) => secretKey ?? '');
  expect(secrets.join('').length).toBeGreaterThan(0);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toContain('secretKey');
});

test('Settings: a chain is changed only while it is halted, a secret goes in while the desk trades and never comes out, a limit counts at once', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'e');
  await expect(page.getByText('Can be changed only while Practice is halted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Practice', exact: true })).toBeDisabled();
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByLabel('WETH, at most in one quote').first().fill('0');
  await page.getByLabel('Quotes per user per minute').first().fill('0');
  const faults = page.getByText('is no limit: empty the field for that');
  await expect(faults, 'what is being typed is not judged yet').toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(faults).toHaveCount(2);
  await page.getByRole('button', { name: 'Set the limits of Practice', exact: true }).click();
  await expect(page.getByText('0 is no limit: empty the field for that')).toBeVisible();
  await page.getByLabel('Quotes per user per minute').first().fill('');
  await page.getByLabel('WETH, at most in one quote').first().fill('5000');
  await page.getByLabel('WETH, alarm when a day’s drift is over').first().fill('0.5');
  const told = await noticesOf(page);
  await page.getByRole('button', { name: 'Set the limits of Practice', exact: true }).click();
  await expect.poll(told).toContain('Limits of Practice are in force');
  const { limits } = JSON.parse(await makerdesk(desk.folder, 'export')).chains[0];
  expect([limits.maxQuote, limits.driftPerDay]).toEqual([{ WETH: '5000' }, { WETH: '0.5' }]);
  await page.getByRole('link', { name: 'Counterparties' }).click();
  await page.getByRole('button', { name: 'Add a counterparty…' }).click();
  await page.getByLabel('Domain').fill('second');
  await page.getByLabel('Access key').fill('key-of-second');
  await page.getByLabel('Secret key').fill('secret-of-second');
  await page.getByLabel('May ask from').fill('203.0.113.0/24, example.com');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('“example.com” must be an address')).toBeVisible();
  await page.getByLabel('May ask from').fill('203.0.113.0/24, 2001:db8::7');
  await page.getByLabel('Through your own proxies').fill('127.0.0.1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('region', { name: 'second' })).toContainText('secret kept, fingerprint');
  await expect(page.getByRole('region', { name: 'second' })).toContainText(
    'from 203.0.113.0/24, 2001:db8::7, through 127.0.0.1',
  );
  expect(await page.content()).not.toContain('secret-of-second');
  // New keys without a gap: those of before are taken as well, until they are ended.
  const second = page.getByRole('region', { name: 'second' });
  await second.getByRole('button', { name: 'Change…' }).click();
  await page.getByLabel('Access key').fill('newer-key-of-second');
  await page.getByLabel('Secret key').fill('newer-secret-of-second');
  await page.getByRole('checkbox', { name: /The earlier keys are taken as well/ }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(second).toContainText('are taken as well');
  await expect(second).toContainText('Nobody has signed with them since');
  await second.getByRole('button', { name: 'End the earlier keys…' }).click();
  await page.getByRole('button', { name: 'End them' }).click();
  await expect(second).not.toContainText('are taken as well');
  await haltDesk(desk.folder, { chainId: 31337 });
  await page.getByRole('link', { name: 'Chains' }).click();
  await page.getByLabel('Overfill allowed, bps').fill('100');
  await page.getByRole('button', { name: 'Save Practice', exact: true }).click();
  await expect.poll(told).toContain('Practice is saved');
  await makerdesk(desk.folder, 'resume', '--chain', '31337', '--reason', 'it was looked at');
  await haltDesk(desk.folder);
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await page.getByRole('link', { name: 'Counterparties' }).click();
  const names = page.getByRole('region', { name: 'Host names' });
  await names.getByRole('textbox').fill('desk.internal, https://desk');
  await names.getByRole('button', { name: 'Save the names' }).click();
  await expect(names).toContainText('“https://desk” must be a host name alone');
  await names.getByRole('textbox').fill('Desk.internal, desk-two');
  await names.getByRole('button', { name: 'Save the names' }).click();
  const kept = async () => JSON.parse(await makerdesk(desk.folder, 'export')).surfaceNames;
  await expect.poll(kept).toEqual(['desk.internal', 'desk-two']);
  await resume(page);
});
