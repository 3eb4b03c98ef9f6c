import { encodeFunctionData } from 'viem';
import { openSender } from '../../electron/practice/chain/sender.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { TOKEN_721 } from '../practice/chain/nft-tokens.ts';
import { chainReader } from './chain-reader.ts';
import { goTo, resume } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { noticesOf } from './notices.ts';

const TAKER = `0x${'beef'.repeat(10)}`;
/** Of the practice chain only, for this test. */
const MINTER: Hex = `0x${'6e'.repeat(32)}`;

/** An ERC-721 contract on the first practice chain, with #7 of the maker; and how the maker approves the RFQ contract for it. */
async function nftOfMaker(
  rpcUrl: string,
  maker: string,
): Promise<{ nft: Address; approve(spender: string): Promise<void> }> {
  const minter = openSender(rpcUrl, MINTER);
  const request = (method: string, params: unknown[]) => minter.client.request({ method, params } as never);
  await request('anvil_setBalance', [minter.address, '0x3635c9adc5dea00000']);
  const nft = await minter.deploy(TOKEN_721, []);
  const call = (functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: TOKEN_721.abi, functionName, args });
  await minter.mined(await minter.send({ to: nft, data: call('mint', [maker, 7n]), gas: 200_000n }));
  return {
    nft,
    async approve(spender) {
      await request('anvil_impersonateAccount', [maker]);
      const data = call('setApprovalForAll', [spender, true]);
      const hash = await request('eth_sendTransaction', [{ from: maker, to: nft, data, gas: '0x30d40' }]);
      await minter.mined(hash as Hex);
      await request('anvil_stopImpersonatingAccount', [maker]);
    },
  };
}

test('an NFT order is looked over in plain words, signed, found in the log, named by a halt and cancelled on chain', async ({
  page,
  desk,
  openConsole,
  context,
}, info) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const picture = async (name: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`) });
    }
  };
  const { maker, rfqContract } = await chainReader(desk, 31_337);
  const { nft, approve } = await nftOfMaker(desk.rpc, maker);
  await openConsole();
  await goTo(page, 'l');
  await page.getByRole('button', { name: 'NFT order…' }).click();
  const dialog = page.getByRole('dialog');
  const gives = dialog.getByRole('group', { name: 'We give' });
  const gets = dialog.getByRole('group', { name: 'We get' });
  const look = dialog.getByRole('button', { name: 'Look it over…' });
  await picture('nft-order-empty');
  await look.click();
  await expect(gives).toContainText('must be 0x and 40 hex characters');
  await expect(gets).toContainText('must not be empty');
  await gives.getByLabel('Contract').fill(nft);
  await gives.getByLabel('Id').fill('7');
  await gets.getByLabel('Amount').fill('12,5');
  await gets.getByLabel('Token').selectOption('USDC');
  await dialog.getByLabel('Taker').fill(TAKER);
  await look.click();
  await expect(gets).toContainText('has a comma: 12.5 or 125?');
  await gets.getByLabel('Amount').fill('250');
  await expect(gets.getByLabel('Amount')).toHaveValue('250');
  await look.click();
  // What was refused before stands there until the answer to this look.
  await expect(dialog.getByRole('alert').filter({ hasText: 'The RFQ contract may not take NFT #7' })).toBeVisible();
  await picture('nft-order-refused');
  await approve(rfqContract);
  await expect(async () => {
    const asked = dialog.getByRole('heading', { name: 'Sign this order?' });
    if (!(await asked.isVisible())) await look.click({ timeout: 2_000 });
    await expect(asked).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(dialog).toContainText(`NFT #7 of ${nft} (ERC-721)`);
  await expect(dialog).toContainText('250 USDC');
  await expect(dialog).toContainText(`${TAKER}, who alone can take it`);
  await picture('nft-order-words');
  await dialog.getByRole('button', { name: 'Sign order' }).click();
  await expect(dialog).toContainText('It is live from now on.');
  const told = await noticesOf(page);
  await dialog.getByRole('button', { name: 'Copy order' }).click();
  await expect.poll(told).toContain('Copied the signed order');
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied.order).toMatchObject({ taker: TAKER, makerAssetId: '7', makerAmount: '1', takerAmount: '250000000' });
  await picture('nft-order-signed');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const drawer = page.getByRole('region', { name: 'X-ray' });
  await expect(drawer).toContainText(`Signed by hand. The maker ${maker} gives NFT #7`);
  await expect(drawer).toContainText('Hashed once more: the same.');
  // It ends tomorrow, which a time of day alone would not say.
  await expect(drawer).toContainText(/expiry\s*\d{1,2} [A-Z][a-z]{2} \d\d:\d\d:\d\d UTC/);
  await page.getByLabel('Hash, user, pair or code').fill(TAKER);
  await expect(page.locator('[data-seq]').first()).toContainText('NFT #7');
  await picture('nft-order-log');
  await page.keyboard.press('Control+Shift+H');
  const signed = page.getByRole('table', { name: 'Orders and permits' });
  await expect(signed).toContainText('NFT order');
  await expect(page.getByRole('region', { name: 'Halted' })).toContainText('1 NFT order');
  await picture('nft-order-halted');
  await page.getByRole('button', { name: 'Back to the page' }).click();
  await drawer.getByRole('button', { name: 'Copy order' }).click();
  await expect(drawer).toContainText('Trading is halted.');
  await drawer.getByRole('button', { name: 'Cancel on chain…' }).click();
  await dialog.getByRole('button', { name: 'Cancel order' }).click();
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toContainText('Cancelled');
  await page.getByRole('button', { name: 'What is live, and resume' }).click();
  await resume(page);
});
