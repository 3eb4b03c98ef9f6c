import { expect, type Page } from '@playwright/test';

/** What is waited for at most: opening a key takes a second on a machine of its own, and far longer on a busy one. */
export const LONG = 90_000;

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** What is typed into or chosen from, by its label: a step's panel may have the same name. */
export const field = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator('input, select'));
/** Opens a step by its name in the list. */
export const step = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Steps' })
    .getByRole('button', { name: new RegExp(name) })
    .click();
export const stands = (page: Page, name: string, state: 'done' | 'to do' | 'waits' | 'wrong') =>
  expect(
    page.getByRole('region', { name: 'Steps' }).getByRole('button', { name: new RegExp(`^${state}: ${name}`) }),
  ).toBeVisible({ timeout: LONG });
export const missing = (page: Page) => page.getByRole('region', { name: 'Missing before LIVE' });
export const strip = (page: Page) => page.getByRole('region', { name: 'Status' });

/** Lets the RFQ contract take a token, after the gas of it was shown. */
export async function approve(page: Page, token: string): Promise<void> {
  await button(page, `Approve ${token}…`).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('in gas', { timeout: LONG });
  await dialog.getByRole('button', { name: `Approve ${token}` }).click();
  await dialog.getByRole('button', { name: 'Close' }).click({ timeout: LONG });
}
