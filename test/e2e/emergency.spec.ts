import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { makerdesk, statusOf } from './makerdesk.ts';
import { startPracticeDesk } from './practice-desk.ts';

const halt = { name: 'Halt all trading now' };
const heading = { name: 'HALTED', exact: true };

test('a halt lies over whatever page is open, and what was typed there is still there behind it', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'l');
  const field = page.getByLabel('Hash, user, pair or code');
  await field.fill('0x12');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', heading)).toBeVisible({ timeout: 1_000 });
  await expect(page.getByText('What is still live')).toBeVisible();
  await expect(page.getByText('Who knows')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await expect(field).toHaveValue('0x12');
  await expect(page.getByLabel('Halted')).toContainText('No signature leaves this desk');
  await page.getByRole('button', { name: 'What is live, and resume' }).click();
  await resume(page);
});

test('with the network slow the screen says that the halt was asked, and sends it once more for each press', async ({
  page,
  desk,
}) => {
  let hold = false;
  await page.routeWebSocket(/\/rpc/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => void later(() => server.send(message)));
    server.onMessage((message) => void later(() => socket.send(message)));
    const later = async (send: () => void) => {
      if (hold) await new Promise((resolve) => setTimeout(resolve, 2_000));
      send();
    };
  });
  await page.goto(desk.console);
  await expect(page.locator('.strip')).toContainText('LIVE');
  hold = true;
  await page.getByRole('button', halt).click();
  await expect(page.getByText('asked…')).toBeVisible();
  await expect(page.getByLabel('Halt asked')).toContainText('has not acknowledged it yet');
  await page.keyboard.press('Control+Shift+H');
  await expect.poll(async () => (await statusOf(desk.folder)).state, { timeout: 8_000 }).toBe('HALTED');
  await expect(page.getByRole('heading', heading)).toBeVisible({ timeout: 8_000 });
  hold = false;
  await makerdesk(desk.folder, 'resume', '--reason', 'the test is over');
  await expect(page.getByRole('button', halt)).toBeVisible({ timeout: 10_000 });
});

test('with the desk busy a halt is on the screen within a second', async ({ page, desk, openConsole }) => {
  await openConsole();
  await goTo(page, 'r');
  await page.getByRole('button', { name: '50', exact: true }).click();
  await expect(page.getByText('50 firm requests a second')).toBeVisible();
  await page.waitForTimeout(2_000);
  await page.getByRole('button', halt).click();
  await expect(page.getByRole('heading', heading)).toBeVisible({ timeout: 1_000 });
  expect((await statusOf(desk.folder)).state).toBe('HALTED');
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await page.getByRole('button', { name: '1', exact: true }).click();
  await resume(page);
});

test('with the chain down it halts all the same, and resuming walks through what is wrong', async ({ page }) => {
  const desk = await startPracticeDesk();
  try {
    await page.goto(desk.console);
    await expect(page.locator('.strip')).toContainText('LIVE');
    await goTo(page, 'r');
    await page.getByRole('switch', { name: 'node-down' }).click();
    await goTo(page, 'd');
    await expect(page.getByText(/is closed$/).first()).toBeVisible({ timeout: 45_000 });
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', heading)).toBeVisible({ timeout: 1_000 });
    await page.getByLabel('Why is it safe to trade again?').fill('the other chain is fine');
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeDisabled();
    for (const known of await page.getByRole('checkbox', { name: /^Known: / }).all()) await known.check();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect(page.getByRole('button', halt)).toBeVisible();
  } finally {
    await desk.stop();
  }
});

test('a drain is told on every page with its clock, and halts at one press', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 's');
  await page.keyboard.press('Control+Shift+D');
  await expect(page.getByLabel('Drain', { exact: true })).toContainText('HALTED in');
  await page.getByRole('button', { name: 'Halt now' }).click();
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await resume(page);
});

test('the palette halts a side and asks before it starts one, without a mouse', async ({ page, openConsole }) => {
  await openConsole();
  await expect(page.locator('.strip')).toContainText('LIVE');
  const asks = page.getByRole('switch', { name: 'WETH/USDC asks' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('weth/usdc asks');
  await page.keyboard.press('Enter');
  await expect(asks).toHaveAttribute('aria-checked', 'false');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('weth/usdc asks');
  await page.keyboard.press('Enter');
  await page.getByLabel('Why is it safe to trade again?').fill('inventory is back');
  await page.keyboard.press('Enter');
  await expect(asks).toHaveAttribute('aria-checked', 'true');
});
