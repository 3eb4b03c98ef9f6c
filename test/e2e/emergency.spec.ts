import { connectionTo } from '../desk/connection.ts';
import { chainReader } from './chain-reader.ts';
import { goTo, resume, takeAsKnown } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { placeLimitOrder } from './hedge-page.ts';
import { dismissNotices } from './looker.ts';
import { haltDesk, makerdesk, statusOf } from './makerdesk.ts';
import { noticesOf } from './notices.ts';
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
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await expect(page.getByText('What is still live')).toBeVisible();
  await expect(page.getByText('Who knows')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await expect(field).toHaveValue('0x12');
  await expect(page.getByLabel('Halted')).toContainText('No signature leaves this desk');
  await page.getByRole('button', { name: 'What is live, and resume' }).click();
  await resume(page);
});

test('a halt names an intent order and what contracts may take, and one press has the order cancelled', async ({
  page,
  desk,
  openConsole,
}) => {
  const connection = await connectionTo(desk.folder, 'mara');
  try {
    const { hedge } = connection.desk;
    const seq = await placeLimitOrder(connection.desk);
    await openConsole();
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', heading)).toBeVisible();
    const signed = page.getByRole('table', { name: 'Orders and permits' });
    await expect(signed).toContainText('Intent order');
    await expect(page.getByRole('table', { name: 'Allowances' })).toContainText('intent contract');
    await expect(page.getByRole('region', { name: 'Halted' })).toContainText('1 intent order');
    await expect(page.getByRole('region', { name: 'Halted' })).not.toContainText('Nothing can be taken');
    await page.getByRole('button', { name: 'Cancel intents…' }).click();
    await page.getByRole('button', { name: 'Cancel 1 order' }).click();
    await expect(page.getByText('the service took the cancellation')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(async () => (await hedge.get({ seq })).state).toBe('cancelled');
    await expect(signed).toContainText(/cancelled at the service; its signature is good until \d\d:\d\d:\d\d/);
    await page.getByRole('button', { name: 'Allowances to zero…' }).click();
    await page.getByRole('button', { name: 'Keep the allowances' }).click();
    await resume(page);
  } finally {
    await connection.close();
  }
});

test('halted on another page, the count beside Desk leads to what is missing, and one press approves all of it after its gas was shown', async ({
  page,
  desk,
  openConsole,
}) => {
  const connection = await connectionTo(desk.folder, 'mara');
  const allow = async (amount: string) => {
    for (const tokenId of ['WETH', 'USDC']) {
      const [sent] = await connection.desk.onChain.setAllowance({ chainId: 31337, tokenId, amount });
      expect(sent?.outcome).toBe('confirmed');
    }
  };
  try {
    await openConsole();
    await goTo(page, 'l');
    await page.keyboard.press('Control+Shift+H');
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await allow('0');
    const count = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Desk/ })
      .getByText(/^\d+$/);
    await expect.poll(async () => Number(await count.innerText())).toBeGreaterThanOrEqual(2);
    await count.click();
    await expect(page).toHaveURL(/#\/$/);
    const panel = page.getByRole('region', { name: 'Resume', exact: true });
    const missing = panel.getByText(/^(WETH|USDC) is not approved for the RFQ contract/);
    await expect.poll(async () => missing.count()).toBeGreaterThanOrEqual(2);
    const all = panel.getByRole('button', { name: 'Approve all 2…' });
    await expect(async () => {
      await panel.getByRole('button', { name: 'Check again' }).click();
      await expect(all).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await all.click();
    const dialog = page.getByRole('dialog', { name: 'Approve 2 tokens for the RFQ contract?' });
    await expect(dialog.getByRole('row', { name: /2 transactions in all/ })).toContainText(/\$[\d.,]+ in gas/);
    await dialog.getByRole('button', { name: 'Approve 2 tokens' }).click();
    await expect(dialog.getByText(/mined$/)).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(missing).toHaveCount(0);
    await expect(panel.getByRole('button', { name: /^Approve all/ })).toHaveCount(0);
    await resume(page);
  } finally {
    // What is held grows with the next fill, what was approved does not.
    await allow('900000000');
    await connection.close();
  }
});

test('no notice lies over what is pressed while halted, however many there are', async ({ page, openConsole }) => {
  await openConsole();
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', heading)).toBeVisible();
  const copy = page.getByRole('button', { name: 'Copy for the others' });
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ]) {
    await page.setViewportSize(size);
    // A notice goes by itself: where the machine was held up between two presses, it is pressed again.
    let under: (string | null)[] = [];
    await expect(async () => {
      for (let press = 0; press < 3; press += 1) await copy.click();
      await expect(page.locator('#notices')).toContainText(/Copied what happened \d\d:\d\d:\d\d/, { timeout: 1_000 });
      const seen = await page.evaluate(() => {
        const notices = [...document.querySelectorAll('#notices > *')].map((toast) => toast.getBoundingClientRect());
        const pressable = [...document.querySelectorAll('main :is(button, input, a[href])')]
          .filter((control) => {
            const box = control.getBoundingClientRect();
            return notices.some(
              ({ left, right, top, bottom }) =>
                box.width > 1 && box.right > left && box.left < right && box.bottom > top && box.top < bottom,
            );
          })
          .map((control) => control.textContent);
        return { count: notices.length, covered: pressable };
      });
      expect(seen.count, 'three, or three and how many more there are').toBeGreaterThanOrEqual(3);
      under = seen.covered;
    }).toPass();
    expect(under).toEqual([]);
  }
  await resume(page);
});

testAlone(
  'with the network slow the screen says that the halt was asked, and sends it once more for each press',
  async ({ page, desk }) => {
    // All but the halts gets through: a line on which the desk is not heard for some seconds is given up, which is another case.
    let hold = false;
    let asked = 0;
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.routeWebSocket(/\/rpc/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage(async (message) => {
        const isHalt = /trading\/halt/.test(message.toString());
        if (isHalt) asked += 1;
        if (hold && isHalt) await arrived;
        server.send(message);
      });
    });
    await page.goto(desk.console);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    hold = true;
    await page.getByRole('button', halt).click();
    await expect(page.getByText('asked…')).toBeVisible();
    await expect(page.getByLabel('Halt asked')).toContainText('has not acknowledged it yet');
    await page.keyboard.press('Control+Shift+H');
    await expect.poll(() => asked).toBe(2);
    expect((await statusOf(desk.folder)).state).toBe('LIVE');
    arrive();
    await expect.poll(async () => (await statusOf(desk.folder)).state).toBe('HALTED');
    await expect(page.getByRole('heading', heading)).toBeVisible();
    await makerdesk(desk.folder, 'resume', '--reason', 'the test is over');
    await expect(page.getByRole('button', halt)).toBeVisible();
  },
);

test('with the desk busy a halt halts, and is on the screen', async ({ page, desk, openConsole }) => {
  await openConsole();
  await goTo(page, 'r');
  await page.getByRole('radio', { name: '50', exact: true }).click();
  await expect(page.getByText('50 firm requests a second')).toBeVisible();
  await page.waitForTimeout(2_000);
  await page.getByRole('button', halt).click();
  await expect(page.getByRole('heading', heading)).toBeVisible();
  expect((await statusOf(desk.folder)).state).toBe('HALTED');
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await page.getByRole('radio', { name: '1', exact: true }).click();
  await resume(page);
});

testAlone('with the chain down it halts all the same, and resuming walks through what is wrong', async ({ page }) => {
  const desk = await startPracticeDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    await goTo(page, 'r');
    await page.getByRole('switch', { name: 'node-down' }).click();
    await goTo(page, 'd');
    await expect(page.getByText(/ is closed$| closes soon$/).first()).toBeVisible();
    await page.keyboard.press('Control+Shift+H');
    await expect(page.getByRole('heading', heading)).toBeVisible();
    await page.getByLabel('Why is it safe to trade again?').fill('the other chain is fine');
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeDisabled();
    await takeAsKnown(page);
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect(page.getByRole('button', halt)).toBeVisible();
  } finally {
    await desk.stop();
  }
});

testAlone(
  'a resume shows the self-check made anew: what fails with what mends it, what starts and what stays closed',
  async ({ page }, info) => {
    const desk = await startPracticeDesk();
    try {
      const chainId = 31337;
      const chain = await chainReader(desk, chainId);
      const address = (await chain.copyOf('WETH')) as `0x${string}`;
      const connection = await connectionTo(desk.folder, 'mara');
      const token = { symbol: 'OLD', name: 'Old', address, decimals: 18, type: 'ERC20' } as const;
      await connection.desk.listings.saveToken({ chainId, tokenId: 'OLD', token });
      const definition = { base: 'OLD', quote: 'USDC', liquidityUSD: 1_000 };
      await connection.desk.listings.savePair({ chainId, pair: 'OLD/USDC', definition });
      await connection.close();
      await chain.setCode(address, '0x');
      await page.goto(desk.console);
      await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
      await page.keyboard.press('Control+Shift+H');
      const panel = page.getByRole('region', { name: 'Resume', exact: true });
      const check = panel.getByRole('region', { name: 'Self-check before the resume' });
      await expect(check).toContainText('Keeps closed: OLD/USDC');
      await expect(check).toContainText('Starts');
      await expect(panel).not.toContainText('nothing stands against it');
      const pictures = async (name: string) => {
        for (const [colorScheme, width, height] of [
          ['dark', 1280, 800],
          ['light', 1920, 1080],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.evaluate((theme) => {
            document.documentElement.dataset.theme = theme;
          }, colorScheme);
          await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`) });
        }
      };
      await pictures('resume-panel');
      await check.getByRole('button', { name: 'Correct OLD…' }).click();
      await expect(page.getByRole('form', { name: 'Edit OLD' }).getByLabel('Decimals')).toHaveValue('18');
      await pictures('edit-old');
      await goTo(page, 'd');
      await dismissNotices(page);
      await page.getByLabel('Why is it safe to trade again?').fill('OLD stays closed');
      await takeAsKnown(page);
      const told = await noticesOf(page);
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await expect.poll(told).toContain('OLD/USDC stays closed');
      await expect(page.getByRole('button', halt)).toBeVisible();

      await haltDesk(desk.folder, { chainId, pair: 'OLD/USDC' });
      await page.getByRole('button', { name: 'Switch it on…' }).first().click();
      const dialog = page.getByRole('dialog', { name: /^Go live on OLD\/USDC/ });
      await expect(dialog).toContainText('Nothing here may go LIVE yet');
      await pictures('resume-dialog');
      await dialog.getByLabel('Why is it safe to trade again?').fill('insists');
      await dialog.getByRole('button', { name: 'Go live' }).click();
      await expect(dialog).toContainText(/Not resumed\. ?Nothing here may go LIVE: /);
      await expect(dialog.getByRole('button', { name: 'Correct OLD…' })).toBeVisible();
      await dialog.getByRole('button', { name: 'Correct OLD…' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole('form', { name: 'Edit OLD' })).toBeVisible();
    } finally {
      await desk.stop();
    }
  },
);

test('a drain is told on every page with its clock, and halts at one press', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 's');
  await page.keyboard.press('Control+Shift+D');
  await expect(page.getByLabel('Drain', { exact: true })).toContainText('HALTED in');
  await expect(page.getByLabel('Drain', { exact: true })).toContainText(
    /the service probably asks (at once if live within 0:0\d|again within [0-2]:)/,
  );
  await page.getByRole('button', { name: 'Halt now' }).click();
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await resume(page);
});

test('the palette halts a side and asks before it starts one, without a mouse', async ({ page, openConsole }) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  const asks = page.getByRole('switch', { name: 'WETH/USDC asks' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('weth/usdc asks');
  await page.keyboard.press('Enter');
  await expect(asks).toHaveAttribute('aria-checked', 'false');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('weth/usdc asks');
  await page.keyboard.press('Enter');
  await page.getByLabel('Why is it safe to trade again?').fill('inventory is back');
  // Until it is known who stopped the side there is nothing to decide on; while that is looked at anew Enter does nothing.
  const live = page.getByRole('button', { name: 'Go live' });
  await expect(async () => {
    if (await live.isVisible()) {
      await expect(live).toBeEnabled({ timeout: 10_000 });
      await page.keyboard.press('Enter');
    }
    await expect(asks).toHaveAttribute('aria-checked', 'true', { timeout: 5_000 });
  }).toPass();
});

test('on the lowest screen the emergency shows what is live, and every answer can be reached and pressed', async ({
  page,
  openConsole,
}, info) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openConsole();
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', heading)).toBeVisible();
  const panel = page.getByRole('region', { name: 'What is still live', exact: true });
  const tables = panel.locator('.scroll');
  const place = await tables.boundingBox();
  expect(place?.height ?? 0).toBeGreaterThanOrEqual(150);
  const table = panel.getByRole('table').filter({ hasText: 'Token' }).first();
  await expect(table).toBeInViewport();
  await page.screenshot({ path: info.outputPath('emergency-1024x700.png') });
  for (const name of ['What the service will do', 'Who knows']) {
    // Whole, not a sliver of it: the column scrolls.
    const beside = page.getByRole('region', { name, exact: true });
    const lines = beside.getByRole('listitem');
    await lines.last().scrollIntoViewIfNeeded();
    await expect(lines.last()).toBeInViewport({ ratio: 1 });
    const isWhole = await beside.evaluate((panel) => panel.scrollHeight <= panel.clientHeight);
    expect(isWhole, `${name} shows all of itself`).toBe(true);
    await page.screenshot({ path: info.outputPath(`emergency-1024x700-${name}.png`) });
  }
  for (const name of [/^Cancel .*orders?…$/, 'Cancel intents…', 'Allowances to zero…']) {
    const button = panel.getByRole('button', { name });
    await button.scrollIntoViewIfNeeded();
    await expect(button).toBeInViewport({ ratio: 1 });
  }
  await resume(page);
});

test('a question that was asked from a row stays until it is answered, also when the row is gone', async ({
  page,
  desk,
  openConsole,
}) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
  try {
    await makerdesk(desk.folder, 'practice', 'fault', 'allowance-gone', 'on');
    const approve = page.getByRole('button', { name: 'Approve USDC…' });
    await approve.first().click();
    const dialog = page.getByRole('dialog', { name: /^Approve .* USDC for the RFQ contract/ });
    await expect(dialog).toBeVisible();
    await makerdesk(desk.folder, 'practice', 'fault', 'allowance-gone', 'off');
    await expect(page.getByText('USDC is not approved')).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await expect(dialog).toHaveCount(0);
  } finally {
    await makerdesk(desk.folder, 'practice', 'fault', 'allowance-gone', 'off');
  }
});
