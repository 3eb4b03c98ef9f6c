import type { Browser, Page } from '@playwright/test';
import { consoleAt } from '../../renderer/state/console-address.ts';
import { cell, standStill, typeInto } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { noticesOf } from './notices.ts';
import type { PracticeDesk } from './practice-desk.ts';

/** The Prices page as somebody else has it, in a browser of their own. */
async function consoleOf(browser: Browser, desk: PracticeDesk, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(consoleAt(`${desk.console}?actor=${encodeURIComponent(name)}`, '/prices'));
  await expect(cell(page, 'Bid 1 price')).toBeVisible();
  return page;
}

let one: Page;
let two: Page;
test.beforeAll(async ({ browser, desk, kept }) => {
  await kept.close();
  one = await consoleOf(browser, desk, 'Trader 1');
});
test.beforeEach(async ({ browser, desk }) => {
  if (two === undefined || two.isClosed()) two = await consoleOf(browser, desk, 'Trader 2');
  for (const page of [one, two]) await standStill(page);
});
test.afterAll(async () => {
  for (const page of [one, two]) await page?.context().close();
});

test('two people at one pair see each other, and nobody’s change is silently lost', async () => {
  await cell(two, 'Ask 3 price').click();
  await expect(one.getByText('Trader 2 is in asks 3')).toBeVisible();
  await expect(cell(one, 'Ask 3 price')).toHaveAttribute('data-by', /./);
  await expect(cell(one, 'Ask 3 price')).toHaveAttribute('data-by', 'T2');

  // What one writes the other sees at once, with whose it is.
  await typeInto(two, 'Ask 3 size', '9');
  await expect(cell(one, 'Ask 3 size')).toHaveText(/^9(\.0+)?$/);
  await expect(cell(one, 'Ask 3 size')).toHaveAttribute('title', 'Changed by Trader 2');

  // One is still typing when the other has written there: their word is not overwritten unseen, and both are told.
  await cell(one, 'Bid 2 size').click();
  await one.keyboard.type('3');
  await typeInto(two, 'Bid 2 size', '4');
  await expect(cell(two, 'Bid 2 size')).toHaveText(/^4/);
  // Only now has the desk taken it: to whoever typed it, it is on the screen before that.
  await expect(cell(one, 'Bid 2 size')).toHaveAttribute('title', 'Changed by Trader 2');
  await one.keyboard.press('Enter');
  await expect(one.getByRole('alert')).toContainText('Trader 2 changed this cell after you last saw it. You wanted 3.');
  await expect(cell(one, 'Bid 2 size')).toHaveText(/^4/);

  // Undo takes back our own word, never a later one of somebody else.
  await typeInto(one, 'Bid 3 size', '5');
  await expect(cell(two, 'Bid 3 size')).toHaveText(/^5/);
  await typeInto(two, 'Bid 3 size', '6');
  await expect(cell(one, 'Bid 3 size')).toHaveText(/^6/);
  await cell(one, 'Bid 3 size').click();
  const toldToOne = await noticesOf(one);
  await one.keyboard.press('Control+z');
  await expect.poll(toldToOne).toContain('Not undone: somebody has changed it since');
  await expect(cell(one, 'Bid 3 size')).toHaveText(/^6/);

  // A draft with cells of somebody else is not discarded without a question, and they are told.
  await one.getByRole('button', { name: /^Discard/ }).click();
  await expect(one.getByRole('dialog')).toContainText('changes of Trader 2');
  const toldToTwo = await noticesOf(two);
  await one.getByRole('button', { name: 'Discard all of it' }).click();
  await expect.poll(toldToTwo).toMatch(/discarded the draft of WETH\/USDC, and your changes with it/);
  await two.context().close();
  await expect(one.getByText(/Trader 2 (is in|looks on)/)).toBeHidden();
});

test('who is asked before they publish publishes what they were asked about, and never what somebody wrote meanwhile', async () => {
  const isLive = one.getByText('The draft is what is live.');
  await cell(one, 'Bid 1 price').click();
  await one.keyboard.type('+200bp');
  await one.keyboard.press('Control+Enter');
  const dear = one.getByRole('dialog', { name: 'Publish WETH/USDC against the reference?' });
  await expect(dear.getByRole('button', { name: 'Publish it as it stands' })).toBeEnabled();
  await typeInto(two, 'Ask 3 size', '*2');
  await expect(dear.getByRole('alert')).toContainText('The draft was changed after this was asked.');
  await expect(dear.getByRole('button', { name: 'Publish it as it stands' })).toBeDisabled();
  await dear.getByRole('button', { name: 'Keep it a draft' }).click();

  // Neither is a draft discarded that holds more than was said.
  await one.getByRole('button', { name: /^Discard/ }).click();
  const discard = one.getByRole('dialog', { name: 'Discard the draft of WETH/USDC?' });
  await expect(discard.getByRole('button', { name: 'Discard all of it' })).toBeEnabled();
  await typeInto(two, 'Ask 2 size', '*2');
  await expect(discard.getByRole('button', { name: 'Discard all of it' })).toBeDisabled();
  await discard.getByRole('button', { name: 'Keep the draft' }).click();
  await one.getByRole('button', { name: /^Discard/ }).click();
  await one.getByRole('button', { name: 'Discard all of it' }).click();
  await expect(isLive).toBeVisible();

  const follow = one.getByRole('switch', { name: 'Follow the reference' });
  await follow.click();
  await expect(follow).toBeChecked();
  await typeInto(one, 'Bid 3 size', '*2');
  await expect(two.getByText('1 cell changed')).toBeVisible();
  await one.keyboard.press('Control+Enter');
  const follows = one.getByRole('dialog', { name: 'WETH/USDC follows the reference' });
  const keep = follows.getByRole('button', { name: 'Publish and keep following' });
  await expect(keep).toBeFocused();
  await typeInto(two, 'Ask 3 size', '*2');
  await expect(follows.getByRole('alert')).toContainText('The draft was changed after this was asked.');
  await expect(keep).toBeDisabled();
  await expect(follows.getByRole('button', { name: 'Publish and stop following' })).toBeDisabled();
  await one.keyboard.press('Escape');
  await cell(one, 'Bid 3 size').click();
  await one.keyboard.press('Control+Enter');
  await follows.getByRole('button', { name: 'Publish and stop following' }).click();
  await expect(isLive).toBeVisible();
});

test('whose changes went live with somebody else’s publish is told so', async () => {
  await typeInto(one, 'Bid 4 size', '7');
  await expect(cell(two, 'Bid 4 size')).toHaveText(/^7/);
  await cell(two, 'Bid 4 size').click();
  const told = await noticesOf(one);
  await two.keyboard.press('Control+Enter');
  await expect.poll(told).toMatch(/Somebody published WETH\/USDC: revision [\d,]+ is live with your changes/);
  await expect(one.getByText('The draft is what is live.')).toBeVisible();
});
