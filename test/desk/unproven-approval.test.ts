import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deskFileFor } from './desk-on-chain.ts';
import { PASSPHRASE, temporaryFolder } from './desk-process.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

type Changes = Partial<DeskFile['chains'][number]>;

/** A folder as `makerdesk allowance` opens it while no desk runs. */
async function opened(changes: Changes, passphrase: () => Promise<string>) {
  const { folder, remove } = temporaryFolder();
  await storeKey(folder, PASSPHRASE, chain.accounts.maker.privateKey, randomBytes, { scryptCost: 2 });
  const first = await openFolderClient(folder, 'mara', async () => PASSPHRASE, { isAtHand: true });
  await first.desk.desk.import({ desk: deskFileFor(chain, changes) });
  await first.close();
  const { desk, close } = await openFolderClient(folder, 'mara', passphrase, { isAtHand: true });
  onTestFinished(async () => {
    await close();
    remove();
  });
  return desk;
}

async function terminal(changes: Changes = {}, passphrase = async () => PASSPHRASE) {
  const desk = await opened(changes, passphrase);
  return (amount: string, dryRun = false) => desk.onChain.setAllowance({ tokenId: 'WETH', amount, dryRun });
}

const allowed = (spender: Address) =>
  chain.client.readContract({
    abi: TEST_TOKEN.abi,
    address: chain.weth,
    functionName: 'allowance',
    args: [chain.accounts.maker.address, spender],
  });

const WRONG: [string, () => Changes, RegExp][] = [
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

test('where nobody gives the passphrase, nothing is handed out for a contract maker either: its signature was proven by nobody', async () => {
  const nobody = async (): Promise<string> => {
    throw new DeskError('no_passphrase', 'Nobody gave the passphrase.');
  };
  const allow = await terminal({ maker: chain.contractMaker, rfqContract: chain.usdc }, nobody);
  for (const dryRun of [true, false]) {
    await expect(allow('25', dryRun)).rejects.toMatchObject({
      data: { code: 'not_proven' },
      message: expect.stringMatching(/Nobody gave the passphrase/),
    });
  }
});

test('an RFQ contract that somebody corrects while it is checked is not approved any more, proven or not', async () => {
  const node = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => node.down());
  const desk = await opened({ rpcUrl: node.url }, async () => PASSPHRASE);
  const before = await allowed(chain.rfqContract);
  let go = () => {};
  const letGo = new Promise<void>((done) => (go = done));
  const isAsked = new Promise<void>((asked) => {
    node.hold = (calls) => {
      const isIt = calls.some(({ method, params }) => method === 'eth_getCode' && params[0] === chain.rfqContract);
      if (isIt) asked();
      return isIt ? letGo : undefined;
    };
  });
  const pressed = desk.onChain.setAllowance({ tokenId: 'WETH', amount: '7' });
  const refused = expect(pressed).rejects.toMatchObject({ data: { code: 'desk_changed' } });
  await isAsked;
  await desk.settings.saveChain({ chain: { chainId: chain.chainId, rfqContract: chain.usdc } });
  go();
  await refused;
  expect(await allowed(chain.rfqContract)).toBe(before);
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
