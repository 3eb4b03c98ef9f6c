import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deskFileFor } from './desk-on-chain.ts';
import { PASSPHRASE, temporaryFolder } from './desk-process.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

/** A folder as `makerdesk allowance` opens it while no desk runs. */
async function terminal(changes: Partial<DeskFile['chains'][number]> = {}) {
  const { folder, remove } = temporaryFolder();
  await storeKey(folder, PASSPHRASE, chain.accounts.maker.privateKey, randomBytes, { scryptCost: 2 });
  const { desk, close } = await openFolderClient(folder, 'mara', async () => PASSPHRASE, { isAtHand: true });
  onTestFinished(async () => {
    await close();
    remove();
  });
  await desk.desk.import({ desk: deskFileFor(chain, changes) });
  return (amount: string, dryRun = false) => desk.onChain.setAllowance({ tokenId: 'WETH', amount, dryRun });
}

const allowed = (spender: Address) =>
  chain.client.readContract({
    abi: TEST_TOKEN.abi,
    address: chain.weth,
    functionName: 'allowance',
    args: [chain.accounts.maker.address, spender],
  });

const WRONG: [string, () => Partial<DeskFile['chains'][number]>, RegExp][] = [
  ['another domain name', () => ({ domainName: 'TEST RFQ 2' }), /domain name "TEST RFQ 2"/],
  ['a token in the place of the RFQ contract', () => ({ rfqContract: chain.usdc }), /does not refuse|does not fill/],
  [
    'nothing at the address of the RFQ contract',
    () => ({ rfqContract: `0x${'9'.repeat(40)}` }),
    /no contract at 0x9999/,
  ],
  ['a node that does not answer', () => ({ rpcUrl: 'http://127.0.0.1:1' }), /127\.0\.0\.1:1/],
];

test.each(WRONG)('with %s nothing is approved by the terminal, and it says what is wrong', async (_, changes, says) => {
  const allow = await terminal(changes());
  const spender = changes().rfqContract ?? chain.rfqContract;
  const before = await allowed(spender);
  for (const dryRun of [true, false]) {
    await expect(allow('7', dryRun)).rejects.toMatchObject({
      data: { code: 'not_proven', remedy: expect.stringMatching(/Nothing was sent.*makerdesk check/) },
      message: expect.stringMatching(says),
    });
  }
  expect(await allowed(spender)).toBe(before);
});

test('an allowance of nothing is taken whatever is not proven: it lets nobody take anything', async () => {
  const { weth, usdc, accounts } = chain;
  await accounts.maker.call(TEST_TOKEN, weth, 'approve', [usdc, 5n]);
  const allow = await terminal({ rfqContract: usdc });
  expect(await allow('0')).toMatchObject([{ outcome: 'confirmed' }]);
  expect(await allowed(usdc)).toBe(0n);
});

test('an RFQ contract that is proven is approved', async () => {
  const allow = await terminal();
  expect(await allow('7')).toMatchObject([{ outcome: 'confirmed' }]);
  expect(await allowed(chain.rfqContract)).toBe(7n * 10n ** 18n);
});
