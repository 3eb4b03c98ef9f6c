import type { Page } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { dismissNotices, looker } from './looker.ts';
import { noticesOf } from './notices.ts';
import { tradeUntil } from './results-page.ts';

const settings = (page: Page) => page.getByRole('region', { name: 'Settings' });
const curves = (page: Page) => page.getByRole('region', { name: 'As it was, and as it would have been' });
const pairs = (page: Page) => page.getByRole('region', { name: 'By pair', exact: true });
const again = (page: Page) => page.getByRole('button', { name: 'Price again' });

/** The figure of a column of the line of all pairs. */
async function ofAll(page: Page, head: string): Promise<string> {
  const heads = await pairs(page).locator('thead th').allInnerTexts();
  const index = heads.findIndex((text) => text.replaceAll('\n', ' ').startsWith(head));
  return pairs(page).locator('tfoot td').nth(index).innerText();
}

test('another spread and another protection are tried over the last hour: each figure opens what is behind it, and nothing is changed', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await tradeUntil(desk, 3);
  await openConsole();
  await goTo(page, 'w');
  await expect(page.getByText('Nothing repriced yet')).toBeVisible();
  await dismissNotices(page);
  const { faults, look, inBoth } = looker(page, info, 'what-if');
  await inBoth('empty');

  // As all was, all is the same.
  await again(page).click();
  await expect(pairs(page).locator('tbody tr').first()).toBeVisible();
  expect(await ofAll(page, 'Worse')).toBe('0');
  await expect(curves(page).locator('[data-would="edge"]')).toHaveText('the same');

  await settings(page).getByLabel('Spread, each side +').fill('1e3');
  await expect(settings(page).getByRole('alert')).toBeVisible();
  await expect(again(page)).toBeDisabled();
  await settings(page).getByLabel('Spread, each side +').fill('25');
  await settings(page).getByRole('button', { name: 'Try another rule…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('flow');
  await dialog.getByLabel('For', { exact: true }).selectOption('each counterparty');
  await dialog.getByLabel('At most, quotes').fill('2');
  await dialog.getByRole('button', { name: 'Try rule' }).click();
  await settings(page).getByLabel('Formula of').selectOption('31337:WETH/USDC');
  await expect(dialog).toContainText('Another formula of WETH/USDC');
  await dialog.getByLabel('Spread, bps').fill('');
  await dialog.getByRole('button', { name: 'Try this' }).click();
  await expect(dialog.getByText('is missing')).toBeVisible();
  await look('formula', 'light');
  await dialog.getByLabel('Spread, bps').fill('40');
  await dialog.getByRole('button', { name: 'Try this' }).click();
  await expect(settings(page).getByRole('button', { name: /^Change the formula of WETH\/USDC/ })).toBeVisible();
  await expect(settings(page)).toContainText('3 changed');
  await expect(curves(page)).toContainText('of the settings before, press Price again');
  await dismissNotices(page);
  await inBoth('older');
  await again(page).click();
  const stops = curves(page).getByRole('listitem');
  await expect(stops.first()).toContainText('flow');
  expect(Number((await ofAll(page, 'Worse')).replace(',', ''))).toBeGreaterThan(0);
  expect(Number((await ofAll(page, 'Not signed')).replace(',', ''))).toBeGreaterThan(0);
  await expect(curves(page)).not.toContainText('before, press');
  await dismissNotices(page);
  await inBoth('filled');

  await pairs(page).locator('tfoot').getByRole('button').first().click();
  const behind = dialog.getByRole('table', { name: 'Requests behind the figure' });
  await expect(behind.locator('[data-seq]').first()).toBeVisible();
  await look('behind', 'light');
  expect(faults).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  // What was tried is in force nowhere; put into drafts it is in drafts alone.
  const connection = await connectionTo(desk.folder);
  const draftOf = () => connection.desk.ladders.draft({ chainId: 31337, pair: 'DAI/USDC' });
  const before = await draftOf();
  const told = await noticesOf(page);
  await page.getByRole('button', { name: 'Make the prices the draft' }).click();
  await expect.poll(told).toMatch(/In \d+ drafts\. Nothing is published\./);
  const ask = async () => Number((await draftOf()).asks[0]?.price.value);
  await expect.poll(ask).toBeGreaterThan(Number(before.asks[0]?.price.value));
  expect(await connection.desk.protections.list()).toEqual([]);
  for (const { chainId } of (await connection.desk.settings.get()).desk.chains) {
    const { pairs: listed } = await connection.desk.listings.list({ chainId });
    for (const pair of Object.keys(listed)) await connection.desk.ladders.discard({ chainId, pair });
  }
  await connection.close();

  await stops.first().getByRole('link').click();
  await expect(page).toHaveURL(/#\/journal\/at\/\d+$/);
});

test('settings come from a file and go into one; those of another desk are refused by their names', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await tradeUntil(desk, 3);
  await openConsole();
  await goTo(page, 'w');
  const load = async (text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await settings(page).getByText('Load…').click();
    await (await chooser).setFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  };
  await load('{ "spread": 5 }');
  await expect(settings(page).getByRole('alert')).toContainText('spread');
  const other = { ladders: [{ pairs: ['PEPE/USDC'], chains: [10], changes: [{ kind: 'wider', bps: '5' }] }] };
  await load(JSON.stringify(other));
  await expect(settings(page)).toContainText('5 bps wider');
  const download = page.waitForEvent('download');
  await settings(page).getByRole('button', { name: 'Save as file' }).click();
  const saved = await (await (await download).createReadStream()).toArray();
  expect(JSON.parse(Buffer.concat(saved).toString())).toEqual(other);

  await again(page).click();
  const refused = page.getByRole('region', { name: 'Result' });
  await expect(refused).toContainText('PEPE/USDC is no pair of this desk');
  await dismissNotices(page);
  const { faults, inBoth } = looker(page, info, 'what-if', [{ width: 1280, height: 800 }]);
  await inBoth('refused');
  expect(faults).toEqual([]);

  // A time in which nobody asked anything.
  await settings(page).getByRole('button', { name: 'As they were' }).click();
  await page.getByRole('button', { name: 'Pick…' }).click();
  await page.getByLabel('From, UTC').fill('2020-01-01');
  await page.getByLabel('To, UTC').fill('2020-01-02');
  await page.keyboard.press('Enter');
  await again(page).click();
  await expect(refused).toContainText('No firm request in this time');
});

test('a run says how far it is, and once it is stopped what was there before stays', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await tradeUntil(desk, 3);
  // While a run is to last its answer is held back from its end on.
  let lasts = false;
  const held = new Set<unknown>();
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const { i: call } = JSON.parse(message.toString()) as { i?: unknown };
      if (lasts && message.toString().includes('"part":"end"')) held.add(call);
      if (!held.has(call)) socket.send(message);
    });
  });
  await openConsole();
  await goTo(page, 'w');
  await again(page).click();
  await expect(pairs(page).locator('tbody tr').first()).toBeVisible();
  const before = await pairs(page).locator('tfoot').innerText();
  lasts = true;
  await settings(page).getByLabel('Sizes ×').fill('0.5');
  await again(page).click();
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /Not begun yet|Priced again|day before/ })).toBeVisible();
  await dismissNotices(page);
  const { faults, inBoth } = looker(page, info, 'what-if', [{ width: 1280, height: 800 }]);
  await inBoth('running');
  expect(faults).toEqual([]);
  await stop.click();
  await expect(stop).toBeHidden();
  expect(await pairs(page).locator('tfoot').innerText()).toBe(before);
  lasts = false;
  await again(page).click();
  await expect(page.getByRole('button', { name: 'Make the prices the draft' })).toBeVisible();
});
