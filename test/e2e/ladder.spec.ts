import { cell, goTo, takerOf, typeInto } from './console-pages.ts';
import { expect, test } from './console-test.ts';

const WETH = 10n ** 18n;
const publish = { name: /^Publish WETH\/USDC/ };

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'p');
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
});

test('a published ladder is what the console shows, what /prices answers and what the next quote costs', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk);
  await typeInto(page, 'Bid 1 price', '3,409.5');
  await typeInto(page, 'Bid 2 price', '3409.25');
  await typeInto(page, 'Bid 3 price', '3409');
  await typeInto(page, 'Bid 4 price', '3408.9');
  await expect(page.getByText('cells changed')).toBeVisible();
  expect((await taker.get('/prices')).json.prices?.['WETH/USDC']?.bids?.[0]?.[0]).not.toBe('3409.5');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
  const bids = (await taker.get('/prices')).json.prices?.['WETH/USDC']?.bids;
  expect(bids?.slice(0, 3).map(([price]) => price)).toEqual(['3409.5', '3409.25', '3409']);
  const { order } = (await taker.firm('bids', { takerAmount: String(WETH / 10n) })).json;
  expect(order?.makerAmount).toBe('340950000');
  await goTo(page, 'd');
  await expect(page.getByRole('row', { name: /WETH\/USDC/ }).first()).toContainText('3,409.5');
});

test('a price that cannot be is refused in its cell with the reason beside it, and nothing is published', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk);
  const before = (await taker.get('/prices')).json.prices?.['WETH/USDC']?.asks?.[0];
  const reasons = [
    ['1e3', 'exponent'],
    ['0', 'above zero'],
    ['Infinity', 'must be a number'],
    ['1', 'crossed'],
  ] as const;
  for (const [text, reason] of reasons) {
    await cell(page, 'Ask 1 price').click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Ask 1 price' }).fill(text);
    await page.keyboard.press('Enter');
    await expect(page.locator('.ladder td.fault').first()).toContainText(reason);
    await expect(cell(page, 'Ask 1 price')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('button', publish)).toBeDisabled();
  }
  expect((await taker.get('/prices')).json.prices?.['WETH/USDC']?.asks?.[0]).toEqual(before);
  await page.getByRole('button', { name: /^Discard/ }).click();
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('typing, Tab, undo, levels and a pasted range need no mouse', async ({ page }) => {
  const amount = await cell(page, 'Ask 1 size').innerText();
  await cell(page, 'Ask 1 price').click();
  await page.keyboard.type('+1bp');
  await page.keyboard.press('Tab');
  await expect(cell(page, 'Ask 1 size')).toBeFocused();
  await page.keyboard.type('*2');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'Ask 1 size')).not.toHaveText(amount);
  await page.keyboard.press('Control+z');
  await expect(cell(page, 'Ask 1 size')).toHaveText(amount);
  await cell(page, 'Bid 1 price').click();
  await page.keyboard.press('Insert');
  await expect(cell(page, 'Bid 1 price')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Delete');
  await expect(cell(page, 'Bid 1 price')).not.toHaveAttribute('aria-invalid', 'true');
  await cell(page, 'Bid 9 size').click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '7\t3399.5\n8\t3399\n9\t3398.5');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  });
  await expect(cell(page, 'Bid 11 price')).toHaveText(/^3,398\.50?$/);
  await expect(cell(page, 'Bid 10 size')).toHaveText(/^8(\.0+)?$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});
