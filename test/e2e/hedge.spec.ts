import { connectionTo } from '../desk/connection.ts';
import { chainReader } from './chain-reader.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import {
  act,
  chooseWay,
  followed,
  isDone,
  orderToItsEnd,
  place,
  pressUntil,
  said,
  says,
  steps,
  TENTH,
  ticket,
  tracker,
  typeTicket,
} from './hedge-page.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

test('a hedge by the keyboard alone: choose a fill, send, reload in the middle, follow it to the end, see what it came to', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'h');
  const fills = page.getByRole('region', { name: 'Unhedged fills' });
  await expect(fills.getByRole('checkbox').first()).toBeEnabled();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await place(page, /(Sell|Buy) [\d.,]+…? \w+ for at (least|most) [\d.,]+…? \w+/);
  const name = (await tracker(page).getAttribute('aria-label')) ?? '';
  await page.reload();
  const again = page.getByRole('region', { name, exact: true });
  await expect(again.getByRole('status')).toHaveText('done');
  await expect(again.getByRole('list', { name: 'Steps' })).toContainText(/The swap is in block \d+: gave/);
  await expect(page.getByRole('region', { name: 'Hedges' }).getByRole('row').nth(1)).toContainText('done');
  await page.getByLabel('Show').selectOption({ label: 'hedged' });
  const hedged = page.getByRole('region', { name: 'Hedged fills' });
  await expect(hedged.getByRole('button', { name: new RegExp(`follow ${name.toLowerCase()} of`) })).toContainText('$');
  await goTo(page, 'f');
  await expect(page.locator('[data-rows="Fills"]')).toContainText(/hedged/);
});

test.describe('on chains where nobody else trades', () => {
  let desk: PracticeDesk;
  test.beforeAll(async () => {
    desk = await startPracticeDesk(['--no-takers']);
  });
  test.afterAll(() => desk.stop());
  test.beforeEach(async ({ page }) => {
    await page.goto(desk.console);
    await goTo(page, 'h');
  });

  test('a market swap gives what the button said, right to the last unit on the chain', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await typeTicket(page, { we: 'sell', amount: '1.2', token: 'WETH', other: 'USDC' });
    await expect(ticket(page)).toContainText(/for\s0x/);
    const words = /Sell 1\.2 WETH for at least ([\d,.]+) USDC/;
    await expect(act(page)).toBeEnabled();
    const least = words.exec(((await act(page).textContent()) ?? '').replaceAll('\u00a0', ' '))?.[1] ?? '';
    // Whoever presses twice means it once. Where the second press came so late that it took a question away, it is pressed again.
    await act(page).dblclick();
    await followed(page);
    await isDone(page);
    const after = await chain.holdings('WETH', 'USDC');
    expect(before.WETH - after.WETH).toBe(12n * 10n ** 17n);
    const got = after.USDC - before.USDC;
    expect(got).toBeGreaterThanOrEqual(BigInt(least.replaceAll(/[,.]/g, '')) * 10_000n);
    await says(page, got);
  });

  test('a ticket of one chain is not kept on another’s page, and an address that names a chain opens that one', async ({
    page,
  }) => {
    await typeTicket(page, { we: 'sell', amount: '1.2', token: 'WETH', other: 'USDC' });
    await expect(act(page)).toContainText(said(/Sell 1\.2 WETH/));
    const chains = page.getByRole('radiogroup', { name: 'Chain' }).getByRole('radio');
    await chains.nth(1).click();
    await expect(ticket(page).getByLabel('Token')).toHaveValue('');
    await expect(act(page)).toHaveText(/^Sell\s*Ctrl/);
    await page.evaluate(() => {
      window.location.hash = '#/hedge/31337/WETH%2FUSDC';
    });
    await expect(chains.first()).toBeChecked();
    await expect(ticket(page).getByLabel('Token')).toHaveValue(/^31337:/);
  });

  test('a ticket of the second chain is still there after another page, and behind the settings of automatic hedging', async ({
    page,
  }) => {
    const chains = page.getByRole('radiogroup', { name: 'Chain' }).getByRole('radio');
    const token = ticket(page).getByLabel('Token');
    await chains.nth(1).click();
    await typeTicket(page, { we: 'sell', amount: '1.2', token: 'WETH', other: 'USDT' });
    await expect(token).toHaveValue(/^31338:/);
    const typed = await token.inputValue();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Prices' }).click();
    await expect(ticket(page)).toHaveCount(0);
    await pages.getByRole('link', { name: 'Hedge' }).click();
    await expect(chains.nth(1)).toBeChecked();
    await expect(token).toHaveValue(typed);
    // By an address that names the chain, too.
    await chains.first().click();
    await page.evaluate(() => {
      window.location.hash = '#/hedge/31338/WETH%2FUSDT';
    });
    await expect(token).toHaveValue(typed);
    await page.getByRole('button', { name: /^Automatic hedging/ }).click();
    await expect(page.getByRole('dialog', { name: 'Automatic hedging' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(chains.nth(1)).toBeChecked();
    await expect(token).toHaveValue(typed);
  });

  test('a price that gives much away is warned of, and sent only after a question', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await typeTicket(page, { we: 'sell', amount: '300', token: 'WETH', other: 'USDC' });
    await expect(ticket(page)).toContainText(/This costs [\d.]+.%, \$[\d,.]+, of what is given/);
    const question = page.getByRole('dialog', { name: 'This gives a lot away' });
    await pressUntil(page, question);
    await expect(question).toContainText(said(/Sell 300 WETH for at least/));
    await question.getByRole('button', { name: 'Send nothing' }).click();
    await expect(question).toHaveCount(0);
    await expect(act(page)).toBeEnabled();
    // The second of two presses falls beside the question that the first one asked, and does not take it away.
    // Where the machine was held up between them they were two presses, half a second apart, and it is pressed again.
    await expect(async () => {
      await act(page).dblclick({ delay: 60 });
      await question.getByRole('button', { name: 'Send nothing' }).click({ timeout: 3_000 });
    }).toPass();
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
  });

  test('while the desk is halted only what closes a position is sent, and only after a question', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    await typeTicket(page, { we: 'sell', amount: '0.6', token: 'WETH', other: 'USDC' });
    await place(page, /Sell 0\.6 WETH/);
    await isDone(page);
    const before = await chain.holdings('WETH', 'USDC');
    await page.keyboard.press('Control+Shift+H');
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await typeTicket(page, { we: 'buy', amount: '0.5', token: 'WETH', other: 'USDC' });
    const question = page.getByRole('dialog', { name: 'The desk is halted' });
    await pressUntil(page, question);
    await expect(question).toContainText(said(/The desk is short [\d.]+ WETH\./));
    await expect(question).toContainText(said(/Buy 0\.5 WETH for at most/));
    await question.getByRole('button', { name: 'Send nothing' }).click();
    await expect(question).toHaveCount(0);
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);

    await pressUntil(page, question);
    await question.getByRole('button', { name: 'It closes one: send it' }).click();
    await followed(page);
    await isDone(page);
    const bought = (await chain.holdings('WETH')).WETH - before.WETH;
    expect(bought).toBeGreaterThanOrEqual(5n * TENTH);
    await says(page, bought);

    await typeTicket(page, { we: 'sell', amount: '900', token: 'DAI', other: 'USDC' });
    await expect(ticket(page)).toContainText('does not close a position');
    await expect(act(page)).toBeDisabled();
    await resume(page);
  });

  test('automatic hedging is off until a person sets it, and a dry run is said on every page', async ({ page }) => {
    await page.getByRole('button', { name: 'Automatic hedging is off…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Automatic hedging' });
    await dialog.getByRole('button', { name: 'Change WETH/USDC on Practice', exact: true }).click();
    const form = dialog.getByRole('form', { name: 'Automatic hedging of WETH/USDC on Practice', exact: true });
    await form.getByLabel('WETH/USDC on Practice hedges itself').selectOption({ label: 'dry run: says, does nothing' });
    await form.getByLabel('From, WETH').fill('5');
    await form.getByLabel('A day, WETH').fill('100');
    await form.getByRole('button', { name: 'Dry run for WETH/USDC on Practice' }).click();
    await expect(dialog.getByRole('row', { name: /WETH\/USDC Practice/ })).toContainText('dry run');
    await page.keyboard.press('Escape');
    await goTo(page, 'd');
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('dry run');
  });

  test('an order that was done elsewhere is entered, corrected and struck out; the chain sees nothing of it', async ({
    page,
  }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await chooseWay(page, 'By hand');
    const form = ticket(page);
    await form.getByLabel('We', { exact: true }).selectOption('SELL');
    await form.getByLabel('Token').selectOption({ label: 'WETH' });
    await form.getByLabel('For', { exact: true }).selectOption({ label: 'USDC' });
    await form.getByLabel('Amount').fill('0.7');
    await form.getByLabel('Got, USDC').fill('2,380');
    await expect(form).toContainText('Type where it was done.');
    await form.getByLabel('Where').fill('Kraken');
    await form.getByLabel('Extra fee, $').fill('1.2');
    await place(page, /Enter: sold 0\.7 WETH for 2,380/);
    await isDone(page);
    await says(page, 2_380_000_000n);
    await expect(steps(page)).toContainText('Done at Kraken');
    await expect(form.getByLabel('Extra fee, $'), 'the next entry has its own fee').toHaveValue('');
    await tracker(page).getByRole('button', { name: 'Correct…' }).click();
    const correct = page.getByRole('dialog', { name: /^Correct hedge \d+$/ });
    await correct.getByLabel('Got, USDC').fill('2379.5');
    await expect(correct.getByLabel('Where')).toHaveValue('Kraken');
    await correct.getByLabel('Where').fill('Coinbase');
    await correct.getByLabel('Note').fill('by phone');
    await correct.getByLabel('Why').fill('the statement says so');
    // Somebody else was quicker.
    const ops = await connectionTo(desk.folder, 'ops');
    const { rows: entered } = await ops.desk.hedge.list({ limit: 1 });
    await ops.desk.hedge.correct({ seq: entered[0]?.seq ?? 0, amounts: { got: '2379' }, reason: 'a slip' });
    await ops.close();
    await correct.getByRole('button', { name: 'Correct it' }).click();
    const stale = correct.getByRole('alert').filter({ hasText: 'was changed meanwhile by ops' });
    await expect(correct.getByText('is 2379 now')).toBeVisible();
    await stale.getByRole('button', { name: 'Show what it is now' }).click();
    await expect(correct.getByLabel('Got, USDC')).toHaveValue(/^2,?379$/);
    await correct.getByLabel('Got, USDC').fill('2379.5');
    await correct.getByLabel('Where').fill('Coinbase');
    await correct.getByLabel('Note').fill('by phone');
    await correct.getByLabel('Why').fill('the statement says so');
    await correct.getByRole('button', { name: 'Correct it' }).click();
    await says(page, 2_379_500_000n);
    await expect(steps(page)).toContainText(
      'Extra fee $1.20. Done at Coinbase, not at Kraken. Note: “by phone”. Why: the statement says so',
    );
    await tracker(page).getByRole('button', { name: 'Strike out…' }).click();
    const strike = page.getByRole('dialog', { name: /^Strike hedge \d+ out\?$/ });
    await strike.getByRole('textbox').fill('entered twice');
    await strike.getByRole('button', { name: 'Strike it out' }).click();
    await expect(tracker(page).getByRole('status')).toHaveText('cancelled');
    // It gave nothing and got nothing: both of its figures are 0.
    await expect(
      page.getByRole('region', { name: 'Hedges' }).getByRole('row').nth(1).locator('[data-raw="0"]'),
    ).toHaveCount(2);
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
  });

  test('an intent order is signed, filled and followed to the end, right to the last unit on the chain', async ({
    page,
  }) => {
    await orderToItsEnd(page, desk, { way: 'Intent', amount: '0.3', gives: 3n * TENTH });
  });
});
