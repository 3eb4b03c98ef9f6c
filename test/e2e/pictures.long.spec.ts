import type { Page } from '@playwright/test';
import type { Protection } from '../../electron/contract/protections.ts';
import { connectionTo } from '../desk/connection.ts';
import { EVERY_PAGE, goTo, goToListed, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { act, followed, isDone, placeLimitOrder, ticket, typeTicket } from './hedge-page.ts';
import {
  AXE_WIDTH,
  axeFaults,
  dismissNotices,
  faultsIn,
  looker,
  OTHER_SIZES,
  SIZES,
  setTheme,
  THEMES,
} from './looker.ts';
import { pageFaults } from './page-faults.ts';
import type { PracticeDesk } from './practice-desk.ts';

/**
 * Takes every page in every size and theme, each opened once, and collects what is clipped, overlaps or cannot be read; of
 * `others`, further sizes, no picture is taken. `fill`: by page, what is done there before it is looked at.
 */
async function takePictures(
  page: Page,
  {
    what,
    others = [],
    fill = {},
  }: { what: string; others?: typeof OTHER_SIZES | []; fill?: Readonly<Record<string, () => Promise<void>>> },
  folder: (name: string) => string,
): Promise<string[]> {
  const faults: string[] = [];
  for (const listed of EVERY_PAGE) {
    await openPage(page, listed);
    await fill[listed.name]?.();
    for (const theme of THEMES) {
      await setTheme(page, theme);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await dismissNotices(page);
        const label = `${listed.name}-${what}-${size.width}x${size.height}-${theme}`;
        await page.screenshot({ path: folder(`${label}.png`) });
        const found = await pageFaults(page);
        if (size.width === AXE_WIDTH) found.push(...(await axeFaults(page, theme)));
        faults.push(...found.map((fault) => `${label}: ${fault}`));
      }
    }
    faults.push(...(await faultsIn(page, `${listed.name}-${what}`, others)));
  }
  return faults;
}

const LONG_REASON =
  'The reference of two venues stood 61 bps apart for four minutes; the WETH ladders were kept where they were until the second one came back, and three quotes were taken meanwhile.';

/**
 * Stops of every kind for the list of them: by a person with many words, with none, by a drain, of a chain, a pair, a
 * side. The last one lasts until what this gives is called.
 */
async function stopSome({ folder }: PracticeDesk): Promise<() => Promise<void>> {
  const desk = await connectionTo(folder, 'Night desk');
  const { halt, drain, explain, resume: start } = desk.desk.trading;
  const pair = { chainId: 31337, pair: 'WETH/USDC' };
  await halt({ scope: {} });
  await explain({ scope: {}, reason: LONG_REASON });
  await start({ scope: {}, reason: 'Both venues agree again to 2 bps; balances and allowances checked by two.' });
  await drain({ scope: { chainId: 31338 }, seconds: 600, reason: 'node upgrade' });
  await halt({ scope: { chainId: 31338 } });
  await start({ scope: { chainId: 31338 }, reason: 'the new node follows' });
  await halt({ scope: pair });
  await start({ scope: pair, reason: 'a slip' });
  await halt({ scope: { ...pair, side: 'asks' }, reason: 'short of WETH' });
  await start({ scope: { ...pair, side: 'asks' }, reason: 'inventory is back' });
  const last = { chainId: 31337, pair: 'DAI/USDC', side: 'bids' } as const;
  await halt({ scope: last, reason: 'no more DAI' });
  return async () => {
    await start({ scope: last, reason: 'the pictures are taken' });
    await desk.close();
  };
}

/** Only on the second chain, and of fills, so that nothing is refused for it: the first one trips at once, over what was filled already. */
const RULES: Protection[] = [
  {
    name: 'fills-of-a-pair',
    counts: 'filled',
    per: 'pair',
    chains: [31338],
    windowSeconds: 3_600,
    limit: '1',
    freezeSeconds: 0,
  },
  {
    name: 'flow',
    counts: 'signed',
    per: 'user',
    chains: [31338],
    token: 'USDT',
    windowSeconds: 600,
    limit: '90000000',
    warnPercent: 80,
    freezeSeconds: 300,
  },
];

/** Puts rules in place of others, where nobody has changed those. */
async function setRules({ folder }: PracticeDesk, protections: Protection[], seen: Protection[]): Promise<void> {
  const connection = await connectionTo(folder);
  await connection.desk.protections.set({ protections, seen });
  await connection.close();
}

/** Goes to a page and waits until it shows what it has. */
async function openPage(page: Page, listed: (typeof EVERY_PAGE)[number]): Promise<void> {
  await goToListed(page, listed);
  await expect(page.locator('main section').first()).toBeVisible();
  await expect(page.locator('main').getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

test('every page full of practice data: a picture of each, nothing clipped, nothing overlapping, readable by everybody', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Activity' }).locator('tbody tr').nth(4)).toBeVisible();
  const startAgain = await stopSome(desk);
  const fill = {
    'what-if': async () => {
      await page.getByLabel('Spread, each side +').fill('5');
      await page.getByRole('button', { name: 'Price again' }).click();
      await expect(page.getByRole('region', { name: 'By pair' }).locator('tbody tr').first()).toBeVisible();
    },
    protections: async () => {
      await setRules(desk, RULES, []);
      await expect(page.getByText('fills-of-a-pair has tripped').first()).toBeVisible();
    },
  };
  const faults = await takePictures(page, { what: 'full', fill }, (name) => info.outputPath(name));
  await setRules(desk, [], RULES);
  await startAgain();
  expect(faults).toEqual([]);
});

test('a hedge at work: its quote, its end and what its fill came to, a price that gives much away, automatic hedging', async ({
  page,
  openConsole,
}, info) => {
  await openConsole();
  await goTo(page, 'h');
  const { faults, look, inBoth } = looker(page, info, 'hedge');
  await expect(page.getByRole('region', { name: 'Unhedged fills' }).getByRole('checkbox').first()).toBeEnabled();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(act(page)).toBeEnabled();
  await inBoth('quote');
  await page.keyboard.press('Control+Enter');
  await followed(page);
  await isDone(page);
  await page.getByLabel('Show').selectOption({ label: 'hedged' });
  await expect(page.getByRole('region', { name: 'Hedged fills' }).getByRole('button')).not.toHaveCount(0);
  // So much that the pool’s price moves with it.
  await typeTicket(page, { we: 'sell', amount: '300.12345678901234567', token: 'WETH', other: 'USDC' });
  await expect(ticket(page)).toContainText(/This costs [\d.]+.%, \$[\d,.]+, of what is given/);
  await inBoth('costly');
  for (const theme of THEMES) {
    await setTheme(page, theme);
    await page.getByRole('button', { name: /^Automatic hedging/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Automatic hedging' });
    await dialog.getByRole('button', { name: 'Change WETH/USDC on Practice', exact: true }).click();
    await look('automatic', theme, () => expectQuestion(page));
    await page.keyboard.press('Escape');
  }
  expect(faults).toEqual([]);
});

test('every page of an empty desk: a picture of each, nothing clipped, nothing overlapping, readable by everybody', async ({
  page,
}, info) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('HALTED');
    const looked = { what: 'empty', others: OTHER_SIZES };
    expect(await takePictures(page, looked, (name) => info.outputPath(name))).toEqual([]);
  } finally {
    await desk.stop();
  }
});

/** That a question is on the page, and has what it shows. */
async function expectQuestion(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

/** What the emergency page asks before it sends anything, by the button that opens it. */
const QUESTIONS = [
  ['intents', 'Cancel intents…'],
  ['allowances', 'Allowances to zero…'],
  ['orders', /^Cancel (\d+ )?orders?…$/],
] as const;

test('the emergency with an order at the service, and each question it asks: pictures in both themes and sizes, nothing clipped', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  const connection = await connectionTo(desk.folder, 'mara');
  const seq = await placeLimitOrder(connection.desk);
  await expect(page.getByRole('region', { name: 'Status' })).toContainText(/\d order/);
  await goTo(page, 'l');
  await page.keyboard.press('Control+Shift+H');
  await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Orders and permits' })).toContainText('Intent order');
  const { faults, look } = looker(page, info, 'emergency', [...SIZES, { width: 1024, height: 700 }]);
  for (const theme of THEMES) {
    await setTheme(page, theme);
    await look('page', theme);
    for (const [what, name] of QUESTIONS) {
      const button = page.getByRole('button', { name }).first();
      if ((await button.count()) === 0) continue;
      await button.click();
      await look(what, theme, () => expectQuestion(page));
      await page.keyboard.press('Escape');
    }
  }
  await page.setViewportSize(SIZES[0]);
  await connection.desk.hedge.cancel({ seq }).catch(() => {});
  await connection.close();
  await page.getByLabel('Why is it safe to trade again?').fill('the pictures are taken');
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Halt all trading now' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('what a person sets once or is asked rarely: settings, takers, an NFT order that is refused, a drain', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  const { faults, look, inBoth } = looker(page, info, 'rare');
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const inDialog = async (what: string, ask: () => Promise<void>) => {
    for (const theme of THEMES) {
      await setTheme(page, theme);
      await ask();
      await look(what, theme, () => expectQuestion(page));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  };
  await goTo(page, 's');
  const leaveOut = page.getByRole('button', { name: 'Leave it out…' }).first();
  await expect(leaveOut).toBeVisible();
  await inDialog('taker', () => leaveOut.click());
  await goTo(page, 'l');
  await inDialog('nft-order', async () => {
    await page.getByRole('button', { name: 'NFT order…' }).click();
    await page.getByRole('button', { name: 'Look it over…' }).click();
    await expect(page.getByRole('dialog')).toContainText('must be 0x and 40 hex characters');
  });
  const connection = await connectionTo(desk.folder, 'mara');
  const { drain, halt, resume: start } = connection.desk.trading;
  await drain({ scope: {}, seconds: 600, reason: 'node upgrade' });
  await expect(page.getByRole('region', { name: 'Drain' })).toBeVisible();
  await inBoth('drain');
  await halt({ scope: {} });
  await expect(page.getByRole('heading', { name: 'HALTED', exact: true })).toBeVisible();
  await goTo(page, 'e');
  await open('Limits');
  await page.getByLabel('WETH, at most signed and live').first().fill('x5');
  await page.keyboard.press('Tab');
  await inBoth('limits');
  await open('Counterparties');
  await inBoth('counterparties');
  await inDialog('counterparty', () => page.getByRole('button', { name: 'Change…' }).first().click());
  await open('Chains');
  await page.getByLabel('Believe a reference move per minute up to, bps').first().fill('12.5');
  await page.getByRole('button', { name: 'Save Practice', exact: true }).click();
  await page.getByLabel('Believe a reference move per minute up to, bps').first().scrollIntoViewIfNeeded();
  await inBoth('chains');
  await start({ scope: {}, reason: 'the pictures are taken' });
  await connection.close();
  expect(faults).toEqual([]);
});

/** The smallest window, the usual one, a large one that is then small and zoomed, and the largest. */
const ROOMS = [OTHER_SIZES[0], SIZES[0], OTHER_SIZES[1], OTHER_SIZES[2], { width: 3840, height: 2160 }];
const SECTIONS = 'chains counterparties surface services signer limits file backups people alerts appearance'.split(
  ' ',
);

test('no window is so small that a word is cut without an ellipsis and a tooltip that says all, or lies under HALT', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Activity' }).locator('tbody tr').nth(4)).toBeVisible();
  const startAgain = await stopSome(desk);
  const faults: string[] = [];
  const lookInEachRoom = async (what: string) => {
    for (const room of ROOMS) {
      await page.setViewportSize(room);
      await dismissNotices(page);
      await page.screenshot({ path: info.outputPath(`${what}-${room.width}.png`) });
      faults.push(...(await pageFaults(page)).map((fault) => `${what} ${room.width}: ${fault}`));
    }
  };
  const settings = SECTIONS.map((section) => ({ name: `settings/${section}` }));
  for (const listed of [...EVERY_PAGE, { name: 'prices/all' }, ...settings]) {
    await openPage(page, listed);
    await lookInEachRoom(listed.name.replace('/', '-'));
  }
  await startAgain();
  await page.keyboard.press('Control+Shift+H');
  for (const name of ['firm-log', 'desk']) {
    await openPage(page, EVERY_PAGE.find((listed) => listed.name === name) ?? { name });
    await lookInEachRoom(`halted-${name}`);
  }
  await resume(page);
  expect(faults).toEqual([]);
});
