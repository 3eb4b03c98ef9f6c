import { readFileSync } from 'node:fs';
import { goTo, orderFor, takerOf } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { noticesOf } from './notices.ts';

const user = `0x${'c0ffee'.repeat(6)}cafe` as const;

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'l');
});

test('a quote appears as it is signed, is found by its user, and opens with all its decision depended on', async ({
  page,
  desk,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { taker } = await takerOf(desk, user);
  const order = await orderFor(taker, 'asks', { makerAmount: '123450000000000000' });
  await page.getByLabel('Hash, user, pair or code').fill(user);
  const row = page.locator('[data-seq]').first();
  await expect(row).toContainText('0.1234');
  await row.click();
  const drawer = page.getByRole('region', { name: 'X-ray' });
  await expect(drawer).toContainText('We sell 0.12345 WETH');
  await expect(drawer).toContainText('123450000000000000');
  await expect(drawer).toContainText('Walked once more: the same amounts');
  await expect(drawer).toContainText('Hashed once more: the same.');
  await expect(drawer).toContainText('is our signer');
  await expect(drawer).toContainText(String(order?.signature));
  const told = await noticesOf(page);
  await page.keyboard.press('c');
  await expect.poll(told).toContain('Copied everything about this quote');
  const bundle = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(bundle.quote.userAddress).toBe(user);
  expect(bundle.preimage.hash).toBe(bundle.quote.orderHash);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
});

test('an order is cancelled on chain from its row, once what that costs was seen', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  await orderFor(taker, 'asks', { makerAmount: '22340000000000000' });
  await page.getByLabel('Hash, user, pair or code').fill(user);
  const row = page.locator('[data-seq]').first();
  await expect(row).toContainText('0.0223');
  await row.getByRole('button', { name: /^Cancel order 0x/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('not sent');
  await dialog.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(dialog).toContainText('mined');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row).toContainText('Cancelled');
});

test('in a small window too an order can be cancelled from its row, and it is from its X-ray', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 853, height: 533 });
  const { taker } = await takerOf(desk, user);
  await orderFor(taker, 'asks', { makerAmount: '23340000000000000' });
  await page.getByLabel('Hash, user, pair or code').fill(user);
  const row = page.locator('[data-seq]').first();
  await expect(row).toContainText('0.0233');
  await expect(row.getByRole('button', { name: /^Cancel order 0x/ })).toBeVisible();
  await row.click();
  const cancel = page.getByRole('region', { name: 'X-ray' }).getByRole('button', { name: 'Cancel on chain…' });
  await cancel.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(dialog).toContainText('mined');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row).toContainText('Cancelled');
  await expect(cancel).toHaveCount(0);
});

test('a user is named from the drawer, stands there by name beside the address, and is found by it', async ({
  page,
  desk,
}) => {
  const named = `0x${'ab1e'.repeat(10)}` as const;
  const { taker } = await takerOf(desk, named);
  await orderFor(taker, 'asks', { makerAmount: '61230000000000000' });
  const search = page.getByLabel('Hash, user, pair or code');
  await search.fill(named);
  const rows = page.locator('[data-seq]');
  await rows.first().click();
  const drawer = page.getByRole('region', { name: 'X-ray' });
  const rename = drawer.getByRole('button', { name: `Name user ${named}…` });
  await rename.click();
  const dialog = page.getByRole('dialog', { name: /^Name user/ });
  await expect(dialog).toContainText(named);
  await dialog.getByLabel('Name').fill('0xab1e…ab1e');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert').first()).toContainText('looks like an address');
  await dialog.getByLabel('Name').fill('קרן Abel');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(drawer).toContainText('קרן Abel');
  await page.keyboard.press('Escape');
  await search.fill('abel');
  await expect(rows.first()).toContainText('קרן Abel');
  await expect(rows.first()).toContainText('0xab1e…ab1e');
  await search.fill('');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('abel');
  await page.getByRole('option', { name: /^Quotes of/ }).click();
  await expect(search).toHaveValue(named);
  await search.blur();
  await goTo(page, 'j');
  const journal = page.getByRole('region', { name: 'Events' });
  await page.getByLabel('Words, hash, address or row').fill('named abel');
  await expect(journal.locator('[data-seq]').first()).toContainText('named user 0xab1e…ab1e קרן Abel');
});

test('a refused request stands there with its code, and can be filtered by it', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  const answer = await taker.firm('asks', { makerAmount: String(10n ** 24n) });
  const code = answer.json.code ?? '';
  // However long a chosen code is, no filter goes to another line.
  const bar = page.getByRole('search', { name: 'Filter' });
  const heightOf = async () => (await bar.boundingBox())?.height;
  const before = await heightOf();
  await page.getByLabel('Code', { exact: true }).selectOption('insufficient_balance');
  await expect(page).toHaveURL(/code=insufficient_balance/);
  expect(await heightOf()).toBe(before);
  await page.getByLabel('Code', { exact: true }).selectOption(code);
  await expect(page.locator('[data-seq]').first()).toContainText('Refused');
  await expect(page.locator('[data-seq]').first()).toContainText(code);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByLabel('Hash, user, pair or code').fill('nobody');
  await expect(page.getByRole('alert')).toContainText('Not an order hash');
  // Words that mean nothing find nothing: the list of before is no answer, and no file is written of it.
  await expect(page.getByText('Nothing is searched for yet')).toBeVisible();
  await expect(page.locator('[data-seq]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export…' })).toBeDisabled();
});

test('several filters at once, a size among them, stand in the address and are there after a reload', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk, user);
  await orderFor(taker, 'asks', { makerAmount: '31230000000000000' });
  await orderFor(taker, 'asks', { makerAmount: '41230000000000000' });
  await page.getByLabel('Hash, user, pair or code').fill(user);
  await page.getByRole('button', { name: /^Size/ }).click();
  await page.getByLabel('Token').selectOption('WETH');
  await page.getByLabel('At least').fill('0.04');
  await page.getByLabel('At most').fill('0.05');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('We', { exact: true }).selectOption('asks');
  const rows = page.locator('[data-seq]');
  await expect(rows.first()).toContainText('0.0412');
  await expect(page.getByText('0.0312')).toHaveCount(0);
  await expect(page).toHaveURL(/min=0\.04/);
  const saved = page.getByRole('button', { name: /^Saved/ });
  await saved.click();
  const filters = page.getByRole('dialog', { name: 'Saved filters' });
  await filters.getByLabel('Save this filter as').fill('Sells of 0.04');
  await filters.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(saved).toContainText('Sells of 0.04');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(rows.first()).toContainText('0.0412');
  await expect(page.getByText('0.0312')).toHaveCount(0);

  // Saved under a name it is there after a reload, chosen again, renamed and deleted.
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(saved).toContainText('none');
  await saved.click();
  const link = filters.getByRole('link', { name: 'Sells of 0.04' });
  await expect(link).toHaveAttribute('href', /min=0\.04.*#\/firm-log$/);
  await link.click();
  await expect(rows.first()).toContainText('0.0412');
  await expect(page).toHaveURL(/min=0\.04/);
  await saved.click();
  await filters.getByRole('button', { name: 'Rename Sells of 0.04…' }).click();
  await filters.getByLabel('New name of Sells of 0.04').fill('Sells');
  await filters.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(saved).toContainText('Sells');
  await filters.getByRole('button', { name: 'Delete Sells' }).click();
  await expect(saved).toContainText('none');
  await expect(filters.getByRole('link')).toHaveCount(0);
});

test('columns are chosen, moved and sized by keyboard, rows sorted once all are read, and all of it is kept', async ({
  page,
  desk,
}) => {
  // What is refused stands in the log as well: until both came at the first try somebody else asks.
  let other: `0x${string}` = '0x';
  let tries = 0;
  await expect(async () => {
    other = `0x${'c01'.repeat(13)}${tries++ % 10}`;
    const { taker } = await takerOf(desk, other);
    for (const makerAmount of ['31230000000000000', '41230000000000000'])
      expect((await taker.firm('asks', { makerAmount })).json.order).toBeDefined();
  }).toPass();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByLabel('Hash, user, pair or code').fill(other);
  const rows = page.locator('[data-seq]');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('0.0412');
  await page.getByRole('columnheader', { name: /^Time/ }).getByRole('button').press('Enter');
  await expect(page.getByRole('columnheader', { name: /^Time/ })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText('0.0312');

  await page.getByRole('button', { name: /^Columns/ }).press('Enter');
  await page.getByRole('checkbox', { name: 'Row of the journal' }).press('Space');
  await page.getByRole('checkbox', { name: 'Against' }).press('Space');
  const userLeft = page.getByRole('button', { name: 'User: further left' });
  await userLeft.press('Enter');
  await expect(userLeft).toBeFocused();
  const pair = page.getByRole('columnheader', { name: /^Pair/ });
  const widthOf = async () => (await pair.boundingBox())?.width ?? 0;
  const before = await widthOf();
  await page.getByRole('button', { name: 'Pair: wider' }).press('Enter');
  await expect.poll(widthOf).toBeGreaterThan(before + 10);
  const wide = await widthOf();
  await page.keyboard.press('Escape');
  const heads = async () => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0]);
  const isArranged = async () => {
    const all = await heads();
    return all.includes('Row') && !all.includes('Against') && all.indexOf('User') === all.indexOf('Edge') - 1;
  };
  await expect.poll(isArranged).toBe(true);
  await page.reload();
  await expect(rows.first()).toContainText('0.0312');
  await expect.poll(isArranged).toBe(true);
  expect(Math.abs((await widthOf()) - wide)).toBeLessThan(2);
});

test('what the filter lets through is written to a file', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  await orderFor(taker, 'asks', { makerAmount: '51230000000000000' });
  await page.getByLabel('Hash, user, pair or code').fill(user);
  await expect(page.locator('[data-seq]').first()).toBeVisible();
  for (const format of ['CSV', 'JSON'] as const) {
    await page.getByRole('button', { name: 'Export…' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: `Export ${format}` }).click();
    const text = readFileSync(await (await coming).path(), 'utf8');
    if (format === 'CSV') {
      const lines = text.trimEnd().split('\r\n');
      expect(lines[0]).toMatch(/^seq,time,chainId,pair/);
      expect(lines.slice(1).every((line) => line.includes(user))).toBe(true);
      expect(lines.at(-1)).toContain('51230000000000000');
    } else {
      expect(JSON.parse(text).at(-1)).toMatchObject({ userAddress: user, makerAmount: '51230000000000000' });
    }
  }
});

test('Space holds the live tail and lets it go', async ({ page, desk }) => {
  const { taker } = await takerOf(desk, user);
  await expect(page.getByRole('button', { name: /Live tail/ })).toBeVisible();
  // A list without rows holds nothing yet.
  await orderFor(taker, 'asks', { makerAmount: '111110000000000000' });
  await expect(page.getByText('0.1111').first()).toBeVisible();
  await page.keyboard.press('Space');
  await orderFor(taker, 'asks', { makerAmount: '777770000000000000' });
  await expect(page.getByRole('button', { name: /Held · [1-9]/ })).toBeVisible();
  await expect(page.getByText('0.7777')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(page.getByText('0.7777').first()).toBeVisible();
});

test('the chain of hashes is verified from here', async ({ page }) => {
  // A page that loses its desk for a moment says that it did not answer, and is asked again.
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify journal' }).click();
    await expect(page.getByText(/Journal holds to row|The desk did not answer/)).toBeVisible();
    await expect(page.getByText(/Journal holds to row/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
});
