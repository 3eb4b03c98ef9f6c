import { goTo, orderFor, resume, takerOf } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { statusOf } from './makerdesk.ts';

const halt = { name: 'Halt all trading now' };
const amount = { takerAmount: String(10n ** 16n) };

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole();
  await expect(page.getByRole('button', halt)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
});

test('a click halts: it is on the screen, and the next firm request gets 503', async ({ page, desk }) => {
  const { taker } = await takerOf(desk);
  await orderFor(taker, 'bids', amount);
  await page.getByRole('button', halt).click();
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  const answer = await taker.firm('bids', amount);
  expect([answer.status, answer.json.code]).toEqual([503, 'halted']);
  expect((await taker.get('/prices')).status).toBe(503);
  await expect(page.getByText(/can still be filled/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'What the service will do' })).toContainText(
    'After five failed polls, about 5 to 10 s of 503, it does not poll /prices for 120 s',
  );
  await expect(page.getByRole('button', halt)).toHaveCount(0);
  await resume(page);
  await orderFor(taker, 'bids', amount);
});

test('the keys halt from the first moment of a page, before anything of it is shown', async ({ page, desk }) => {
  await page.reload();
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  expect((await statusOf(desk.folder)).state).toBe('HALTED');
  await resume(page);
});

test('resume needs a reason', async ({ page }) => {
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeDisabled();
  await page.getByLabel('Why is it safe to trade again?').fill('   ');
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeDisabled();
  await resume(page);
});

test('the words for a halt are added afterwards, from the bar of any page, and stand in the status', async ({
  page,
  desk,
}) => {
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await goTo(page, 'l');
  const bar = page.getByRole('region', { name: 'Halted' });
  await bar.getByRole('button', { name: 'Say why…' }).click();
  await page.getByLabel('What happened?').fill('the feed of WETH froze');
  await page.getByRole('button', { name: 'Add it' }).click();
  await expect(bar).toContainText('Reason: the feed of WETH froze');
  expect(await statusOf(desk.folder)).toMatchObject({ state: 'HALTED', reason: 'the feed of WETH froze' });
  await resume(page);
});

test('the keys halt while a field or a dialog has the focus', async ({ page }) => {
  await goTo(page, 'l');
  await page.getByLabel('Hash, user, pair or code').fill('0x12');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.locator('#halt').getByText(/^since /)).toBeVisible();
  await resume(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Control+Shift+H');
  await expect(page.locator('#halt').getByText(/^since /)).toBeVisible();
  await page.keyboard.press('Escape');
  await resume(page);
});

test('a press that wandered and a key right after the focus do not halt; a dialog leaves the button free', async ({
  page,
}) => {
  const box = await page.getByRole('button', halt).boundingBox();
  if (box === null) throw new Error('HALT has no place');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 20, y);
  await page.mouse.move(x, y);
  await page.mouse.up();
  await page.getByRole('button', halt).evaluate((button) => {
    button.blur();
    button.focus();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await goTo(page, 'f');
  await expect(page.getByRole('heading', { name: 'Fills', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', halt)).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.getByRole('button', halt).click();
  await expect(page.locator('#halt').getByText(/^since /)).toBeVisible();
  await resume(page);
});

test('Tab reaches HALT last', async ({ page }) => {
  await page.getByRole('button', halt).focus();
  await page.keyboard.press('Tab');
  const inside = await page.evaluate(() => document.activeElement?.closest('#console, #halt') !== null);
  expect(inside).toBe(false);
});

test('a side goes off at a click, and on again only with a reason', async ({ page, desk }) => {
  const { taker } = await takerOf(desk);
  const asks = page.getByRole('switch', { name: 'WETH/USDC asks' });
  await asks.click();
  await expect(asks).toHaveAttribute('aria-checked', 'false');
  const code = async () => (await taker.firm('asks', { makerAmount: amount.takerAmount })).json.code;
  await expect.poll(code).toBe('side_disabled');
  await asks.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Go live' })).toBeDisabled();
  await dialog.getByLabel('Why is it safe to trade again?').fill('inventory is back');
  await dialog.getByRole('button', { name: 'Go live' }).click();
  await expect(asks).toHaveAttribute('aria-checked', 'true');
  await expect.poll(code).toBeUndefined();
});
