import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { addressSchema } from '../../electron/protocol/address.ts';
import { deskFileFor, tokenOf } from '../desk/desk-on-chain.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { type TakerClient, takerClient } from '../desk/taker-client.ts';
import { type NetworkChain, startNetworkChain } from '../network-chain.ts';
import { endProcess } from './desk-process.ts';
import { expect, folderAtHome, openDesktop, test } from './desktop-test.ts';
import { approve, button, field, LONG, missing, stands, step, strip } from './first-start-page.ts';
import { projectRoot } from './project-root.ts';

const PASSPHRASE = 'of a firm that has no terminal';
const PARTY = {
  domain: 'router.example',
  signedPath: 'full' as const,
  accessKey: randomBytes(16).toString('hex'),
  secretKey: randomBytes(32).toString('hex'),
};
/** Any port for the surface and for prices: those of a desk that runs here may be the usual ones. */
const FREE_PORTS = ['--surface-port', '0', '--prices-port', '0'];

let network: NetworkChain;
test.beforeAll(async () => {
  network = await startNetworkChain();
});
test.afterAll(() => network?.chain.close());

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByText(name, { exact: true }).click();
const fillsOn = (page: Page) => page.locator('[data-rows="Fills"]').getByText('WETH/USDC');

test('a firm sets up a real desk in the window alone, with a key of its own and a network’s preset, has it priced by an engine, filled, ended, unlocked and halted', async ({
  playwright: _,
}) => {
  test.setTimeout(900_000);
  const { folder: home, remove } = temporaryFolder();
  const { user } = network.chain.accounts;
  let engine: ChildProcess | null = null;
  try {
    const first = await openDesktop(folderAtHome(home), FREE_PORTS, { home });
    try {
      const { page } = first;
      await setUp(page);
      await button(page, 'Go live…').click();
      await field(page, 'Why is it safe to go live?').fill('the first day, checked by two');
      const live = page.getByRole('region', { name: 'Go live', exact: true });
      await live.getByRole('button', { name: 'Go live', exact: true }).click();
      await expect(strip(page)).toContainText('LIVE', { timeout: LONG });

      const { token, prices } = await makeEngine(page, 'pricer');
      engine = startEngine(token, prices);
      await goTo(page, 'Prices');
      await expect(page.getByText('Engine pricer')).toBeVisible({ timeout: LONG });

      await network.fundUser(user);
      await buys(await takerOf(page));
      await goTo(page, 'Fills');
      await expect(fillsOn(page).first()).toBeVisible({ timeout: LONG });
    } finally {
      if (engine !== null) await endProcess(engine);
      await first.close();
    }

    const second = await openDesktop(folderAtHome(home), FREE_PORTS, { home });
    try {
      const { page } = second;
      await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible({ timeout: LONG });
      await field(page, 'Passphrase').fill(PASSPHRASE);
      await button(page, 'Unlock').click();
      await expect(strip(page)).toContainText('LIVE', { timeout: LONG });
      await goTo(page, 'Fills');
      await expect(fillsOn(page).first()).toBeVisible({ timeout: LONG });
      const taker = await takerOf(page);
      // The engine is gone: nothing is quoted at its last price, and the screen says so.
      await expect
        .poll(async () => (await asks(taker)).json.code, { timeout: LONG })
        .toMatch(/^(prices_stale|halted)$/);
      await page.getByRole('button', { name: 'Halt all trading now' }).click();
      await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible({ timeout: LONG });
      expect(await asks(taker)).toMatchObject({ status: 503, json: { code: 'halted' } });
    } finally {
      await second.close();
    }
  } finally {
    remove();
  }
});

/** Every step of First start, each as a newcomer finds it; nothing is changed that comes from the preset. */
async function setUp(page: Page): Promise<void> {
  await button(page, 'Set up a real desk').click({ timeout: LONG });
  await field(page, 'Passphrase').fill(PASSPHRASE);
  await field(page, 'Repeat it').fill(PASSPHRASE);
  await button(page, 'Set the passphrase').click();
  await stands(page, 'Passphrase', 'done');
  await button(page, 'Make a key').click();
  await stands(page, 'Key', 'done');
  await step(page, 'Key');
  const shown = page.getByTitle(/Click copies the signer’s address/).first();
  const maker = addressSchema.parse((await shown.getAttribute('title'))?.split('\n')[0]);

  await step(page, 'Network');
  await field(page, 'Network').selectOption({ label: 'Ethereum' });
  await field(page, 'Node').fill(network.chain.rpcUrl);
  await expect(button(page, 'Take this network')).toBeEnabled({ timeout: LONG });
  await button(page, 'Take this network').click();
  await stands(page, 'Network', 'done');
  await step(page, 'Tokens');
  await field(page, 'Addresses of tokens').fill(`${network.weth} ${network.usdc}`);
  await button(page, 'Read from chain').click();
  await stands(page, 'Tokens', 'done');
  await step(page, 'Pairs and first ladders');
  await field(page, 'Base').selectOption('WETH');
  await field(page, 'Quote').selectOption('USDC');
  await field(page, 'Liquidity, USD').fill('70,000');
  await button(page, 'Add pair').click();
  await field(page, 'Mid').fill('3412');
  await field(page, 'A level, USDC').fill('10,000');
  await button(page, 'Publish the first ladder').click();
  await stands(page, 'Pairs and first ladders', 'done');
  await step(page, 'Counterparty');
  await field(page, 'Domain').fill(PARTY.domain);
  await field(page, 'Access key').fill(PARTY.accessKey);
  await field(page, 'Secret key').fill(PARTY.secretKey);
  await button(page, 'Keep the credentials').click();
  await stands(page, 'Counterparty', 'done');
  await stands(page, 'Takers', 'done');
  await stands(page, 'Surface', 'done');

  await network.fund(maker);
  await step(page, 'Maker and approvals');
  await approve(page, 'WETH');
  await expect(missing(page)).toContainText('1 approval', { timeout: LONG });
  await approve(page, 'USDC');
  await stands(page, 'Maker and approvals', 'done');
  await stands(page, 'Self-check', 'done');
  await expect(missing(page)).toContainText('Nothing is missing', { timeout: LONG });
}

/** A token for prices, as the window shows it once, with where the engine pushes to. */
async function makeEngine(page: Page, name: string): Promise<{ token: string; prices: string }> {
  await goTo(page, 'Settings');
  await page.getByRole('link', { name: 'People' }).click();
  await button(page, 'Add an engine that pushes prices…').click();
  await field(page, 'Name').fill(name);
  await button(page, 'Make the token').click();
  const made = page.getByRole('dialog', { name: `The token of ${name}` });
  const token = (await made.locator('.mono').first().textContent()) ?? '';
  const prices = (await made.getByText(/^http:\/\/127\.0\.0\.1:\d+$/).textContent()) ?? '';
  await made.getByRole('button', { name: 'It is handed over' }).click();
  await expect(page.getByRole('row', { name: new RegExp(`^${name} prices`) })).toBeVisible();
  return { token, prices };
}

/** The engine of twenty lines, as the firm's own program beside the desk. */
function startEngine(token: string, prices: string): ChildProcess {
  const engine = join(projectRoot, 'resources', 'engines', 'engine.ts');
  const env = { PATH: process.env.PATH, TOKEN: token, PRICES: prices, CHAIN: '1', PAIR: 'WETH/USDC' };
  return spawn(process.execPath, [engine], { env, stdio: 'ignore' });
}

/** Whoever asks the surface that the screen names, with the credentials that were kept. */
async function takerOf(page: Page): Promise<TakerClient> {
  await goTo(page, 'Service');
  const shown = page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/1$/).first();
  const { chain, executor, weth, usdc } = network;
  const tokens = { WETH: tokenOf('WETH', weth, 18), USDC: tokenOf('USDC', usdc, 6) };
  const desk = deskFileFor(chain, { tokens, takers: [executor] });
  const surface = new URL((await shown.textContent()) ?? '').origin;
  return takerClient(surface, { ...desk, counterparties: [PARTY] }, chain.accounts.user.address);
}

const asks = (taker: TakerClient) => taker.firm('asks', { makerAmount: `${5n * 10n ** 17n}` });

/** A user of the service buys 0.5 WETH with a firm quote, on chain. */
async function buys(taker: TakerClient): Promise<void> {
  const { chain, weth } = network;
  const { user } = chain.accounts;
  const before = await chain.balanceOf(weth, user.address);
  await expect(async () => {
    const { status, json } = await asks(taker);
    expect(status, JSON.stringify(json)).toBe(200);
    await network.fill(user, json.order ?? {});
  }).toPass({ timeout: LONG });
  expect((await chain.balanceOf(weth, user.address)) - before).toBe(5n * 10n ** 17n);
}
