import { cell, goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { dismissNotices, looker, SIZES } from './looker.ts';
import { FORMULA, formulasOf, ladder, openView, PAIR, terms } from './pricing-page.ts';

/** The smallest window, and the usual one zoomed to 150 %. */
const SMALL = [
  { width: 1024, height: 700 },
  { width: 853, height: 533 },
];

test('every state of Pricing: pictures in both themes and sizes, nothing clipped, readable by everybody', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const { faults, look, inBoth } = looker(page, info, 'pricing');
  const small = looker(page, info, 'pricing', SMALL);
  const inSmall = async (what: string) => {
    await small.look(what, 'light');
    await page.setViewportSize(SIZES[0]);
  };
  const formulas = await formulasOf(desk);
  try {
    await formulas.set(FORMULA);
    await openConsole();
    await goTo(page, 'p');
    await expect(page.getByRole('link', { name: 'By formula' })).toBeVisible();
    await cell(page, 'Bid 3 price').click();
    await inBoth('ladder');
    await page.getByRole('link', { name: 'Why is Bid 3 what it is' }).click();
    await expect(terms(page).getByRole('row', { name: /^Bid 3, ask 3/ })).toBeVisible();
    await inBoth('level');
    await ladder(page)
      .getByRole('button', { name: /^Why Bid 1: / })
      .click();
    await inBoth('formula');
    await inSmall('formula');
    await openView(page, 'All pairs');
    await expect(page.getByRole('row', { name: /WETH\/USDC.* formula 8 bps/ }).first()).toBeVisible();
    await inBoth('all');
    await inSmall('all');
    await openView(page, 'Pricing');

    await page.getByRole('button', { name: 'Take over' }).click();
    await expect(page.getByRole('region', { name: 'Hand' })).toContainText('The formula would give');
    await dismissNotices(page);
    await inBoth('by-hand');
    await page.getByRole('button', { name: 'Give back…' }).click();
    await expect(page.getByRole('dialog')).toContainText('Its formula gives');
    await look('give-back', 'light');
    await page.getByRole('dialog').getByRole('button', { name: 'Give it back' }).click();
    await expect(page.getByRole('region', { name: 'Hand' })).toContainText('priced by formula');

    await page.getByRole('button', { name: 'Change the formula…' }).click();
    await page.getByLabel('Spread, bps').fill('1e1');
    await expect(page.getByText('must be written out, without an exponent')).toBeVisible();
    await inBoth('faulty');
    await page.getByLabel('Spread, bps').fill('12');
    await page.getByLabel('Target, WETH').fill('-10');
    await expect(page.getByRole('list', { name: 'What changes' })).toContainText('→ 12 bps');
    await inBoth('draft');
    await inSmall('draft');
    await page.getByLabel('Wider while the mid moves').check();
    await page.getByLabel('Calm up to, bps').fill('3');
    await page.getByLabel('Closes above, bps').first().fill('1');
    await expect(terms(page, 'Draft')).toContainText(/it would be closed: |It would give no price now/);
    await inBoth('draft-closed');
    await formulas.set({ ...FORMULA, spreadBps: '9' });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Set it, closing the pair' }).click();
    await expect(page.getByText(`Somebody changed the formula of ${PAIR} meanwhile`)).toBeVisible();
    await inBoth('refused');
    await page.getByRole('button', { name: 'Keep it as it is' }).click();

    // Closed by what it does not know, and closed on one side by what it has.
    await formulas.set({ ...FORMULA, closesAboveSpreadBps: '1' });
    await expect(page.locator('main').getByText(`${PAIR} is closed: its formula gives no prices`)).toBeVisible();
    await dismissNotices(page);
    await inBoth('closed');
    await formulas.end();
    await expect(page.getByText(`${PAIR} has no formula`)).toBeVisible();
    await dismissNotices(page);
    await inBoth('none');
  } finally {
    await formulas.end();
  }
  expect([...faults, ...small.faults]).toEqual([]);
});
