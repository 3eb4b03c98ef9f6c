import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { type ChainReader, chainReader } from './chain-reader.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { makerdesk } from './makerdesk.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

const ticket = (page: Page) => page.getByRole('region', { name: 'Hedge', exact: true });
const act = (page: Page) => ticket(page).locator('[data-place]');
const tracker = (page: Page) => page.getByRole('region', { name: /^Hedge \d+$/ });

const steps = (page: Page) => tracker(page).getByRole('list', { name: 'Steps' });

const TENTH = 10n ** 17n;
/** An empty list of shares, as the practice handler reads it: the beneficiary gets all of it. */
const NO_SHARES = `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}`;

/** Types a hedge; fields by their labels. */
async function typeTicket(page: Page, fields: { we: 'sell' | 'buy'; amount: string; token: string; other: string }) {
  const form = ticket(page);
  await form.getByLabel('We', { exact: true }).selectOption(fields.we);
  await form.getByLabel('Token').selectOption({ label: fields.token });
  await form.getByLabel(fields.we === 'sell' ? 'For' : 'With', { exact: true }).selectOption({ label: fields.other });
  await form.getByLabel('Amount').fill(fields.amount);
}

async function chooseWay(page: Page, name: string): Promise<void> {
  await ticket(page).getByRole('button', { name, exact: true }).click();
}

/** Words as they stand on the screen, where figure and unit are never parted. */
const said = (words: RegExp) => new RegExp(words.source.replaceAll(' ', '\\s'));

/** Presses the button once it can be pressed, and gives the tracker of the hedge. */
async function place(page: Page, words: RegExp): Promise<Locator> {
  await expect(act(page)).toContainText(said(words));
  await expect(act(page)).toBeEnabled({ timeout: 20_000 });
  await page.keyboard.press('Control+Enter');
  await expect(tracker(page)).toBeVisible();
  return tracker(page);
}

async function isDone(page: Page): Promise<void> {
  await expect(tracker(page).getByRole('status')).toHaveText('done', { timeout: 30_000 });
}

/** The newest hedge's row says that so much was given or got, raw. */
async function says(page: Page, amount: bigint): Promise<void> {
  const row = page.getByRole('region', { name: 'Hedges' }).getByRole('row').nth(1);
  await expect(row.locator(`[data-raw="${amount}"]`)).toBeVisible();
}

/** What the service paid back of the maker's orders whose bridge failed. */
async function refunds(desk: PracticeDesk, maker: string): Promise<{ amount: string }[]> {
  const answer = await fetch(`${desk.service}/v2/intent/orders?userAddress=${maker}&status=REFUNDED`);
  const { data } = (await answer.json()) as { data: { refunds: { amount: string }[] }[] };
  return data.flatMap((order) => order.refunds);
}

/** Waits for each slice, and takes the chain over to the next one: nobody waits for minutes. */
async function slices(page: Page, chain: ChainReader, sums: readonly string[]): Promise<void> {
  for (const sum of sums) {
    await expect(steps(page)).toContainText(sum, { timeout: 20_000 });
    await chain.leap(60);
  }
}

/** Where the practice market has put a handler and a strategy that anybody may use. */
function intentContracts(desk: PracticeDesk): Partial<Record<string, string>> {
  const { chains } = JSON.parse(readFileSync(join(desk.folder, 'market', 'market.json'), 'utf8'));
  return chains['31337'].intents?.addresses ?? {};
}

test('a trader chooses fills, sells what they came to, follows it to the end, and each says what it came to', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await goTo(page, 'h');
  const fills = page.getByRole('region', { name: 'Unhedged fills' });
  const bought = fills.getByRole('checkbox', { name: /WETH\/USDC, bought/ }).first();
  await bought.check({ timeout: 40_000 });
  const followed = await place(page, /Sell [\d.,]+ WETH for at least [\d.,]+ USDC/);
  await expect(followed.getByRole('status')).toHaveText('done', { timeout: 20_000 });
  await expect(followed.getByRole('list', { name: 'Steps' })).toContainText(/The swap is in block \d+: gave/);
  const history = page.getByRole('region', { name: 'Hedges' });
  await expect(history.getByRole('row').nth(1)).toContainText('done');
  await goTo(page, 'f');
  await expect(page.locator('.fills-table')).toContainText(/hedged/);
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
    await expect(ticket(page).getByRole('row', { name: /^Spender/ })).toContainText('0x');
    const words = /Sell 1\.2 WETH for at least ([\d,.]+) USDC/;
    await expect(act(page)).toBeEnabled({ timeout: 20_000 });
    const least = words.exec(((await act(page).textContent()) ?? '').replaceAll('\u00a0', ' '))?.[1] ?? '';
    await place(page, words);
    await isDone(page);
    const after = await chain.holdings('WETH', 'USDC');
    expect(before.WETH - after.WETH).toBe(12n * 10n ** 17n);
    const got = after.USDC - before.USDC;
    expect(got).toBeGreaterThanOrEqual(BigInt(least.replaceAll(/[,.]/g, '')) * 10_000n);
    await says(page, got);
  });

  test('nothing is sent while the desk is halted but after a question, whose safe answer sends nothing', async ({
    page,
  }) => {
    const chain = await chainReader(desk, 31337);
    await typeTicket(page, { we: 'buy', amount: '0.5', token: 'WETH', other: 'USDC' });
    await expect(act(page)).toBeEnabled({ timeout: 20_000 });
    const before = await chain.holdings('WETH', 'USDC');
    await page.keyboard.press('Control+Shift+H');
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await expect(act(page)).toBeEnabled({ timeout: 20_000 });
    await page.keyboard.press('Control+Enter');
    const question = page.getByRole('dialog', { name: 'The desk is halted' });
    await expect(question).toContainText(said(/Buy 0\.5 WETH for at most/));
    await question.getByRole('button', { name: 'Send nothing' }).click();
    await expect(question).toHaveCount(0);
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
    await resume(page);
  });

  test('automatic hedging is off until a person sets it, and a dry run is said on every page', async ({ page }) => {
    await page.getByRole('button', { name: 'Automatic hedging is off…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Automatic hedging' });
    await dialog.getByRole('button', { name: 'Change WETH/USDC on Practice', exact: true }).click();
    const form = dialog.getByRole('form', { name: 'Automatic hedging of WETH/USDC' });
    await form.getByLabel('WETH/USDC').selectOption({ label: 'dry run: says, does nothing' });
    await form.getByLabel('From, WETH').fill('5');
    await form.getByLabel('At most a day, WETH').fill('100');
    await form.getByRole('button', { name: 'Dry run for WETH/USDC' }).click();
    await expect(dialog.getByRole('row', { name: /WETH\/USDC Practice/ })).toContainText('dry run');
    await page.keyboard.press('Escape');
    await goTo(page, 'd');
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('dry run');
  });

  const KINDS = [
    { name: 'an intent order', way: 'Intent', amount: '0.3', gives: 3n * TENTH },
    { name: 'a limit order', way: 'Limit', amount: '0.4', gives: 4n * TENTH, more: { 'For at least, USDC': '100' } },
    {
      ...{ name: 'an order that a handler settles', way: 'Handler', amount: '0.5', gives: 5n * TENTH },
      more: { 'Handler’s contract': 'handler', 'Handler’s data; 0x is none': NO_SHARES },
    },
    {
      ...{ name: 'a productive order', way: 'Productive', amount: '0.6', gives: 6n * TENTH },
      more: { 'Strategy’s contract': 'strategy' },
    },
  ] as const;
  for (const { name, way, amount, gives, ...kind } of KINDS) {
    test(`${name} is signed, filled and followed to the end, right to the last unit on the chain`, async ({ page }) => {
      const chain = await chainReader(desk, 31337);
      const before = await chain.holdings('WETH', 'USDC');
      await chooseWay(page, way);
      await typeTicket(page, { we: 'sell', amount, token: 'WETH', other: 'USDC' });
      for (const [label, text] of Object.entries('more' in kind ? kind.more : {})) {
        await ticket(page)
          .getByLabel(label)
          .fill(intentContracts(desk)[text] ?? text);
      }
      await place(page, new RegExp(`Sell ${amount} WETH for at least`));
      await isDone(page);
      const after = await chain.holdings('WETH', 'USDC');
      // What a strategy paid while the tokens lay in it is the owner's on top.
      const earned = way === 'Productive' ? await chain.gotFrom(intentContracts(desk).strategy ?? '', 'WETH') : 0n;
      expect(before.WETH - after.WETH + earned).toBe(gives);
      await says(page, after.USDC - before.USDC);
    });
  }

  test('a TWAP sells its slices, one an interval', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await chooseWay(page, 'TWAP');
    await typeTicket(page, { we: 'sell', amount: '0.9', token: 'WETH', other: 'USDC' });
    await place(page, /Sell 0\.9 WETH in 3 slices for USDC, each at most 0\.5 % under its price/);
    await slices(page, chain, ['0.3000', '0.6000']);
    await isDone(page);
    const after = await chain.holdings('WETH', 'USDC');
    expect(before.WETH - after.WETH).toBe(9n * TENTH);
    await says(page, after.USDC - before.USDC);
  });

  test('a TWAP that buys pays no more than was signed', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await chooseWay(page, 'TWAP');
    await typeTicket(page, { we: 'buy', amount: '0.3', token: 'WETH', other: 'USDC' });
    await ticket(page).getByLabel('For at most, USDC').fill('9,000');
    await place(page, /Buy 0\.3 WETH in 3 slices for at most 9,000 USDC/);
    await slices(page, chain, ['0.1000', '0.2000']);
    await isDone(page);
    const after = await chain.holdings('WETH', 'USDC');
    expect(after.WETH - before.WETH).toBe(3n * TENTH);
    const paid = before.USDC - after.USDC;
    expect(paid).toBeLessThanOrEqual(9_000_000_000n);
    await says(page, 3n * TENTH);
    await says(page, paid);
  });

  test('an order to another chain is delivered there', async ({ page }) => {
    const [here, there] = [await chainReader(desk, 31337), await chainReader(desk, 31338)];
    const before = { here: await here.holdings('WETH'), there: await there.holdings('WETH') };
    await chooseWay(page, 'Intent');
    await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WETH', other: 'WETH on Practice Two' });
    await place(page, /Sell 0\.2 WETH for at least [\d.]+ WETH on Practice Two/);
    await isDone(page);
    expect(before.here.WETH - (await here.holdings('WETH')).WETH).toBe(2n * TENTH);
    await says(page, (await there.holdings('WETH')).WETH - before.there.WETH);
  });

  test('what the bridge does not deliver comes back', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH');
    await makerdesk(desk.folder, 'practice', 'fault', 'bridge-down', 'on');
    await chooseWay(page, 'Intent');
    await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WETH', other: 'WETH on Practice Two' });
    await place(page, /Sell 0\.2 WETH/);
    await expect(steps(page)).toContainText('BRIDGING', { timeout: 20_000 });
    await expect(steps(page)).toContainText('REFUNDED', { timeout: 40_000 });
    await makerdesk(desk.folder, 'practice', 'fault', 'bridge-down', 'off');
    // What went into the bridge comes back: all but what the solver took for bringing it there.
    const lost = before.WETH - (await chain.holdings('WETH')).WETH;
    const [refund] = await refunds(desk, chain.maker);
    expect(lost).toBe(2n * TENTH - BigInt(refund?.amount ?? 0));
    expect(lost).toBeLessThan(TENTH / 100n);
  });

  test('an order that waits for its price is cancelled by its owner, and nothing has moved', async ({ page }) => {
    const chain = await chainReader(desk, 31337);
    const before = await chain.holdings('WETH', 'USDC');
    await chooseWay(page, 'Limit');
    await typeTicket(page, { we: 'sell', amount: '0.1', token: 'WETH', other: 'USDC' });
    await ticket(page).getByLabel('For at least, USDC').fill('900,000');
    await place(page, /Sell 0\.1 WETH for at least 900,000 USDC/);
    await expect(steps(page)).toContainText('The service has the order.', { timeout: 20_000 });
    await page.getByRole('region', { name: 'Hedges' }).getByRole('button', { name: 'Cancel…' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the hedge' }).click();
    await expect(tracker(page).getByRole('status')).toHaveText('cancelled', { timeout: 20_000 });
    expect(await chain.holdings('WETH', 'USDC')).toEqual(before);
  });
});
