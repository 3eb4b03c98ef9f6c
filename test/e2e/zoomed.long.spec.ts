import type { Locator, Page, TestInfo } from '@playwright/test';
import { startTestChain } from '../chain-fixture.ts';
import { goTo, type Letter } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { dismissNotices } from './looker.ts';
import { makerdesk } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';

/** The usual window zoomed to 150 %. */
const ZOOMED = { width: 853, height: 533 };
const PAGES: readonly Letter[] = ['d', 'p', 't', 'l', 'f', 'n', 'j', 'b', 'h', 'o', 's', 'r', 'e'];

/** Takes pictures and collects what cannot be read or pressed on them. */
function zoomed(page: Page, info: TestInfo) {
  const faults: string[] = [];
  const look = async (what: string) => {
    const name = what.replace(/[^\w-]+/g, '-').slice(0, 60);
    const isOver = (await page.getByRole('dialog').count()) > 0;
    // What was scrolled to be pressed is half behind its neighbours; what a menu lies over it may half hide.
    if (!isOver) {
      await page.evaluate(() => {
        for (const element of document.querySelectorAll('main, main *')) element.scrollTop = 0;
      });
    }
    await page.screenshot({ path: info.outputPath(`${name}.png`) });
    const found = (await pageFaults(page)).filter((fault) => !isOver || !fault.startsWith('overlap:'));
    faults.push(...found.map((fault) => `${what}: ${fault}`));
  };
  return { faults, look };
}

/** What opens something: a button whose name ends with dots asks first. One of each sort, whatever it is of. */
async function openersOn(page: Page): Promise<Locator[]> {
  const buttons = page.locator('main').getByRole('button', { name: /…$|^Columns|^Export$/, disabled: false });
  const sorts = new Map<string, Locator>();
  for (const button of await buttons.all()) {
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText());
    const sort = name.replace(/0x[\w…]+|[A-Z][\w.]*\/\w+|\d[\d,.]*/g, '#');
    if (!sorts.has(sort)) sorts.set(sort, button);
  }
  return [...sorts.values()];
}

test('no dialog, menu or drawer is cut in a window that is zoomed to 150 %', async ({ page, openConsole }, info) => {
  await openConsole();
  await expect(page.getByRole('region', { name: 'Activity' }).locator('tbody tr').nth(6)).toBeVisible();
  await page.setViewportSize(ZOOMED);
  const { faults, look } = zoomed(page, info);
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  };
  for (const keys of ['Control+k', '?']) {
    await page.keyboard.press(keys);
    await expect(dialog).toBeVisible();
    await look(`keys ${keys === '?' ? 'help' : 'palette'}`);
    await close();
  }
  const opened: string[] = [];
  for (const letter of PAGES) {
    await goTo(page, letter);
    await expect(page.locator('main section').first()).toBeVisible();
    await expect(page.locator('main').getByRole('status', { name: 'Loading' })).toHaveCount(0);
    for (const opener of await openersOn(page)) {
      await dismissNotices(page);
      let name = '';
      await expect(async () => {
        // A list that lives may have taken the row of a button away meanwhile.
        if ((await dialog.count()) > 0 || (await opener.count()) === 0) return;
        name = await opener.innerText({ timeout: 3_000 });
        await opener.click({ timeout: 3_000 });
        await expect(dialog).toBeVisible({ timeout: 3_000 });
      }).toPass();
      if (!(await dialog.isVisible())) continue;
      opened.push(name);
      await look(`${letter} ${name.replace(/\s+/g, ' ')}`);
      await close();
    }
  }
  expect(opened.length, opened.join(', ')).toBeGreaterThan(15);
  await goTo(page, 'l');
  // What was refused has no order to show.
  await page.locator('[data-seq]').filter({ hasNotText: 'Refused' }).first().click();
  await expect(page.getByRole('region', { name: 'X-ray' })).toContainText('Order');
  await look('x-ray');
  await page.keyboard.press('Escape');
  await goTo(page, 'j');
  await page.locator('[data-seq]').first().click();
  await expect(page.getByRole('region', { name: 'Event', exact: true })).toContainText('Hash');
  await look('event');
  expect(faults).toEqual([]);
});

const FAR = { name: 'Arbitrum', chainId: 42_161 };

test('First start at 150 %: tokens that the maker holds and what the first chain has are taken one by one, and nothing is cut', async ({
  page,
}, info) => {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const desk = await startEmptyDesk();
  try {
    const { rpcUrl, weth, usdc, rfqContract, accounts } = chain;
    const signer = accounts.maker.address;
    const shared = { rfqContract, domainName: chain.domainName, maker: signer, signer };
    const token = (symbol: string, address: string, decimals: number) => {
      return { symbol, name: symbol, address, decimals, type: 'ERC20' };
    };
    const far = {
      ...FAR,
      ...shared,
      basePath: '/far',
      rpcUrl: 'http://127.0.0.1:1',
      tokens: { WETH: token('WETH', weth, 18), USDC: token('USDC', usdc, 6) },
      pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 250_000 } },
      prices: { 'WETH/USDC': { bids: [['3399', '2.5']], asks: [['3401', '2.5']] } },
      limits: { maxQuote: { WETH: '5' }, maxOutstanding: { WETH: '20' } },
    };
    const here = { chainId: chain.chainId, name: 'Optimism', basePath: '/here', rpcUrl, ...shared };
    const { faults, look } = zoomed(page, info);
    await page.setViewportSize(ZOOMED);
    await page.goto(desk.console);
    await page.getByRole('radio', { name: 'Import a desk file' }).click();
    await page.getByLabel('Choose the file…').setInputFiles({
      name: 'desk.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ version: 1, chains: [here, far] })),
    });
    await look('compare');
    await page.getByRole('button', { name: 'Import it' }).click();
    const steps = page.getByRole('region', { name: 'Steps' });
    const open = async (name: string) => {
      await steps.getByRole('button', { name: new RegExp(name) }).click();
      await dismissNotices(page);
    };
    for (const name of ['Passphrase', 'Key', 'Network', 'approvals', 'Counterparty', 'Takers', 'Surface', 'Go live']) {
      await open(name);
      await look(name);
    }
    await open('Tokens');
    const held = page.getByRole('region', { name: 'Also held by the maker' });
    await expect(held).toContainText('34,120,000');
    await look('held');
    await held.getByRole('button', { name: 'Take WETH' }).click();
    await held.getByRole('button', { name: 'Take USDC' }).click();
    await expect(held).toHaveCount(0);
    await open('Pairs and first');
    const asThere = page.getByRole('region', { name: `As on ${FAR.name}` });
    await look('as there');
    await asThere.getByRole('button', { name: 'Take WETH/USDC' }).click();
    await asThere.getByRole('button', { name: 'Set these 2 limits' }).click();
    await expect(asThere).toHaveCount(0);
    const form = page.getByRole('form', { name: `Ladder of WETH/USDC as on ${FAR.name}` });
    await form.getByLabel(/^Mid/).fill('1700');
    await expect(form.getByRole('table')).toContainText('1,699');
    await look('ladder as there');
    await form.getByRole('button', { name: /^Publish/ }).click();
    await expect(form).toHaveCount(0);
    const file = JSON.parse(await makerdesk(desk.folder, 'export'));
    expect(file.chains[0]).toMatchObject({
      pairs: { 'WETH/USDC': { liquidityUSD: 250_000 } },
      prices: { 'WETH/USDC': { bids: [['1699', '2.5']], asks: [['1701', '2.5']] } },
      limits: { maxQuote: { WETH: '5' }, maxOutstanding: { WETH: '20' } },
    });
    expect(faults).toEqual([]);
  } finally {
    await desk.stop();
    await chain.close();
  }
});
