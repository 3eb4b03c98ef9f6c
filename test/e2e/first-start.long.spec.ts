import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openSender } from '../../electron/practice/chain/sender.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { type NodeProxy, openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deskFileFor } from '../desk/desk-on-chain.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { expect, folderAtHome, openDesktop, test } from './desktop-test.ts';
import { approve, button, field, LONG, missing, stands, step, strip } from './first-start-page.ts';
import { dismissNotices, looker } from './looker.ts';
import { statusOf } from './makerdesk.ts';

const PASSPHRASE = 'typed in the window, nowhere else';
const OF_THE_FILE = 'the passphrase of the wallet';
const KEY = `0x${'5b'.repeat(32)}` as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 1024, height: 700 },
];

let chain: TestChain;
let node: NodeProxy;
test.beforeAll(async () => {
  chain = await startTestChain({ chainId: 1, blockTimeSeconds: 1 });
  node = await openNodeProxy(() => chain.rpcUrl);
});
test.afterAll(async () => {
  await node?.down();
  await chain?.close();
});

/** The funds of the desk's maker, without a single approval; and the file its key comes in. */
async function walletOf(): Promise<{ file: string; maker: `0x${string}`; remove(): void }> {
  const { weth, usdc, accounts, control } = chain;
  const { address: maker } = openSender(chain.rpcUrl, KEY);
  await control.setBalance({ address: maker, value: 10n ** 18n });
  await accounts.maker.call(TEST_TOKEN, weth, 'mint', [maker, 100n * 10n ** 18n]);
  await accounts.maker.call(TEST_TOKEN, usdc, 'mint', [maker, 500_000n * 10n ** 6n]);
  const made = temporaryFolder();
  await storeKey(made.folder, OF_THE_FILE, KEY, randomBytes, { scryptCost: 2 });
  return { file: join(made.folder, 'keystore.json'), maker, remove: made.remove };
}

/** A person who is in a hurry gives a reason and finds nothing to press: the desk stays halted and says why. */
async function refusesToGoLive(page: Page, folder: string, why: RegExp): Promise<void> {
  await expect(button(page, 'Go live…')).toBeDisabled();
  await step(page, 'Go live');
  const panel = page.getByRole('region', { name: 'Go live', exact: true });
  await expect(panel).toContainText(why, { timeout: LONG });
  for (const known of await panel.getByRole('checkbox').all()) await known.check();
  await field(page, 'Why is it safe to go live?').fill('in a hurry');
  await expect(panel).toContainText('Not yet: fix what is named above');
  await expect(panel.getByRole('button', { name: 'Go live', exact: true })).toBeDisabled();
  expect((await statusOf(folder)).state).toBe('HALTED');
}

/** Every file of the folder, however it is written. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test('from a fresh home and nothing in the environment to a live real desk on Ethereum’s chain id, in the window alone, and back after a restart', async ({
  playwright: _,
}, info) => {
  test.setTimeout(900_000);
  const { folder: home, remove } = temporaryFolder();
  const folder = folderAtHome(home);
  const wallet = await walletOf();
  const right = deskFileFor(chain, { maker: wallet.maker, signer: wallet.maker, basePath: '/1' });
  const [party] = right.counterparties;
  const faults: string[] = [];
  const elsewhere = temporaryFolder();
  const backup = join(elsewhere.folder, 'backup.db');
  try {
    const first = await openDesktop(folder, ['--surface-port', '0'], { home });
    const { page } = first;
    const look = looker(page, info, 'first-start', SIZES);
    const picture = async (name: string) => {
      await dismissNotices(page);
      await look.inBoth(name);
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    try {
      await expect(page.getByRole('heading', { name: 'First start' })).toBeVisible({ timeout: LONG });
      await picture('choose');
      await button(page, 'Set up a real desk').click();
      await field(page, 'Passphrase').fill(PASSPHRASE);
      await field(page, 'Repeat it').fill(PASSPHRASE);
      await picture('passphrase');
      await button(page, 'Set the passphrase').click();
      await stands(page, 'Passphrase', 'done');

      await field(page, 'Choose the keystore file…').setInputFiles(wallet.file);
      await field(page, 'Passphrase of the file').fill('not that one');
      await button(page, 'Bring it in').click();
      await expect(page.getByText('It does not open this file.')).toBeVisible({ timeout: LONG });
      await field(page, 'Passphrase of the file').fill(OF_THE_FILE);
      await button(page, 'Bring it in').click();
      await stands(page, 'Key', 'done');

      // A dead node is not taken at all.
      await step(page, 'Network');
      await field(page, 'Network').selectOption({ label: 'Ethereum' });
      await field(page, 'Node').fill('http://127.0.0.1:1');
      await expect(page.getByText(/127\.0\.0\.1:1/).first()).toBeVisible({ timeout: LONG });
      await expect(button(page, 'Take this network')).toBeDisabled();
      await field(page, 'Node').fill(node.url);
      await field(page, 'RFQ contract').fill(chain.rfqContract);
      await field(page, 'Domain name').fill('TEST RFQ 2');
      await expect(button(page, 'Take this network')).toBeEnabled({ timeout: LONG });
      await button(page, 'Take this network').click();
      await stands(page, 'Network', 'done');

      await step(page, 'Tokens');
      const nothingThere = `0x${'12'.repeat(20)}`;
      await field(page, 'Addresses of tokens').fill([chain.weth, nothingThere, chain.usdc].join(' '));
      await button(page, 'Read from chain').click();
      await expect(page.getByText(/No token answers at this address on Ethereum/)).toBeVisible({ timeout: LONG });
      await stands(page, 'Tokens', 'done');
      await picture('tokens');
      await button(page, 'Take it off').click();

      // Wrong decimals are not taken either: the chain says what they are.
      await page.getByRole('navigation', { name: 'Pages' }).getByText('Tokens & pairs').click();
      await page.getByRole('row', { name: /USDC/ }).getByText('Edit').click();
      await field(page, 'Decimals').fill('8');
      await button(page, 'Save USDC').click();
      await expect(
        page.getByText(/USDC has 6 decimals on chain|the token has 6 decimals on chain/).first(),
      ).toBeVisible();
      await page.getByRole('link', { name: 'Back to First start' }).click();

      await step(page, 'Pairs and first ladders');
      await field(page, 'Base').selectOption('WETH');
      await field(page, 'Quote').selectOption('USDC');
      await field(page, 'Liquidity, USD').fill('1,000,000');
      await button(page, 'Add pair').click();
      await field(page, 'Mid').fill('3412');
      await expect(page.getByText(/USDC .*: type a size\.$/)).toBeVisible({ timeout: LONG });
      await field(page, 'A level, USDC').fill('10,000');
      await expect(page.getByText(/We buy .* WETH at/)).toBeVisible({ timeout: LONG });
      await picture('first-ladder');
      await button(page, 'Publish the first ladder').click();
      await stands(page, 'Pairs and first ladders', 'done');

      await step(page, 'Counterparty');
      await field(page, 'Domain').fill(party?.domain ?? '');
      await field(page, 'Access key').fill(party?.accessKey ?? '');
      await field(page, 'Secret key').fill(party?.secretKey ?? '');
      await button(page, 'Keep the credentials').click();
      await stands(page, 'Counterparty', 'done');

      await step(page, 'Takers');
      await field(page, 'Address of a taker').fill(chain.executor);
      await button(page, 'Take it…').last().click();
      await page.getByRole('dialog').getByRole('textbox').fill('deployed by this test');
      await page.getByRole('dialog').getByRole('button', { name: 'Take it' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await stands(page, 'Takers', 'done');

      // A wrong domain name: the contract takes no signature of ours, and nothing is approved to it.
      await stands(page, 'Self-check', 'wrong');
      await expect(missing(page)).toContainText('under the domain name "TEST RFQ 2"');
      await refusesToGoLive(page, folder, /under the domain name "TEST RFQ 2"/);
      await picture('wrong-domain');
      await step(page, 'Network');
      await field(page, 'Domain name').fill(chain.domainName);
      await button(page, 'Save the network').click();

      // A missing approval.
      await step(page, 'Maker and approvals');
      await stands(page, 'Maker and approvals', 'to do');
      await expect(missing(page)).toContainText('2 approvals');
      await approve(page, 'WETH');
      await expect(missing(page)).toContainText('1 approval', { timeout: LONG });
      await picture('approvals');
      await refusesToGoLive(page, folder, /USDC is not approved for the RFQ contract/);
      await step(page, 'Maker and approvals');
      await approve(page, 'USDC');
      await stands(page, 'Maker and approvals', 'done');
      await expect(missing(page)).toContainText('Nothing is missing', { timeout: LONG });

      // A node that dies on the way.
      await node.down();
      await stands(page, 'Network', 'wrong');
      await refusesToGoLive(page, folder, /node|answer/i);
      await node.up();
      await stands(page, 'Network', 'done');
      await expect(missing(page)).toContainText('Nothing is missing', { timeout: LONG });

      await button(page, 'Go live…').click();
      await picture('go-live');
      await field(page, 'Why is it safe to go live?').fill('the first day, checked by two');
      await page
        .getByRole('region', { name: 'Go live', exact: true })
        .getByRole('button', { name: 'Go live', exact: true })
        .click();
      await expect(strip(page)).toContainText('LIVE', { timeout: LONG });
      await expect(page.getByRole('heading', { name: 'Desk', exact: true })).toBeVisible();
      await signs(page);
    } finally {
      faults.push(...look.faults);
      await first.close();
    }

    const second = await openDesktop(folder, ['--surface-port', '0'], { home });
    const again = looker(second.page, info, 'unlock', SIZES);
    try {
      const { page: locked } = second;
      await expect(locked.getByRole('heading', { name: 'Locked' })).toBeVisible({ timeout: LONG });
      await again.inBoth('locked');
      await field(locked, 'Passphrase').fill('a guess of somebody else');
      await button(locked, 'Unlock').click();
      await expect(locked.getByText('This is not the passphrase of this desk.')).toBeVisible({ timeout: LONG });
      await again.inBoth('wrong');
      await field(locked, 'Passphrase').fill(PASSPHRASE);
      await expect(button(locked, 'Unlock')).toBeEnabled();
      await button(locked, 'Unlock').click();
      await expect(strip(locked)).toContainText('LIVE', { timeout: LONG });
      await signs(locked);
      await locked.getByRole('navigation', { name: 'Pages' }).getByText('Settings').click();
      await locked.getByRole('link', { name: 'Backups' }).click();
      // The system's own dialog is no page: it answers as a person who chose this file would have it.
      await second.app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, backup);
      await button(locked, 'Choose…').click();
      await expect(field(locked, 'Write it to')).toHaveValue(backup);
      await button(locked, 'Make the backup').click();
      await expect(locked.getByText('The backup is written.')).toBeVisible({ timeout: LONG });
      await dismissNotices(locked);
      await again.inBoth('backups');
      // What it signs from here on the backup does not know.
      await signs(locked);
    } finally {
      faults.push(...again.faults);
      await second.close();
    }

    // Another program has the port: the desk opens all the same, says so, and can stay on the one that stands in for it.
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port: taken } = other.address() as AddressInfo;
    const third = await openDesktop(folder, ['--surface-port', String(taken)], { home });
    const back = looker(third.page, info, 'put-back', SIZES);
    try {
      const { page: locked } = third;
      await button(locked, 'Put a backup back…').click({ timeout: LONG });
      await third.app.evaluate(({ dialog }, file) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [file] });
      }, backup);
      await button(locked, 'Choose…').click();
      await expect(field(locked, 'File of the backup')).toHaveValue(backup);
      await back.look('asked', 'dark');
      await button(locked, 'Put it back').click();
      await expect(locked.getByRole('dialog')).toContainText('The backup is in place', { timeout: LONG });
      await button(locked, 'On to the passphrase').click();
      await expect(locked.getByText('The desk opens HALTED; going live is a separate step.')).toBeVisible();
      await field(locked, 'Passphrase').fill(PASSPHRASE);
      await button(locked, 'Unlock').click();
      await expect(strip(locked)).toContainText('HALTED', { timeout: LONG });
      await expect.poll(async () => (await statusOf(folder)).state, { timeout: LONG }).toBe('HALTED');
      await expect(locked.getByText(/before is not proven complete/).first()).toBeVisible({ timeout: LONG });
      await locked.getByRole('navigation', { name: 'Pages' }).getByText('Settings').click();
      await locked.getByRole('link', { name: 'Surface' }).click();
      await expect(locked.getByText(`Port ${taken} of the surface is taken.`)).toBeVisible();
      await dismissNotices(locked);
      await back.inBoth('port-taken');
      await button(locked, /^Stay on port \d+$/).click();
      await expect(locked.getByText(`Port ${taken} of the surface is taken.`)).toBeHidden({ timeout: LONG });
      await locked.getByRole('link', { name: 'Desk file' }).click();
      await field(locked, 'Choose the file…').setInputFiles({
        name: 'desk.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify({ ...right, counterparties: [] })),
      });
      await expect(locked.getByRole('row', { name: /^Counterparty may ask not there$/ })).toBeVisible({
        timeout: LONG,
      });
      await back.inBoth('compared');
    } finally {
      faults.push(...back.faults);
      await third.close();
      other.close();
    }
    for (const secret of [PASSPHRASE, OF_THE_FILE, KEY.slice(2), party?.secretKey ?? '?']) {
      expect(everythingIn(folder)).not.toContain(secret);
    }
    expect(faults).toEqual([]);
  } finally {
    wallet.remove();
    elsewhere.remove();
    remove();
  }

  /** Somebody asks the surface that the screen names, and gets signed orders on both sides. */
  async function signs(page: Page): Promise<void> {
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Service').click();
    const aside = await page
      .getByText(/^http:\/\/127\.0\.0\.1:\d+\/1$/)
      .first()
      .textContent();
    const client = takerClient(new URL(aside ?? '').origin, right);
    await expect(async () => {
      const asks = await client.firm('asks', { makerAmount: '1000000000000' });
      const bids = await client.firm('bids', { takerAmount: '1000000000000' });
      expect([asks.status, bids.status], JSON.stringify([asks.json, bids.json])).toEqual([200, 200]);
      expect([asks.json.order, bids.json.order]).toEqual([expect.anything(), expect.anything()]);
    }).toPass({ timeout: LONG });
  }
});
