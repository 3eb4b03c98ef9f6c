import type { Page } from '@playwright/test';
import type { PublishedLadder } from '../../electron/contract/book.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { connectionTo } from '../desk/connection.ts';
import { cell, goTo, orderFor, standStill, takerOf, typeInto } from './console-pages.ts';
import { expect, keptTest as test } from './console-test.ts';
import { makerdesk } from './makerdesk.ts';
import type { PracticeDesk } from './practice-desk.ts';

const WETH = 10n ** 18n;
const publish = { name: /^Publish WETH\/USDC/ };

test.beforeEach(async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'p');
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  await standStill(page);
});

test('a published ladder is what the console shows, what /prices answers and what the next quote costs', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk);
  const [best] = (await published(desk)).ladder.bids;
  // All bids go down, further than the reference moves in a minute: a bid over the reference is closed.
  await cell(page, 'Bid 1 price').click();
  await page
    .getByRole('gridcell', { name: /^Bid \d+ price:/ })
    .last()
    .click({ modifiers: ['Shift'] });
  await page.keyboard.type('-40bp');
  await page.keyboard.press('Enter');
  const under = Math.floor(Number(best?.[0]) * 0.996) - 1;
  const grouped = `${String(under).slice(0, -3)},${String(under).slice(-3)}.5`;
  await typeInto(page, 'Bid 1 price', grouped);
  await typeInto(page, 'Bid 2 price', `${under}.25`);
  await typeInto(page, 'Bid 3 price', `${under}`);
  await typeInto(page, 'Bid 4 price', `${under - 1}.9`);
  await expect(page.getByText('cells changed')).toBeVisible();
  const served = async () =>
    ((await taker.get('/prices')).json.prices?.['WETH/USDC']?.bids ?? []).slice(0, 3).map(([price]) => price);
  expect(await served()).not.toContain(`${under}.5`);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
  await expect.poll(served).toEqual([`${under}.5`, `${under}.25`, `${under}`]);
  const order = await orderFor(taker, 'bids', { takerAmount: String(WETH / 10n) });
  expect(order?.makerAmount).toBe(`${under}50000`);
  await goTo(page, 'd');
  await expect(page.getByRole('row', { name: /WETH\/USDC/ }).first()).toContainText(grouped);
});

test('a price that cannot be is refused in its cell with the reason beside it, and nothing is published', async ({
  page,
  desk,
}) => {
  const { revision } = await published(desk);
  const reasons = [
    ['1e3', 'exponent'],
    ['12,5', '12.5 or 125?'],
    ['0', 'above zero'],
    ['Infinity', 'must be a number'],
    ['1', 'crossed'],
  ] as const;
  for (const [text, reason] of reasons) {
    await cell(page, 'Ask 1 price').click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Ask 1 price' }).fill(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Ladder', exact: true }).getByText(reason).first()).toBeVisible();
    await expect(cell(page, 'Ask 1 price')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('button', publish)).toBeDisabled();
  }
  expect((await published(desk)).revision).toBe(revision);
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
  await paste(page, '7\t3329.5\n8\t3329\n9\t3328.5');
  await expect(page.getByRole('region', { name: 'What it makes of the draft' })).toContainText('3,329.5');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'Bid 11 price')).toHaveText(/^3,328\.50?$/);
  await expect(cell(page, 'Bid 10 size')).toHaveText(/^8(\.0+)?$/);
  await expect(cell(page, 'Bid 9 size')).toBeFocused();
  // Two presses that a slow machine takes for more than the time of a double press are two single ones.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByText('The draft is what is live.')).toBeVisible({ timeout: 5_000 });
  }).toPass();
});

test('a pasted range that is no ladder is refused whole, with the reason beside what was pasted, and the draft stays as it is', async ({
  page,
}) => {
  const pasted = page.getByRole('region', { name: 'What was pasted' });
  await cell(page, 'Bid 1 price').click();
  // What is no number cannot be read at all.
  await paste(page, 'Price\tSize\n3329.5\t2\n3329\t-4');
  const refusal = page.getByRole('dialog', { name: 'This cannot be pasted' });
  await expect(refusal).toContainText('Row 3: -4 is below zero.');
  await expect(pasted.getByRole('row').nth(2)).toHaveText(/^3\s*3329\s+-4$/);
  await page.keyboard.press('Enter');
  await expect(refusal).toHaveCount(0);
  // What can be read may still be no ladder.
  await expect(cell(page, 'Bid 1 price')).toBeFocused();
  await paste(page, 'Level\tPrice\tSize\n1\t3329.5\t2\n3\t3328.5\t4');
  const dialog = page.getByRole('dialog', { name: 'Paste into the draft' });
  await expect(dialog.getByRole('alert')).toContainText('a row may be missing');
  await expect(pasted.getByRole('row').last()).toHaveText(/3\s*3328\.5\s*4/);
  await expect(dialog.getByRole('button', { name: 'Put into the draft' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Keep the draft as it is' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('several cells are selected, nudged by ticks and bps, typed over and filled from one', async ({ page }) => {
  const text = async (name: string) => Number((await cell(page, name).innerText()).replaceAll(',', ''));
  const before = await text('Ask 3 price');
  const places = (await cell(page, 'Ask 3 price').innerText()).split('.')[1]?.length ?? 0;
  const ticks = (count: number) => count * 10 ** -places;
  await cell(page, 'Ask 3 price').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByRole('radio', { name: 'ticks', exact: true }).click();
  await cell(page, 'Ask 3 price').click();
  await cell(page, 'Ask 4 price').click({ modifiers: ['Shift'] });
  await page.keyboard.press(']');
  await expect.poll(() => text('Ask 3 price')).toBeCloseTo(before + ticks(1), 6);
  await page.keyboard.press('Shift+[');
  await expect.poll(() => text('Ask 3 price')).toBeCloseTo(before - ticks(9), 6);
  await page.keyboard.type(`+${ticks(9).toFixed(places)}`);
  await page.keyboard.press('Enter');
  await expect.poll(() => text('Ask 3 price')).toBeCloseTo(before, 6);
  await page.getByRole('radio', { name: 'bps', exact: true }).click();
  await page.getByRole('radio', { name: 'Both', exact: true }).click();
  const bid = await text('Bid 1 price');
  await page.getByRole('button', { name: 'Widen' }).click();
  await expect.poll(() => text('Bid 1 price')).toBeLessThan(bid);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text('Bid 1 price')).toBe(bid);
  await page.getByRole('radio', { name: 'Selection', exact: true }).click();
  // Every step was taken back, so that nothing is left to discard.
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('a range that is copied is a table of tabs, and comes back as it was', async ({ page }) => {
  await cell(page, 'Bid 1 size').click();
  await cell(page, 'Bid 2 price').click({ modifiers: ['Shift'] });
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData('text/plain');
  });
  expect(copied).toMatch(/^[0-9.]+\t[0-9.]+\n[0-9.]+\t[0-9.]+$/);
});

test('the effect stands beside the draft: what takers would get, what is wrong with it, and what it covers', async ({
  page,
}) => {
  const quotes = page.getByRole('region', { name: 'What the service would quote' });
  await expect(quotes.getByRole('row', { name: /WETH .* USDC/ }).first()).toBeVisible();
  await page.getByRole('radio', { name: 'Bids', exact: true }).click();
  await page.getByRole('button', { name: '−1', exact: true }).click();
  await expect(quotes.getByRole('row', { name: /−1\.[0-9]$/ }).first()).toBeVisible();
  await expect(page.getByText(/Bids covered: /)).toBeVisible();
  await expect(page.getByText(/Strict services take all \d+ levels/)).toBeVisible();
  await page.getByRole('button', { name: /^Discard/ }).click();
});

test('a ladder is built from a form for two pairs, and both drafts are published together', async ({ page, desk }) => {
  const { taker } = await takerOf(desk);
  await page.getByRole('button', { name: 'Build…' }).click();
  const dialog = page.getByRole('dialog');
  // Far enough apart that a ladder that stands still stays open while the reference moves.
  await dialog.getByLabel('Spread, bps').fill('60');
  await dialog.getByLabel('Levels').fill('3');
  await dialog.getByLabel('Size').selectOption('as they are');
  await dialog.getByRole('checkbox', { name: /WBTC\/USDC/ }).check();
  await dialog.getByLabel('Levels').fill('x');
  await expect(dialog.getByText('must be a whole number from 1 to 200')).toBeVisible();
  await dialog.getByLabel('Levels').fill('3');
  await dialog.getByRole('button', { name: 'Put into 2 drafts' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('cells changed')).toBeVisible();
  expect((await published(desk)).ladder.bids).not.toHaveLength(3);
  await page.getByRole('button', { name: /1 more draft/ }).click();
  await page.getByRole('button', { name: 'Publish 2 pairs' }).click();
  await expect(page.getByRole('button', { name: 'Undo: 2 pairs as before' })).toBeVisible();
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
  const lengths = async () => {
    const { prices } = (await taker.get('/prices')).json;
    return [prices?.['WETH/USDC']?.bids?.length, prices?.['WBTC/USDC']?.asks?.length];
  };
  await expect.poll(lengths).toEqual([3, 3]);
});

test('a price that is dear is asked about before it is published, also when it is published with the press that takes it', async ({
  page,
}) => {
  await cell(page, 'Bid 1 price').click();
  await page.keyboard.type('+200bp');
  await page.keyboard.press('Control+Enter');
  const question = page.getByRole('dialog', { name: 'Publish WETH/USDC against the reference?' });
  await expect(question).toContainText('bps through the reference');
  await question.getByRole('button', { name: 'Keep it a draft' }).click();
  await page.getByRole('button', { name: /^Discard/ }).click();
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('what is typed right behind a press of Publish stays a draft, and what stood there at the press is live', async ({
  page,
  desk,
}) => {
  const size = cell(page, 'Ask 3 size');
  const live = async () => Number((await published(desk)).ladder.asks[2]?.[1]);
  const before = await live();
  await size.click();
  await expect(size).toBeFocused();
  // In one go: no answer of the desk comes between these keys, however fast it is.
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
      );
    press(']');
    press('Enter', true);
    press(']');
  });
  await expect(page.getByText(/^WETH\/USDC revision [\d,]+ published/)).toBeVisible();
  await expect(page.getByText('1 cell changed')).toBeVisible();
  expect(await live()).toBeGreaterThan(before);
  expect(Number((await size.innerText()).replaceAll(',', ''))).toBeGreaterThan(await live());
  await page.getByRole('button', { name: /^Discard/ }).click();
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('typed into the search, one change reprices all pairs of a token: shown, checked and published together', async ({
  page,
  desk,
}) => {
  const { taker } = await takerOf(desk);
  const sizes = async () => {
    const { prices } = (await taker.get('/prices')).json;
    return [prices?.['WETH/USDC']?.bids?.[0]?.[1], prices?.['LINK/WETH']?.bids?.[0]?.[1]].map(Number);
  };
  // A ladder that stands still is closed on one side as soon as the reference has moved by its spread: this one goes with it.
  const follow = page.getByRole('switch', { name: 'Follow the reference' });
  await follow.click();
  await expect(follow).toBeChecked();
  let before: number[] = [];
  const read = async () => {
    before = await sizes();
    return before;
  };
  await expect.poll(read).not.toContain(Number.NaN);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('WETH sizes x0.5');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('checkbox', { name: 'Reprice LINK/WETH on Practice', exact: true })).toBeChecked();
  await dialog.getByRole('button', { name: /^Put into \d+ drafts and check$/ }).click();
  await dialog.getByRole('button', { name: /^Publish \d+ pairs$/ }).click();
  await expect(dialog.getByRole('button', { name: /^Undo: \d+ pairs as before$/ })).toBeVisible();
  await expect.poll(sizes).toEqual(before.map((size) => size / 2));
  await dialog.getByRole('button', { name: /^Undo: \d+ pairs as before$/ }).click();
  await expect.poll(sizes).toEqual(before);
  await page.keyboard.press('Escape');
});

test('an earlier revision is compared with what is live and loaded back', async ({ page }) => {
  await typeInto(page, 'Bid 1 size', '*2');
  // The keys publish wherever on the page the focus is.
  await page.getByRole('radio', { name: 'Bids', exact: true }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
  await page.getByRole('button', { name: 'Revisions', exact: true }).click();
  await page.getByRole('button', { name: 'Compare' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Revision [\d,]+ against live [\d,]+/);
  await dialog.getByRole('button', { name: /^Load revision/ }).click();
  await expect(page.getByText('1 cell changed')).toBeVisible();
  await page.getByRole('button', { name: publish.name }).click();
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('behind G P the first cell has the focus: what is typed next is its price', async ({ page }) => {
  await goTo(page, 'd');
  await goTo(page, 'p');
  await expect(cell(page, 'Bid 1 price')).toBeFocused();
  await page.keyboard.type('1');
  await expect(page.getByRole('textbox', { name: 'Bid 1 price' })).toHaveValue('1');
  await page.keyboard.press('Escape');
  await expect(page.getByText('The draft is what is live.')).toBeVisible();
});

test('the pairs of each chain stand behind its name, so that nobody takes one for that of the other', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const { chains }: DeskFile = JSON.parse(await makerdesk(desk.folder, 'export'));
  const tabs = page.getByRole('navigation', { name: 'Pairs' });
  // Every tab with the name that stands last before it.
  const shown = () =>
    tabs.evaluate((nav) => {
      let name = '';
      return [...nav.children].flatMap((child) => {
        if (child.matches('a')) return [`${name} ${child.getAttribute('href')?.split('/').at(-2)}`];
        name = child.textContent ?? '';
        return [];
      });
    });
  const names = chains.map(({ name, chainId }) => `${name} ${chainId}`);
  expect(names).toHaveLength(2);
  await expect.poll(async () => [...new Set(await shown())]).toEqual(names);
});

test('any pair is found by its letters', async ({ page }) => {
  await page.keyboard.press('/');
  await page.keyboard.type('link weth');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Draft of LINK/WETH' })).toBeVisible();
  await expect(cell(page, 'Bid 1 price')).toBeFocused();
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('grid', { name: 'Draft of WETH/USDC' })).toBeVisible();
  await expect(cell(page, 'Bid 1 price')).toBeFocused();
});

/** Pastes text where the focus is. */
function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** What is published for WETH/USDC, whether or not the desk serves it just now. */
async function published({ folder }: PracticeDesk): Promise<PublishedLadder> {
  const connection = await connectionTo(folder);
  const { desk } = await connection.desk.settings.get();
  const ladder = await connection.desk.ladders.published({
    chainId: desk.chains[0]?.chainId ?? 0,
    pair: 'WETH/USDC',
  });
  await connection.close();
  return ladder;
}
