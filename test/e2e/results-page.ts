import type { Page } from '@playwright/test';
import { connectionTo } from '../desk/connection.ts';
import { expect } from './console-test.ts';
import type { PracticeDesk } from './practice-desk.ts';

export const parts = (page: Page) => page.getByRole('region', { name: 'Net and its parts' });
export const table = (page: Page, by: string) => page.getByRole('region', { name: `By ${by}`, exact: true });

/** Until so many fills are seen. */
export async function tradeUntil({ folder }: PracticeDesk, count: number): Promise<void> {
  const connection = await connectionTo(folder);
  const { desk } = connection;
  const seen = async () => (await desk.fills.list({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000 })).length;
  await expect.poll(seen, { timeout: 120_000 }).toBeGreaterThanOrEqual(count);
  await connection.close();
}

/** Has the desk approve a token, which costs gas. */
export async function approve({ folder }: PracticeDesk): Promise<void> {
  const connection = await connectionTo(folder);
  const sent = await connection.desk.onChain.setAllowance({ chainId: 31337, tokenId: 'USDC', amount: '900000000' });
  expect(sent.map(({ outcome }) => outcome)).toEqual(['confirmed']);
  await connection.close();
}
