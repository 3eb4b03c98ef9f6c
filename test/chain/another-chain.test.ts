import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, encodeFunctionData, http } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Anvil, type AnvilOptions, startAnvil } from '../../electron/practice/chain/anvil.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import type { Deployment } from '../../electron/practice/chain/deployment.ts';
import { openSender, type Sender } from '../../electron/practice/chain/sender.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { deployTestMarket } from '../chain-fixture.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

const KEY: Hex = `0x${'11'.repeat(32)}`;
const hashOf = (index: number): Hex => `0x${index.toString(16).padStart(64, '0')}`;

let folder: string;
let journal: Awaited<ReturnType<typeof testJournal>>;
let anvil: Anvil;
let watcher: Watched | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'makerdesk-anvil-'));
  journal = await testJournal();
});
afterEach(async () => {
  await watcher?.stop();
  watcher = undefined;
  await anvil.close();
  await journal.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const stateFile = () => join(folder, 'state.json');
const control = () => createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl), chain: undefined });

/** On a port that was let go, which somebody else may have for a moment. */
const startAgain = (options: AnvilOptions) => vi.waitFor(() => startAnvil(options), { interval: 100 });

async function fund(): Promise<Sender> {
  const sender = openSender(anvil.rpcUrl, KEY);
  await control().setBalance({ address: sender.address, value: 10n ** 22n });
  return sender;
}

/** Cancels an order of which nothing exists but a hash: the smallest thing that makes an event of the maker. */
async function cancel(sender: Sender, { rfqContract }: Deployment, index: number): Promise<void> {
  const data = encodeFunctionData({ abi: SETTLEMENT.abi, functionName: 'cancelOrder', args: [hashOf(index)] });
  await sender.mined(await sender.send({ to: rfqContract, data }));
}

/** Chains begun in one and the same second have the same first block. */
const anotherSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));

const newest = async (sender: Sender) => {
  const { number, hash } = await sender.client.getBlock();
  return { number: Number(number), hash };
};
const told = () => watcher?.events.map(({ kind, body }) => [kind, Number(body.orderHash)]);

test('a node that is killed and comes back with its state goes on as if nothing had been', async () => {
  anvil = await startAnvil({ port: 0, stateFile: stateFile() });
  const { port } = anvil;
  let sender = await fund();
  const deployment = await deployTestMarket(sender);
  watcher = watch(journal, { ...deployment, rpcUrl: anvil.rpcUrl, maker: sender.address });
  watcher.start();
  await cancel(sender, deployment, 1);
  await watcher.until(({ block }) => block !== null);
  await cancel(sender, deployment, 2);
  await watcher.reached(await newest(sender));
  await anvil.close();
  expect(existsSync(stateFile())).toBe(true);
  await watcher.until(({ fault }) => fault !== null);
  anvil = await startAgain({ port, stateFile: stateFile() });
  sender = openSender(anvil.rpcUrl, KEY);
  await cancel(sender, deployment, 3);
  await watcher.reached(await newest(sender));
  expect(told()?.at(-2)).toEqual(['cancel', 2]);
  expect(told()?.at(-1)).toEqual(['cancel', 3]);
  expect(watcher.resets).toEqual([]);
});

test('a chain that was begun afresh is reported once that is accepted, and what it holds is not mixed up with the old one', async () => {
  anvil = await startAnvil({ port: 0 });
  const { port } = anvil;
  let sender = await fund();
  const deployment = await deployTestMarket(sender);
  const where = { ...deployment, rpcUrl: anvil.rpcUrl, maker: sender.address };
  watcher = watch(journal, where, { isBegunAnew: () => true });
  watcher.start();
  await watcher.reached(await newest(sender));
  await cancel(sender, deployment, 1);
  await control().mine({ blocks: 30 });
  await cancel(sender, deployment, 2);
  const known = await newest(sender);
  await watcher.reached(known);
  await anvil.close();
  await watcher.until(({ fault }) => fault !== null);

  await anotherSecond();
  anvil = await startAgain({ port });
  sender = await fund();
  const again = await deployTestMarket(sender);
  expect(again.rfqContract).toBe(deployment.rfqContract);
  await watcher.until(({ block, seenAt }) => block !== null && block.number < known.number && seenAt !== null);
  expect(watcher.resets).toMatchObject([{ chainId: 31337, known }]);
  expect(watcher.views.some(({ block, seenAt }) => block === null && seenAt === null)).toBe(true);
  await cancel(sender, again, 3);
  await watcher.reached(await newest(sender));
  expect(told()).toEqual([
    ['cancel', 1],
    ['cancel', 2],
    ['cancel', 3],
  ]);

  await watcher.stop();
  watcher = watch(journal, where);
  watcher.start();
  await cancel(sender, again, 4);
  await watcher.reached(await newest(sender));
  await control().mine({ blocks: 50 });
  await watcher.reached(await newest(sender));
  expect(told()).toEqual([['cancel', 4]]);
  expect(watcher.resets).toEqual([]);
});

test('a chain that was begun afresh while the desk was off is reported at its next start', async () => {
  anvil = await startAnvil({ port: 0 });
  let sender = await fund();
  let deployment = await deployTestMarket(sender);
  watcher = watch(journal, { ...deployment, rpcUrl: anvil.rpcUrl, maker: sender.address });
  watcher.start();
  await control().mine({ blocks: 100 });
  const known = await newest(sender);
  await watcher.reached(known);
  await watcher.stop();
  await anvil.close();

  await anotherSecond();
  anvil = await startAnvil({ port: 0 });
  sender = await fund();
  deployment = await deployTestMarket(sender);
  const accepted: Hex[] = [];
  watcher = watch(
    journal,
    { ...deployment, rpcUrl: anvil.rpcUrl, maker: sender.address },
    { isBegunAnew: (genesis) => accepted.includes(genesis) },
  );
  watcher.start();
  const { fault } = await watcher.until((view) => view.fault !== null);
  expect(fault).toMatch(/is of another chain with the same id: .+ counts as live still\. .+ accept-chain/);
  expect([watcher.resets, watcher.losses.length]).toEqual([[], 1]);
  const genesis = watcher.otherGenesis();
  expect(genesis).toBe((await sender.client.getBlock({ blockNumber: 0n })).hash);
  accepted.push(genesis ?? '0x');
  await watcher.until(({ block }) => block !== null);
  expect(watcher.resets).toMatchObject([{ known, genesis }]);
  expect(watcher.losses).toHaveLength(1);
});

test('another chain that is shown for a while ends nothing: when the first one is back, it is followed as if nothing had been', async () => {
  anvil = await startAnvil({ port: 0, stateFile: stateFile() });
  const { port } = anvil;
  let sender = await fund();
  const deployment = await deployTestMarket(sender);
  watcher = watch(journal, { ...deployment, rpcUrl: anvil.rpcUrl, maker: sender.address });
  watcher.start();
  await cancel(sender, deployment, 1);
  const known = await newest(sender);
  await watcher.reached(known);
  await anvil.close();

  await anotherSecond();
  anvil = await startAgain({ port });
  await watcher.until(({ fault }) => fault?.includes('another chain') === true);
  expect(watcher.view().block?.hash).toBe(known.hash);
  await anvil.close();

  anvil = await startAgain({ port, stateFile: stateFile() });
  sender = openSender(anvil.rpcUrl, KEY);
  await cancel(sender, deployment, 2);
  await watcher.reached(await newest(sender));
  expect(watcher.view().fault).toBeNull();
  expect(watcher.otherGenesis()).toBeNull();
  expect(told()?.at(-1)).toEqual(['cancel', 2]);
  expect([watcher.resets, watcher.losses.length]).toEqual([[], 1]);
});
