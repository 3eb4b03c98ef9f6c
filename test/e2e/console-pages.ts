import { expect, type Locator, type Page } from '@playwright/test';
import { type DeskFile, deskFileSchema } from '../../electron/contract/desk-file.ts';
import { PAGES } from '../../renderer/state/pages.ts';
import { type TakerClient, takerClient } from '../desk/taker-client.ts';
import { makerdesk } from './makerdesk.ts';
import type { PracticeDesk } from './practice-desk.ts';

/** A page by its letter behind G. */
export type Letter = (typeof PAGES)[number]['letter'];

/** Goes to a page of the console the way a trader does: G, then its letter. */
export async function goTo(page: Page, letter: Letter): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status' })).toContainText(/LIVE|DRAIN|HALTED/);
  const path = PAGES.find((candidate) => candidate.letter === letter)?.path ?? '';
  // On a machine that is busy the letter may come so long after the G that it does not count.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    const at = await page.evaluate(() => window.location.hash.slice(1));
    expect(path === '/' ? at === path : at.startsWith(path)).toBe(true);
  }).toPass();
}

/** Every page: most have a letter behind G, the others are gone to by their address. */
export const EVERY_PAGE: readonly { letter?: Letter; name: string }[] = [
  { letter: 'd', name: 'desk' },
  { letter: 'p', name: 'prices' },
  { letter: 't', name: 'tokens-and-pairs' },
  { letter: 'l', name: 'firm-log' },
  { letter: 'f', name: 'fills' },
  { letter: 'n', name: 'results' },
  { letter: 'v', name: 'handover' },
  { letter: 'j', name: 'journal' },
  { letter: 'w', name: 'what-if' },
  { letter: 'b', name: 'blacklist' },
  { letter: 'h', name: 'hedge' },
  { letter: 'o', name: 'protections' },
  { letter: 'a', name: 'approvals' },
  { letter: 'm', name: 'fleet' },
  { letter: 's', name: 'service' },
  { letter: 'r', name: 'practice' },
  { letter: 'e', name: 'settings' },
  { name: 'stops' },
  { name: 'guide' },
];

/** Goes to a page of that list, and does not wait for what it shows. */
export async function goToListed(page: Page, { letter, name }: (typeof EVERY_PAGE)[number]): Promise<void> {
  if (letter !== undefined) await goTo(page, letter);
  else await page.evaluate((path) => location.assign(`#/${path}`), name);
  await expect(page).toHaveURL(name === 'desk' ? /#\/$/ : new RegExp(`#/${name}`));
}

/** A cell of the ladder's draft by its name, such as `Bid 1 price`. */
export function cell(page: Page, name: string): Locator {
  return page.getByRole('gridcell', { name: new RegExp(`^${name}:`) });
}

/** Leaves the ladder where it is: a figure that moves with the reference is no figure to compare with. */
export async function standStill(page: Page): Promise<void> {
  const follow = page.getByRole('switch', { name: 'Follow the reference' });
  await expect(follow).toBeEnabled();
  if (!(await follow.isChecked())) return;
  await follow.click();
  await expect(follow).not.toBeChecked();
  // Only now is a move that was on its way in force as well.
  await expect(follow).toBeEnabled();
}

/** Types over a cell and takes what was typed. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await cell(page, name).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** What a desk had when it was first asked of: a taker needs of it what no test changes, and a command is not run for each. */
const exported = new WeakMap<PracticeDesk, Promise<DeskFile>>();

/** A taker with the practice service's credentials. */
export async function takerOf(desk: PracticeDesk, user?: `0x${string}`): Promise<{ taker: TakerClient }> {
  const file =
    exported.get(desk) ??
    makerdesk(desk.folder, 'export', '--with-secrets').then((text) => deskFileSchema.parse(JSON.parse(text)));
  exported.set(desk, file);
  return { taker: takerClient(desk.surface, await file, user) };
}

/**
 * An order for a taker. A desk closes for a moment where its machine was held up and its chain or its prices are old by that:
 * they ask again, as a taker would.
 */
export async function orderFor(taker: TakerClient, ...asked: Parameters<TakerClient['firm']>) {
  let order: Awaited<ReturnType<TakerClient['firm']>>['json']['order'];
  await expect(async () => {
    order = (await taker.firm(...asked)).json.order;
    expect(order).toBeDefined();
  }).toPass();
  return order;
}

/**
 * Takes what else is wrong as known until Resume can be pressed: the self-check comes when it is made, and is made anew meanwhile. So
 * does a stop, or words for it, of which the page heard after the reason was typed.
 */
export async function takeAsKnown(page: Page): Promise<void> {
  await expect(async () => {
    const read = page.getByRole('button', { name: 'I have read it' });
    if (await read.isVisible()) await read.click({ timeout: 2_000 });
    for (const known of await page.getByRole('checkbox', { name: /^Known: / }).all())
      await known.check({ timeout: 2_000 });
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeEnabled({ timeout: 2_000 });
  }).toPass();
}

/** Ends a halt, so that the next test finds a desk that trades. */
export async function resume(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Desk' }).click();
  await page.getByLabel('Why is it safe to trade again?').fill('the test is over');
  // What somebody else said a moment ago may be heard only now, and has to be read first.
  await expect(async () => {
    await takeAsKnown(page);
    await page.getByRole('button', { name: 'Resume', exact: true }).click({ timeout: 20_000 });
  }).toPass();
  await expect(page.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
}
