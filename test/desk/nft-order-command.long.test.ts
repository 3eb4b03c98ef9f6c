import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SignedNftOrder } from '../../electron/contract/nft-order.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deployNfts, TOKEN_721 } from '../practice/chain/nft-tokens.ts';
import { settle } from '../practice/chain/settlement-calls.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { haltCommand, type RunningDesk, runCommand, startDesk } from './desk-process.ts';

let chain: TestChain;
let made: Awaited<ReturnType<typeof armedFolder>>;
let desk: RunningDesk;
let nft: string;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  nft = (await deployNfts(chain)).nft;
  for (const id of [7n, 8n]) {
    await chain.accounts.maker.call(TOKEN_721, nft as `0x${string}`, 'mint', [chain.accounts.maker.address, id]);
  }
  made = await armedFolder(chain, deskFileFor(chain));
  desk = await startDesk(made.folder, 'serve');
});
afterAll(async () => {
  await desk?.stop();
  made?.remove();
  await chain?.close();
});

const run = (...args: string[]) => runCommand(made.folder, args);

async function untilLive(): Promise<void> {
  await expect.poll(async () => JSON.parse((await run('status', '--json')).stdout).state).toBe('LIVE');
}

function selling(id: number): string[] {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const terms = ['--give', `${nft}#${id}`, '--get', '250 USDC', '--to', chain.accounts.user.address, '--until', until];
  return ['nft-order', ...terms];
}

test('an NFT order is looked over, signed, printed again after a kill, told by a halt, and cancelled or filled', async () => {
  const { user } = chain.accounts;
  await untilLive();
  const looked = await run(...selling(7));
  expect(looked).toMatchObject({ code: 0, stderr: '' });
  expect(looked.stdout).toContain(`gives NFT #7 of ${nft} (ERC-721) and gets 250 USDC`);
  expect(looked.stdout).toContain('Nothing was signed.');
  expect(JSON.parse((await run('log')).stdout)).toEqual([]);

  const [first, second] = await Promise.all(
    [7, 8].map(async (id) => {
      const { stdout, stderr } = await run(...selling(id), '--sign');
      expect(stderr).toBe('');
      return JSON.parse(stdout) as SignedNftOrder;
    }),
  );
  if (first === undefined || second === undefined) throw new Error('Nothing was signed.');
  await desk.kill();
  desk = await startDesk(made.folder, 'serve');
  await untilLive();
  expect(JSON.parse((await run('nft-order', first.orderHash)).stdout)).toEqual(first);

  // A slow machine is told that what is live could not be read in time, and halts again.
  await vi.waitFor(async () => {
    const halted = await haltCommand(made.folder, ['--reason', 'a drill']);
    expect(halted.stderr).toContain(`NFT order ${first.orderHash}`);
    expect(halted.stderr).toContain(`gives NFT #8 of ${nft} for 250 USDC to ${user.address}`);
  });
  expect(await run(...selling(7), '--sign')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Trading is halted.'),
  });
  expect((await run('nft-order', first.orderHash)).code).toBe(1);

  const cancelled = JSON.parse((await run('cancel-orders', '--order', second.orderHash)).stdout);
  expect(cancelled).toMatchObject([{ purpose: 'cancel 1 order', outcome: 'confirmed' }]);
  const { order } = first;
  const { signature, ...fields } = order;
  const numbers = Object.entries(fields).map(([name, value]) => [
    name,
    String(value).startsWith('0x') ? value : BigInt(value),
  ]);
  await settle(chain, user, 'fillOrderNFT', [Object.fromEntries(numbers), signature]);
  await expect
    .poll(async () => JSON.parse((await run('log')).stdout).map(({ outcome }: { outcome: string }) => outcome))
    .toEqual(first.seq < second.seq ? ['filled', 'cancelled'] : ['cancelled', 'filled']);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ stillLive: { nothingSigned: true } });
  const [filled] = JSON.parse((await run('fills', '--json')).stdout);
  expect(filled).toMatchObject({ orderHash: first.orderHash, quoteSeq: first.seq });
});
