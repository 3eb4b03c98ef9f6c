import { existsSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { connectToDesk } from '../../electron/commands/client.ts';
import { connectionTo } from '../desk/connection.ts';
import { PATIENCE } from '../how-long.ts';
import { type KeptConsole, keptConsole } from './kept-console.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

const browser = process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium';
const noBrowser = process.env.MAKERDESK_NO_BROWSER ?? (existsSync(browser) ? null : `there is no ${browser}`);
if (noBrowser !== null) console.warn(`SKIPPED: the console in a browser was NOT tested: ${noBrowser}`);

interface TestFixtures {
  /** Skips the test where there is no browser. */
  hasBrowser: boolean;
  openConsole: () => Promise<void>;
}

interface WorkerFixtures {
  desk: PracticeDesk;
  followers: readonly Follower[];
  kept: KeptConsole;
}

/**
 * Tests of the console in a browser, on a real practice desk: `desk` is one for all tests of a worker, `openConsole`
 * opens its console in the test's page, which is its own. A test that stops the desk for good starts one of its own.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  hasBrowser: [
    async ({ playwright: _ }, use, info) => {
      info.skip(noBrowser !== null, noBrowser ?? '');
      await use(true);
    },
    { auto: true },
  ],
  desk: [
    async ({ playwright: _ }, use) => {
      const desk = await startPracticeDesk();
      await use(desk);
      await desk.stop();
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  followers: [async ({ desk }, use) => use(await followersOf(desk)), { scope: 'worker' }],
  kept: [
    async ({ browser }, use) => {
      const kept = keptConsole(browser);
      await use(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ page, kept }, use) => {
    await kept.close();
    await use(page);
  },
  openConsole: async ({ page, desk, followers }, use) => {
    await letFollow(desk, followers);
    await use(async () => {
      await page.goto(desk.console);
    });
  },
});

/**
 * Tests that look at the console one after the other in one page of their worker: to open a console costs more than what most of them
 * do with it. Each finds it as if it were just opened. What is told to a page before it is opened, and how it opens, is tested in a
 * page of its own.
 */
export const keptTest = test.extend({
  page: async ({ kept, desk, followers }, use) => {
    await letFollow(desk, followers);
    await use(await kept.open(desk));
  },
  context: async ({ page }, use) => use(page.context()),
  openConsole: async ({ page: _ }, use) => use(async () => {}),
});

interface Follower {
  chainId: number;
  pair: string;
}

async function followersOf({ folder }: PracticeDesk): Promise<Follower[]> {
  const connection = await connectionTo(folder);
  const { desk } = await connection.desk.settings.get();
  await connection.close();
  return desk.chains.flatMap(({ chainId, follow }) => follow.map((pair) => ({ chainId, pair })));
}

/** A pair that was published anew follows no more, and its sides close as the market moves: not for the next test. */
async function letFollow({ folder }: PracticeDesk, followers: readonly Follower[]): Promise<void> {
  const connection = await connectToDesk(folder, 'tests', PATIENCE);
  if (connection === null) return; // the test before it ended the desk
  const { desk } = await connection.desk.settings.get();
  for (const { chainId, pair } of followers) {
    const follows = desk.chains.some((chain) => chain.chainId === chainId && chain.follow.includes(pair));
    if (!follows) await connection.desk.ladders.setFollow({ chainId, pair, on: true });
  }
  await connection.close();
}

export { expect };
