import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { CONTRACT_MAKER } from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { connectionTo } from './connection.ts';
import { deskFileFor, importUnseen } from './desk-on-chain.ts';
import { PASSPHRASE, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

let chain: TestChain;
/** A contract that holds funds like any other maker, and belongs to another key than the desk's. */
let othersContract: Address;
beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  const { maker, other } = chain.accounts;
  othersContract = await maker.deploy(CONTRACT_MAKER, [other.address]);
});
afterAll(() => chain?.close());

/** A folder whose desk was LIVE when it was stopped. What is wrong came in after that, unseen. */
async function folderWith(file: DeskFile): Promise<string> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await storeKey(folder, PASSPHRASE, chain.accounts.maker.privateKey, randomBytes, { scryptCost: 2 });
  const { desk, close } = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await desk.desk.import({ desk: deskFileFor(chain) });
  await desk.trading.resume({ scope: {}, reason: 'a test begins' });
  await close();
  await importUnseen(folder, file);
  return folder;
}

async function serve(folder: string): Promise<RunningDesk> {
  const running = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await running.stop()));
  return running;
}

async function signsNothing(file: DeskFile, running: RunningDesk): Promise<void> {
  const client = takerClient(running.ready.surface, file);
  expect(await client.get('/prices')).toMatchObject({ status: 503 });
  const answer = await client.firm('asks', { makerAmount: '1000000000000' });
  expect(answer).toMatchObject({ status: 503, json: { error: expect.any(String) } });
  expect(answer.json.order).toBeUndefined();
}

const WRONG: { what: string; changes: () => Partial<DeskFile['chains'][number]>; says: RegExp }[] = [
  { what: 'a wrong domain name', changes: () => ({ domainName: 'TEST RFQ 2' }), says: /domain name "TEST RFQ 2"/ },
  {
    what: 'a token as the RFQ contract',
    changes: () => ({ rfqContract: chain.weth }),
    says: /does not refuse|does not fill/,
  },
  {
    what: 'a maker that is somebody else',
    changes: () => ({ maker: chain.accounts.other.address }),
    says: /neither the signer/,
  },
  {
    what: 'a maker contract that refuses the key',
    changes: () => ({ maker: othersContract }),
    says: /does not accept/,
  },
];

for (const { what, changes, says } of WRONG) {
  test(`with ${what} a chain never quotes: not after a start, not by resume, not after a restart`, async () => {
    const file = deskFileFor(chain, changes());
    const folder = await folderWith(file);
    const running = await serve(folder);
    await signsNothing(file, running);
    const resumed = await runCommand(folder, ['resume', '--reason', 'a test insists']);
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toMatch(says);
    const connection = await connectionTo(folder, 'mara');
    const { trading } = connection.desk;
    const again = trading.resume({ scope: { chainId: chain.chainId }, reason: 'a test insists' });
    await expect(again).rejects.toMatchObject({ message: expect.stringMatching(says) });
    const [own] = (await trading.status()).chains;
    expect(own?.state === 'LIVE' && own.closed === null).toBe(false);
    await connection.close();
    await signsNothing(file, running);
    await running.stop();
    await signsNothing(file, await serve(folder));
  });
}

test('with the same file set right the chain quotes', async () => {
  const file = deskFileFor(chain);
  const running = await serve(await folderWith(file));
  const client = takerClient(running.ready.surface, file);
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  expect((await client.firm('asks', { makerAmount: '1000000000000' })).json.order).toBeDefined();
});
