import type { Browser, Page } from '@playwright/test';
import { consoleAt } from '../../renderer/state/console-address.ts';
import { cell, standStill, typeInto } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import type { PracticeDesk } from './practice-desk.ts';
import { type Answers, FAILED, standBetween } from './unanswered.ts';

/** A person's own browser at the ladder of a pair; a test says which of its questions are answered. */
interface Person {
  page: Page;
  answer: (answers: Answers, which?: RegExp) => void;
}

async function consoleOf(browser: Browser, desk: PracticeDesk, name: string): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const answer = await standBetween(page);
  await page.goto(consoleAt(`${desk.console}?actor=${encodeURIComponent(name)}`, '/prices'));
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  return { page, answer };
}

async function goToPair({ page }: Person, pair: string): Promise<void> {
  // Of the test before it the dialog may stand that says what was published.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('/');
  await page.keyboard.type(pair.replace('/', ' '));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: `Draft of ${pair}` })).toBeVisible();
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  await standStill(page);
}

let ann: Person;
let jon: Person;
test.beforeAll(async ({ browser, desk, kept }) => {
  await kept.close();
  ann = await consoleOf(browser, desk, 'Ann');
  jon = await consoleOf(browser, desk, 'Jon');
});
test.beforeEach(async () => {
  await goToPair(ann, 'WETH/USDC');
  await goToPair(jon, 'LINK/WETH');
});
test.afterAll(async () => {
  for (const person of [ann, jon]) await person?.page.context().close();
});

/** What is typed into the search opens the dialog that shows it pair by pair. */
async function reprice(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('a pair whose draft cannot be read stands in the list with why, and nothing is written until it is read or unticked', async () => {
  ann.answer('failed', /ladders\/draft$/);
  await reprice(ann.page, 'all wider 5bp');
  const dialog = ann.page.getByRole('dialog');
  const dai = dialog.getByRole('row', { name: /DAI\/USDC/ }).first();
  await expect(dai).toContainText(FAILED);
  const put = dialog.getByRole('button', { name: /^Put into \d+ drafts? and check$/ });
  await expect(put).toBeDisabled();
  await expect(dialog).toContainText('every level of 0 of ');
  ann.answer('given');
  await dai.getByRole('button', { name: /^Ask again/ }).click();
  await expect(dialog).toContainText('every level of 1 of ');
  await expect(put, 'the others are not read').toBeDisabled();
  const others = dialog.getByRole('row').filter({ hasText: FAILED });
  for (let left = await others.count(); left > 0; left -= 1) {
    await others
      .nth(left - 1)
      .getByRole('checkbox')
      .uncheck();
  }
  await expect(put).toBeEnabled();
  await expect(put).toHaveText('Put into 1 draft and check');
});

test('nothing is published before it is checked, and who is sure of dear prices is not of what the draft becomes', async () => {
  ann.answer('failed', /preview/);
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
});

test('a draft that somebody begins while drafts are published is not one of them, unless it is ticked', async () => {
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
});

test('a pair whose change was refused, because somebody is at its draft, is not published with the others', async () => {
  await reprice(ann.page, 'WETH sizes x0.5');
  const dialog = ann.page.getByRole('dialog');
  await expect(dialog.getByRole('checkbox', { name: 'Reprice LINK/WETH on Practice', exact: true })).toBeChecked();
  const put = dialog.getByRole('button', { name: /^Put into \d+ drafts and check$/ });
  await expect(put, 'every draft is read').toBeEnabled();
  // One of the two has the drafts open as they were when the other writes into one of them.
  ann.answer('failed', /ladders\/draft$/);
  await typeInto(jon.page, 'Bid 1 size', '7');
  await expect(jon.page.getByText('1 cell changed')).toBeVisible();
  await put.click();
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
});
