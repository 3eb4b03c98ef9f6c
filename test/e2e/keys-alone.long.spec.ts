import type { Locator, Page } from '@playwright/test';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { addressSchema } from '../../electron/protocol/address.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { button, field, LONG, missing, stands, strip } from './first-start-page.ts';
import { makerdesk, statusOf } from './makerdesk.ts';

/** More stops of Tab than any page has. */
const MOST_STOPS = 150;

let chain: TestChain;
test.beforeAll(async () => {
  chain = await startTestChain({ chainId: 1, blockTimeSeconds: 1 });
});
test.afterAll(() => chain?.close());

/** Goes on with Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled({ timeout: LONG });
  const focused = target.and(page.locator(':focus'));
  for (let stops = 0; (await focused.count()) === 0; stops += 1) {
    expect(stops, `Tab comes to ${target}`).toBeLessThan(MOST_STOPS);
    await page.keyboard.press('Tab');
  }
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, field(page, label));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await tabTo(page, field(page, label));
  await page.keyboard.type(option);
}

const step = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Steps' }).getByRole('button', { name: new RegExp(name) });

test('by the keys alone an empty desk is set up and goes live, and its limits, chain and counterparties are changed', async ({
  page,
}) => {
  test.setTimeout(600_000);
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible();
    await press(page, button(page, 'Make a key'));
    await stands(page, 'Key', 'done');
    const { weth, usdc, accounts, control } = chain;

    await press(page, step(page, 'Network'));
    await choose(page, 'Network', 'Ethereum');
    await write(page, 'Node', chain.rpcUrl);
    await write(page, 'RFQ contract', chain.rfqContract);
    await write(page, 'Domain name', chain.domainName);
    await press(page, button(page, 'Take this network'));
    await stands(page, 'Network', 'done');
    const maker = addressSchema.parse(JSON.parse(await makerdesk(desk.folder, 'export')).chains[0].maker);
    await control.setBalance({ address: maker, value: 10n ** 18n });
    await accounts.maker.call(TEST_TOKEN, weth, 'mint', [maker, 100n * 10n ** 18n]);
    await accounts.maker.call(TEST_TOKEN, usdc, 'mint', [maker, 500_000n * 10n ** 6n]);

    await press(page, step(page, 'Tokens'));
    await write(page, 'Addresses of tokens', `${weth} ${usdc}`);
    await press(page, button(page, 'Read from chain'));
    await stands(page, 'Tokens', 'done');

    await press(page, step(page, 'Pairs and first ladders'));
    await choose(page, 'Base', 'WETH');
    await choose(page, 'Quote', 'USDC');
    await write(page, 'Liquidity, USD', '1,000,000');
    await press(page, button(page, 'Add pair'));
    await write(page, 'Mid', '3412');
    await write(page, 'A level, USDC', '10,000');
    await press(page, button(page, 'Publish the first ladder'));
    await stands(page, 'Pairs and first ladders', 'done');

    await press(page, step(page, 'Counterparty'));
    await write(page, 'Domain', 'router-prod');
    await write(page, 'Access key', 'an access key');
    await write(page, 'Secret key', 'a secret key of its own');
    await press(page, button(page, 'Keep the credentials'));
    await stands(page, 'Counterparty', 'done');

    await press(page, step(page, 'Takers'));
    await write(page, 'Address of a taker', chain.executor);
    await press(page, button(page, 'Take it…').last());
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await tabTo(page, dialog.getByRole('textbox'));
    await page.keyboard.type('deployed by this test');
    await press(page, dialog.getByRole('button', { name: 'Take it' }));
    await expect(dialog).toBeHidden();
    await stands(page, 'Takers', 'done');

    await press(page, step(page, 'Maker and approvals'));
    for (const token of ['WETH', 'USDC']) {
      await press(page, button(page, `Approve ${token}…`).first());
      await expect(dialog).toContainText('in gas', { timeout: LONG });
      await press(page, dialog.getByRole('button', { name: `Approve ${token}` }));
      await expect(dialog.getByRole('button', { name: 'Close' })).toBeEnabled({ timeout: LONG });
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
    await stands(page, 'Maker and approvals', 'done');
    await expect(missing(page)).toContainText('Nothing is missing', { timeout: LONG });

    await press(page, button(page, 'Go live…'));
    await write(page, 'Why is it safe to go live?', 'the first day, checked by two');
    const panel = page.getByRole('region', { name: 'Go live', exact: true });
    await press(page, panel.getByRole('button', { name: 'Go live', exact: true }));
    await expect(strip(page)).toContainText('LIVE', { timeout: LONG });
    await expect(page.getByRole('heading', { name: 'Desk', exact: true })).toBeVisible();

    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
    const section = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await press(page, section('Limits'));
    await write(page, 'WETH, at most in one quote', '5');
    await press(page, button(page, 'Set the limits of Ethereum'));
    const exported = async () => JSON.parse(await makerdesk(desk.folder, 'export'));
    await expect.poll(async () => (await exported()).chains[0].limits.maxQuote).toEqual({ WETH: '5' });

    await press(page, section('Counterparties'));
    await press(page, button(page, 'Add a counterparty…'));
    await write(page, 'Domain', 'second');
    await write(page, 'Access key', 'key-of-second');
    await write(page, 'Secret key', 'secret-of-second');
    await press(page, button(page, 'Save').and(page.getByText('Save', { exact: true })));
    await expect(page.getByRole('region', { name: 'second' })).toContainText('secret kept');

    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Shift+H');
    await expect.poll(async () => (await statusOf(desk.folder)).state).toBe('HALTED');
    await press(page, button(page, 'Back to the page'));
    await press(page, section('Chains'));
    await write(page, 'Overfill allowed, bps', '50');
    await press(page, button(page, 'Save Ethereum'));
    await expect.poll(async () => (await exported()).chains[0].overfillBps).toBe(50);
  } finally {
    await desk.stop();
  }
});
