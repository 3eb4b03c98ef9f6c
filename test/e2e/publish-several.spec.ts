import type { Browser, Page } from '@playwright/test';
import { cell, goTo, standStill, typeInto } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import type { PracticeDesk } from './practice-desk.ts';
import { type Answers, standBetween } from './unanswered.ts';

/** A person's own browser at the ladder of a pair; of the questions in `which` a test says whether they are answered. */
async function consoleAt(
  browser: Browser,
  desk: PracticeDesk,
  who: { name: string; pair: string; which: RegExp },
): Promise<{ page: Page; answer: (answers: Answers) => void }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const answer = await standBetween(page, who.which);
  await page.goto(`${desk.console}?actor=${encodeURIComponent(who.name)}`);
  await goTo(page, 'p');
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(who.pair.replace('/', ' '));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: `Draft of ${who.pair}` })).toBeVisible();
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  await standStill(page);
  return { page, answer };
}

/** What is typed into the search opens the dialog that shows it pair by pair. */
async function reprice(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('nothing is published before it is checked, and who is sure of dear prices is not of what the draft becomes', async ({
  browser,
  desk,
}) => {
  const ann = await consoleAt(browser, desk, { name: 'Ann', pair: 'WETH/USDC', which: /preview/ });
  const jon = await consoleAt(browser, desk, { name: 'Jon', pair: 'LINK/WETH', which: /preview/ });
  ann.answer('failed');
  await reprice(ann.page, 'LINK/WETH +200bp');
  const dialog = ann.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Put into 1 draft and check' }).click();
  const publish = dialog.getByRole('button', { name: 'Publish 1 pair' });
  await expect(dialog).toContainText('checking…');
  await expect(publish).toBeDisabled();

  ann.answer('given');
  const sure = dialog.getByRole('checkbox', { name: 'LINK/WETH stands against the reference' });
  await expect(sure).not.toBeChecked();
  await expect(publish).toBeDisabled();
  await sure.check();
  await expect(publish).toBeEnabled();

  await typeInto(jon.page, 'Ask 3 size', '*2');
  await expect(sure).not.toBeChecked();
  await expect(publish).toBeDisabled();
  await sure.check();
  await expect(publish).toBeEnabled();
  await dialog.getByRole('button', { name: 'Keep them as drafts' }).click();
  await jon.page.getByRole('button', { name: /^Discard/ }).click();
  await jon.page.getByRole('button', { name: 'Discard all of it' }).click();
  await expect(jon.page.getByText('The draft is what is live.')).toBeVisible();
  await ann.page.context().close();
  await jon.page.context().close();
});

test('a draft that somebody begins while drafts are published is not one of them, unless it is ticked', async ({
  browser,
  desk,
}) => {
  const ann = await consoleAt(browser, desk, { name: 'Ann', pair: 'WETH/USDC', which: /preview/ });
  const jon = await consoleAt(browser, desk, { name: 'Jon', pair: 'LINK/WETH', which: /preview/ });
  await typeInto(ann.page, 'Ask 3 size', '*2');
  await typeInto(jon.page, 'Ask 3 size', '*2');
  await ann.page.getByRole('button', { name: '1 more draft…' }).click();
  const dialog = ann.page.getByRole('dialog');
  const link = dialog.getByRole('checkbox', { name: 'Publish LINK/WETH on Practice', exact: true });
  await expect(link).toBeChecked();
  await link.uncheck();
  await expect(dialog.getByRole('button', { name: 'Publish 1 pair' })).toBeEnabled();

  // Published, and begun again by somebody: that is another draft.
  await dialog.getByRole('button', { name: 'Publish 1 pair' }).click();
  const undo = dialog.getByRole('button', { name: 'Undo: 1 pair as before' });
  await expect(undo).toBeVisible();
  await jon.page.getByRole('button', { name: /^Discard/ }).click();
  await expect(link).toBeHidden();
  await typeInto(jon.page, 'Ask 3 size', '*2');
  await expect(link).toBeVisible();
  await expect(link).not.toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Publish 0 pairs' })).toBeDisabled();
  await undo.click();
  await expect(undo).toBeHidden();
  await jon.page.getByRole('button', { name: /^Discard/ }).click();
  await ann.page.context().close();
  await jon.page.context().close();
});

test('a pair whose change was refused, because somebody is at its draft, is not published with the others', async ({
  browser,
  desk,
}) => {
  const ann = await consoleAt(browser, desk, { name: 'Ann', pair: 'WETH/USDC', which: /ladders\/draft$/ });
  const jon = await consoleAt(browser, desk, { name: 'Jon', pair: 'LINK/WETH', which: /preview/ });
  await reprice(ann.page, 'WETH sizes x0.5');
  const dialog = ann.page.getByRole('dialog');
  await expect(dialog.getByRole('checkbox', { name: 'Reprice LINK/WETH on Practice', exact: true })).toBeChecked();
  // She has their drafts before her as they were, when he writes into one of them.
  ann.answer('failed');
  await typeInto(jon.page, 'Bid 1 size', '7');
  await expect(jon.page.getByText('1 cell changed')).toBeVisible();
  await dialog.getByRole('button', { name: /^Put into \d+ drafts and check$/ }).click();
  await expect(ann.page.getByText('LINK/WETH: Jon changed this cell after you last saw it.')).toBeVisible();
  ann.answer('given');
  await expect(dialog.getByRole('checkbox', { name: 'Publish WETH/USDC on Practice', exact: true })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: /^Publish LINK\/WETH/ })).toBeHidden();
  await dialog.getByRole('button', { name: /^Publish \d+ pairs?$/ }).click();
  const undo = dialog.getByRole('button', { name: /^Undo: \d+ pairs? as before$/ });
  await expect(undo).toBeVisible();
  await expect(jon.page.getByText('1 cell changed')).toBeVisible();
  await undo.click();
  await expect(undo).toBeHidden();
  await jon.page.getByRole('button', { name: /^Discard/ }).click();
  await ann.page.context().close();
  await jon.page.context().close();
});
