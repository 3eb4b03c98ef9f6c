import { erc20Abi } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { readRemaining, startTestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';

test('an emergency that kill -9 broke off, before the node had it and again while it waited, is done once, and the next is not blocked by it', async () => {
  const chain = await startTestChain();
  const node = await openNodeProxy(() => chain.rpcUrl);
  const file = deskFileFor(chain, { rpcUrl: node.url, quoteLifetimeSeconds: 600 });
  const { folder, remove } = await armedFolder(chain, file);
  let desk: RunningDesk | null = null;
  onTestFinished(async () => {
    await desk?.kill();
    await node.down();
    await chain.close();
    remove();
  });
  const start = async () => {
    desk = await startDesk(folder, 'serve');
    return desk;
  };
  const { address } = chain.accounts.maker;
  const countOf = (blockTag: 'latest' | 'pending') => chain.client.getTransactionCount({ address, blockTag });
  const allowanceOf = (token: `0x${string}`) =>
    chain.client.readContract({
      abi: erc20Abi,
      address: token,
      functionName: 'allowance',
      args: [address, chain.rfqContract],
    });
  const sentRaw = () => node.trips.flat().filter(({ method }) => method === 'eth_sendRawTransaction');

  const first = await start();
  const taker = takerClient(first.ready.surface, file);
  await expect.poll(async () => (await taker.get('/prices')).status).toBe(200);
  const signed = await taker.firm('asks', { makerAmount: '1000000000000' });
  expect(signed.json.order, signed.json.error).toBeDefined();
  const { live } = await stillLive(folder);
  expect(live).toBe(1);

  // The node never gets the first: the desk is killed while it sends.
  await chain.control.setAutomine(false);
  const nonce = await countOf('latest');
  node.hold = (calls) =>
    calls.some(({ method }) => method === 'eth_sendRawTransaction') ? new Promise(() => {}) : undefined;
  const cancelling = runCommand(folder, ['cancel-orders']);
  // The same bytes may be tried again before the kill.
  await expect.poll(() => sentRaw().length).toBeGreaterThanOrEqual(1);
  await first.kill();
  await cancelling;
  expect(await countOf('pending')).toBe(nonce);

  // The desk after it hands the node the very same bytes, and is killed while they wait.
  node.hold = () => undefined;
  const second = await start();
  await expect.poll(() => countOf('pending')).toBe(nonce + 1);
  expect(new Set(sentRaw().map(({ params }) => params[0])).size).toBe(1);
  await second.kill();

  // Another emergency takes its place on the next desk, and takes it along.
  await start();
  const zeroing = runCommand(folder, ['zero-allowances']);
  await expect.poll(() => countOf('pending')).toBe(nonce + 3);
  await chain.control.mine({ blocks: 1 });
  const { stdout } = await zeroing;
  expect(JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(3).fill('confirmed'));
  expect(await Promise.all([chain.weth, chain.usdc].map(allowanceOf))).toEqual([0n, 0n]);
  const [order] = new Set(cancelledIn(JSON.parse(stdout)));
  expect(order).toBeDefined();
  expect(await readRemaining(chain, address, order ?? '0x')).toBe(1n);
  expect(await countOf('latest')).toBe(nonce + 3);
  expect(await countOf('pending'), 'nothing waits any more').toBe(nonce + 3);
});

async function stillLive(folder: string): Promise<{ live: number }> {
  const { stdout } = await runCommand(folder, ['cancel-orders', '--dry-run']);
  return { live: JSON.parse(stdout).length };
}

/** The hashes that the calls to cancel orders name. */
function cancelledIn(rows: { purpose: string; data: string }[]): `0x${string}`[] {
  return rows.flatMap(({ purpose, data }) => {
    const words = data.slice(10).match(/.{64}/g) ?? [];
    return purpose.startsWith('cancel') ? words.slice(2).map((word): `0x${string}` => `0x${word}`) : [];
  });
}
