import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { DeskClient } from '../../electron/desk/desk-line.ts';
import { PATIENCE } from '../how-long.ts';
import { chainReader } from './chain-reader.ts';
import { expect } from './console-test.ts';
import type { PracticeDesk } from './practice-desk.ts';

export const ticket = (page: Page) => page.getByRole('region', { name: 'Hedge', exact: true });
export const act = (page: Page) => ticket(page).locator('footer button:has(kbd)');
export const tracker = (page: Page) => page.getByRole('region', { name: /^Hedge \d+$/ });

export const steps = (page: Page) => tracker(page).getByRole('list', { name: 'Steps' });

/** A tenth of a token of 18 decimals. */
export const TENTH = 10n ** 17n;

/** Types a hedge; fields by their labels. */
export async function typeTicket(
  page: Page,
  fields: { we: 'sell' | 'buy'; amount: string; token: string; other: string },
) {
  const form = ticket(page);
  await form.getByLabel('We', { exact: true }).selectOption(fields.we);
  await form.getByLabel('Token').selectOption({ label: fields.token });
  await form.getByLabel(fields.we === 'sell' ? 'For' : 'With', { exact: true }).selectOption({ label: fields.other });
  await form.getByLabel('Amount').fill(fields.amount);
}

export async function chooseWay(page: Page, name: string): Promise<void> {
  await ticket(page).getByRole('radio', { name, exact: true }).click();
}

/** Words as they stand on the screen, where figure and unit are never parted. */
export const said = (words: RegExp) => new RegExp(words.source.replaceAll(' ', '\\s'));

/** Presses the button once it can be pressed, and gives the tracker of the hedge. */
export async function place(page: Page, words: RegExp): Promise<Locator> {
  await expect(act(page)).toContainText(said(words));
  await expect(act(page)).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  return followed(page);
}

/** Presses the button until the question stands that it asks: a press while a price is too old or asked for anew is none. */
export async function pressUntil(page: Page, question: Locator): Promise<void> {
  await expect(async () => {
    if (await question.isVisible()) return;
    await expect(act(page)).toBeEnabled({ timeout: 10_000 });
    await page.keyboard.press('Control+Enter');
    await expect(question).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

/**
 * The tracker once a hedge was placed: the ticket has let go of its amount, and the new hedge is followed. The practice pools take
 * a fee, so that a price may be far enough off the reference to be asked about first. A press while a price was too old or asked for
 * anew was none, and is made again: not after a refusal, and of a hedge that is under way or was placed the button cannot be pressed.
 * `timeout`: milliseconds.
 */
export async function followed(page: Page, { timeout = PATIENCE } = {}): Promise<Locator> {
  const question = page.getByRole('dialog', { name: 'Far off the reference' });
  const sendAllTheSame = question.getByRole('button', { name: 'Send it all the same' });
  const refused = ticket(page).locator('footer [data-level="stop"]');
  const amount = ticket(page).getByLabel('Amount');
  await expect(async () => {
    if (await question.isVisible()) await sendAllTheSame.click({ timeout: 10_000 });
    try {
      await expect(amount).toHaveValue('', { timeout: 1_000 });
    } catch (stands) {
      const isAnswered = (await page.getByRole('dialog').or(refused).count()) > 0;
      if (!isAnswered && (await act(page).isEnabled())) await page.keyboard.press('Control+Enter');
      throw stands;
    }
  }).toPass({ timeout });
  await expect(tracker(page)).toBeVisible();
  return tracker(page);
}

export async function isDone(page: Page): Promise<void> {
  await expect(tracker(page).getByRole('status')).toHaveText('done');
}

/** What a way gives or takes by its quote, in units of the other token. */
export async function quoted(page: Page, way: 'Market' | 'Intent', row: RegExp): Promise<number> {
  const cell = ticket(page)
    .getByRole('row', { name: row })
    .getByRole('cell')
    .nth(way === 'Market' ? 0 : 1);
  await expect(cell).toContainText(/\d/);
  return Number(/[\d,.]+/.exec((await cell.textContent()) ?? '')?.[0]?.replaceAll(',', ''));
}

/** The row of the newest hedge, or of one before it, says that so much was given or got, raw. */
export async function says(page: Page, amount: bigint, before = 0): Promise<void> {
  const row = page
    .getByRole('region', { name: 'Hedges' })
    .getByRole('row')
    .nth(1 + before);
  await expect(row.locator(`[data-raw="${amount}"]`)).toBeVisible();
}

/** What the service paid back of the maker's orders whose bridge failed. */
export async function refunds(desk: PracticeDesk, maker: string): Promise<{ amount: string }[]> {
  const answer = await fetch(`${desk.service}/v2/intent/orders?userAddress=${maker}&status=REFUNDED`);
  const { data } = (await answer.json()) as { data: { refunds: { amount: string }[] }[] };
  return data.flatMap((order) => order.refunds);
}

/** The name of the hedge that is followed: `Hedge 41`. */
export async function followedName(page: Page): Promise<string> {
  return (await tracker(page).getAttribute('aria-label')) ?? '';
}

/** Follows another hedge of the list, by its name. */
export async function follow(page: Page, name: string): Promise<void> {
  const row = new RegExp(`${name.toLowerCase()}:`);
  await page.getByRole('region', { name: 'Hedges' }).getByRole('button', { name: row }).click();
  await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
}

/** Where the practice market has put a handler and a strategy that anybody may use. */
export function intentContracts(desk: PracticeDesk): Partial<Record<string, string>> {
  const { chains } = JSON.parse(readFileSync(join(desk.folder, 'market', 'market.json'), 'utf8'));
  return chains['31337'].intents?.addresses ?? {};
}

/** Has the desk sell a WETH for far more than it is worth: an order that stays open. Returns the hedge's number. */
export async function placeLimitOrder({
  hedge,
  settings,
  listings,
}: Pick<DeskClient, 'hedge' | 'settings' | 'listings'>): Promise<number> {
  const chainId = (await settings.get({})).desk.chains[0]?.chainId ?? 0;
  const { tokens } = await listings.list({ chainId });
  const address = (symbol: string) => tokens[symbol]?.address ?? '0x';
  const ask = { chainId, srcToken: address('WETH'), destToken: address('USDC'), amount: '1' };
  const { seq } = await hedge.place({ ask, way: { mode: 'limit', limitAmount: '900000' }, approval: 'approve' });
  await expect.poll(async () => (await hedge.get({ seq })).state).toBe('submitted');
  return seq;
}

/** Sells `amount` WETH for USDC by an order of one kind, and follows it until the chain has what the screen says. */
export async function orderToItsEnd(
  page: Page,
  desk: PracticeDesk,
  { way, amount, gives, more = {} }: { way: string; amount: string; gives: bigint; more?: Record<string, string> },
): Promise<void> {
  const chain = await chainReader(desk, 31337);
  const before = await chain.holdings('WETH', 'USDC');
  await chooseWay(page, way);
  await typeTicket(page, { we: 'sell', amount, token: 'WETH', other: 'USDC' });
  const given: Partial<Record<string, string>> = {
    ...intentContracts(desk),
    ...(way === 'Limit' && { limit: `${Math.floor((await quoted(page, 'Intent', /^We get/)) * 0.97)}` }),
  };
  for (const [label, text] of Object.entries(more)) {
    await ticket(page)
      .getByLabel(label)
      .fill(given[text] ?? text);
  }
  await place(page, new RegExp(`Sell ${amount} WETH for at least`));
  await isDone(page);
  const after = await chain.holdings('WETH', 'USDC');
  // What a strategy paid while the tokens lay in it is the owner's on top.
  const earned = way === 'Productive' ? await chain.gotFrom(intentContracts(desk).strategy ?? '', 'WETH') : 0n;
  expect(before.WETH - after.WETH + earned).toBe(gives);
  await says(page, after.USDC - before.USDC);
}
