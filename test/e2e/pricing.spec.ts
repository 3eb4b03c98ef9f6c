import { cell, goTo } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { pageFaults } from './page-faults.ts';
import { FORMULA, formulasOf, ladder, openView, PAIR, terms } from './pricing-page.ts';

test('a trader asks why a price is what it is, takes the pair over from its formula, gives it back, changes it and removes it', async ({
  page,
  desk,
  openConsole,
}) => {
  const formulas = await formulasOf(desk);
  try {
    await formulas.set(FORMULA);
    await openConsole();
    await goTo(page, 'p');
    // From a cell of the ladder: one click.
    await expect(cell(page, 'Bid 3 price')).toBeVisible();
    await expect(page.getByRole('link', { name: 'By formula' })).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Follow the reference' }), 'a formula ends that').toBeHidden();
    await cell(page, 'Bid 3 price').click();
    await page.getByRole('link', { name: 'Why is Bid 3 what it is' }).click();
    await expect(terms(page).getByRole('row', { name: /^Steps to the level 2 × 1.2 bps/ })).toBeVisible();
    await expect(terms(page).getByRole('row', { name: /^Bid 3, ask 3/ })).toBeVisible();

    await ladder(page)
      .getByRole('button', { name: /^Why Bid 1: / })
      .click();
    await expect(terms(page).getByRole('row', { name: /^Half spread half of 8 bps −4.00/ })).toBeVisible();
    await expect(terms(page).getByRole('row', { name: /^Best bid, ask spread / })).toBeVisible();
    await expect(terms(page).getByRole('row', { name: /^Volatility not used/ })).toBeVisible();
    await expect(page.getByRole('table', { name: 'What closes this pair' })).toContainText('Long WETH');
    expect(await pageFaults(page)).toEqual([]);
    await openView(page, 'All pairs');
    await expect(page.getByRole('row', { name: /WETH\/USDC.* formula 8 bps/ }).first()).toBeVisible();
    await page.getByRole('link', { name: PAIR }).nth(1).click();

    await page.getByRole('button', { name: 'Take over' }).click();
    await expect(page.getByRole('region', { name: 'Hand' })).toContainText('priced by hand, its formula waits');
    await page.getByRole('button', { name: 'Give back…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      /By hand it stands at [\d,.]+ \/ [\d,.]+\. Its formula gives [\d,.]+ \/ [\d,.]+/,
    );
    await dialog.getByRole('button', { name: 'Give it back' }).click();
    await expect(page.getByRole('region', { name: 'Hand' })).toContainText('priced by formula');

    await page.getByRole('button', { name: 'Change the formula…' }).click();
    await expect(terms(page, 'Draft').getByRole('row', { name: /^Half spread/ })).toBeVisible();
    await page.getByLabel('Spread, bps').fill('1e1');
    await expect(page.getByText('must be written out, without an exponent')).toBeVisible();
    await expect(terms(page, 'Draft')).toContainText('of the figures before; fix the marked fields');
    await page.getByLabel('Target, WETH').fill('5000');
    await page.getByLabel('Spread, bps').fill('12');
    await expect(page.getByText('must be within the limit')).toBeVisible();
    await page.getByLabel('Target, WETH').fill('-10');
    await expect(
      terms(page, 'Draft').getByRole('row', { name: /^Half spread half of 12 bps half of 8 bps −6.00/ }),
    ).toBeVisible();
    await expect(page.getByRole('list', { name: 'What changes' })).toContainText('8 bps, closes above 60 bps → 12 bps');
    expect(await pageFaults(page)).toEqual([]);
    await page.getByLabel('Closes above, bps').fill('1');
    await expect(terms(page, 'Draft')).toContainText(
      /it would be closed: its asked spread is 1[\d.]+ bps, limit 1 bps/,
    );
    await expect(terms(page, 'Draft')).toContainText('would be closed: neither would be served');
    await expect(page.getByText(`Set, it closes ${PAIR} at once`)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Set the formula/ })).toBeHidden();
    await page.getByRole('button', { name: /^Set it, closing the pair…/ }).click();
    await expect(dialog).toContainText('Quotes that are signed stay fillable until they expire.');
    await dialog.getByRole('button', { name: 'Keep changing it' }).click();
    expect((await formulas.now())?.closesAboveSpreadBps).toBe('60');
    await page.getByLabel('Closes above, bps').fill('60');

    // Somebody else was quicker.
    await expect(page.getByRole('button', { name: /^Set the formula/ })).toBeEnabled();
    await formulas.set({ ...FORMULA, spreadBps: '9' });
    await page.keyboard.press('Control+Enter');
    const overtaken = page.getByText(`Somebody changed the formula of ${PAIR} meanwhile, so yours was not set.`);
    await expect(overtaken).toBeVisible();
    await expect(page.getByRole('button', { name: /^Set the formula/ })).toBeDisabled();
    await page.getByRole('button', { name: 'Drop mine' }).click();
    await expect(page.getByLabel('Spread, bps')).toHaveValue('9');
    await page.getByLabel('Spread, bps').fill('12');
    await expect(page.getByRole('button', { name: /^Set the formula/ })).toBeEnabled();
    await formulas.set({ ...FORMULA, spreadBps: '10' });
    await page.keyboard.press('Control+Enter');
    await expect(overtaken).toBeVisible();
    await page.getByRole('button', { name: 'Keep mine, over what it is now' }).click();
    await expect(page.getByLabel('Spread, bps'), 'what was typed stays').toHaveValue('12');
    await expect(page.getByRole('list', { name: 'What changes' })).toContainText(
      '10 bps, closes above 60 bps → 12 bps',
    );
    await expect(page.getByRole('button', { name: /^Set the formula/ })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(terms(page).getByRole('row', { name: /^Half spread half of 12 bps −6.00/ })).toBeVisible();
    expect((await formulas.now())?.spreadBps).toBe('12');

    await page.getByRole('button', { name: 'Change the formula…' }).click();
    await page.getByRole('button', { name: 'Remove…' }).click();
    await expect(dialog).toContainText('stands still, whatever the mid does');
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await expect(page.getByText(`${PAIR} has no formula`)).toBeVisible();
    await page.getByRole('button', { name: 'Set a formula…' }).click();
    await expect(page.getByText('Set, it prices the pair within a second.')).toBeVisible();
    await page.getByRole('button', { name: 'Keep it as it is' }).click();
    expect(await formulas.now()).toBeNull();
  } finally {
    await formulas.end();
  }
});

testAlone('a desk without a pair says so where all pairs would stand', async ({ page }) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
    await page.evaluate(() => location.assign('#/prices/all'));
    await expect(page.getByRole('heading', { name: 'No pair yet' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Tokens & pairs' }).last()).toBeVisible();
  } finally {
    await desk.stop();
  }
});
