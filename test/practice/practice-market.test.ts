import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import { startAnvil } from '../../electron/practice/anvil.ts';
import { openPracticeMarket, type PracticeMarket } from '../../electron/practice/market.ts';
import { processCommand } from '../../electron/practice/process-command.ts';
import { allowanceOf, balanceOf } from '../../electron/practice/read-amount.ts';
import { openClient } from '../../electron/practice/sender.ts';
import { collectLog } from './collected-log.ts';

let folder: string;
let opened: PracticeMarket[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-'));
});
afterEach(async () => {
  for (const market of opened) await market.close();
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: { rpcPort?: number; servicePort?: number; maker?: 'key' | 'contract' } = {}) {
  const log = collectLog();
  const ports = { rpcPort: 0, servicePort: 0 };
  const market = await openPracticeMarket({ folder, seed: 1, now: Date.now, log, ...ports, ...options });
  opened.push(market);
  return { market, log, client: openClient(market.rpcUrl) };
}

function nodePid(): number {
  return Number(readFileSync(join(folder, 'anvil.pid'), 'utf8'));
}

test('the desk file is a whole one: chain 31337, one pair, ten levels a side around 3412, keys for "practice"', async () => {
  const { market } = await open();
  const desk = deskFileSchema.parse(market.deskFile);
  expect(desk.version).toBe(1);
  const [chain] = desk.chains;
  expect(chain).toMatchObject({
    chainId: 31337,
    basePath: '/31337',
    domainName: 'PRACTICE RFQ',
    rpcUrl: market.rpcUrl,
    serviceUrl: market.serviceUrl,
    maker: market.addresses.maker,
    signer: market.addresses.maker,
    takers: [market.addresses.executor],
  });
  const grid = chain?.prices['WETH/USDC'];
  expect([grid?.bids.length, grid?.asks.length]).toEqual([10, 10]);
  expect(Number(grid?.bids[0]?.[0])).toBeLessThan(3412);
  expect(Number(grid?.asks[0]?.[0])).toBeGreaterThan(3412);
  expect(desk.counterparties).toMatchObject([{ domain: 'practice', signedPath: 'full' }]);
  expect(desk.counterparties[0]?.secretKey).toMatch(/^[0-9a-f]{64}$/);
});

test('the maker has more than a hundred times the published depth and has approved the settlement; the taker likewise', async () => {
  const { market, client } = await open();
  const { maker, user, weth, usdc, rfqContract, executor } = market.addresses;
  const grid = deskFileSchema.parse(market.deskFile).chains[0]?.prices['WETH/USDC'];
  const base = (grid?.asks ?? []).reduce((sum, [, amount]) => sum + BigInt(Math.round(Number(amount) * 10)), 0n);
  expect(await balanceOf(client, weth, maker)).toBeGreaterThan(100n * base * 10n ** 17n);
  const quote = (grid?.bids ?? []).reduce((sum, [price, amount]) => sum + Number(price) * Number(amount), 0);
  expect(await balanceOf(client, usdc, maker)).toBeGreaterThan(100n * BigInt(Math.ceil(quote)) * 10n ** 6n);
  for (const token of [weth, usdc]) {
    expect(await allowanceOf(client, token, maker, rfqContract)).toBe(2n ** 256n - 1n);
    expect(await allowanceOf(client, token, user, executor)).toBe(2n ** 256n - 1n);
    expect(await balanceOf(client, token, user)).toBeGreaterThan(0n);
  }
});

test('a block comes every second', async () => {
  const { client } = await open();
  const from = await client.getBlock();
  await vi.waitFor(async () => expect((await client.getBlock()).number).toBeGreaterThan(from.number + 1n), {
    timeout: 10_000,
    interval: 100,
  });
  const to = await client.getBlock();
  expect(to.timestamp - from.timestamp).toBeGreaterThanOrEqual(to.number - from.number);
});

test('a contract maker holds the funds and the approval, and the key that signs is another address', async () => {
  const { market, client } = await open({ maker: 'contract' });
  const { maker, signer, contractMaker, weth, rfqContract } = market.addresses;
  expect(maker).toBe(contractMaker);
  expect(deskFileSchema.parse(market.deskFile).chains[0]).toMatchObject({ maker: contractMaker, signer });
  expect(await balanceOf(client, weth, maker)).toBeGreaterThan(0n);
  expect(await allowanceOf(client, weth, maker, rfqContract)).toBe(2n ** 256n - 1n);
});

test('the service says which execution contracts there are, and answers everything else with an error of its own', async () => {
  const { market } = await open();
  const ask = async (path: string) => {
    const answer = await fetch(`${market.serviceUrl}${path}`);
    return [answer.status, await answer.json()];
  };
  expect(await ask('/adapters/contract-takers?network=31337')).toEqual([200, [market.addresses.executor]]);
  expect(await ask('/adapters/contract-takers?network=1')).toMatchObject([400, { errorType: 'UnsupportedChain' }]);
  expect(await ask('/')).toMatchObject([404, { errorType: 'NotFound' }]);
});

test('keys, addresses, balances and blocks are there again after a restart', async () => {
  const { market: first, client } = await open();
  const block = await client.getBlock();
  await first.close();
  const { market: second, client: again, log } = await open();
  expect([first.isNew, second.isNew]).toEqual([true, false]);
  expect(second.addresses).toEqual(first.addresses);
  expect(second.makerPrivateKey).toBe(first.makerPrivateKey);
  expect((await again.getBlock({ blockNumber: block.number })).hash).toBe(block.hash);
  expect(log.lines).toEqual([]);
  expect(statSync(join(folder, 'market.json')).mode & 0o777).toBe(0o600);
});

test('a chain that was lost is begun anew with the contracts at the same addresses', async () => {
  const { market: first } = await open();
  await first.close();
  rmSync(join(folder, 'anvil-state.json'));
  const { market: second, client, log } = await open();
  expect(second.addresses).toEqual(first.addresses);
  expect(second.isNew).toBe(false);
  expect(await balanceOf(client, second.addresses.weth, second.addresses.maker)).toBeGreaterThan(0n);
  expect(log.lines[0]).toBe('! the practice contracts are not on this chain: a new chain begins');
});

test('a state that was cut off while being written is set aside', async () => {
  const { market: first } = await open();
  await first.close();
  const state = join(folder, 'anvil-state.json');
  truncateSync(state, statSync(state).size - 100);
  const { market: second, log } = await open();
  expect(second.addresses).toEqual(first.addresses);
  expect(log.lines[0]).toMatch(/state was cut off/);
  expect(readdirSync(folder).filter((name) => /^anvil-state\.json\.\d+$/.test(name))).toHaveLength(1);
});

test('two at once on one folder: the second is refused and the first goes on', async () => {
  const { market, client } = await open();
  await expect(open()).rejects.toMatchObject({ code: 'practice_in_use', message: expect.stringContaining(folder) });
  expect(await client.getChainId()).toBe(31337);
  await market.close();
  await open();
});

test.each(['rpcPort', 'servicePort'] as const)('a taken %s is named, and nothing is left behind', async (which) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(open({ [which]: port })).rejects.toMatchObject({
    code: 'port_taken',
    message: expect.stringContaining(`${port}`),
  });
  expect(readdirSync(folder)).not.toContain('anvil.pid');
  await new Promise((resolve) => holder.close(resolve));
  await open({ [which]: port });
});

test('after kill -9 the node goes too, and the next start finds its state', async () => {
  const { child, facts } = await openElsewhere();
  const pid = nodePid();
  expect(processCommand(pid)).toContain('anvil');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await vi.waitFor(() => expect(processCommand(pid)).toBe(''), { timeout: 10_000, interval: 50 });
  const { market } = await open();
  expect(market.addresses).toEqual(facts.addresses);
});

test('a node left over from this folder is ended by its pid, and its state gone on with', async () => {
  const { market: first } = await open();
  await first.close();
  const leftOver = await startAnvil({ port: 0, stateFile: join(folder, 'anvil-state.json') });
  writeFileSync(join(folder, 'anvil.pid'), `${leftOver.pid}`);
  const { market: second, log } = await open();
  await leftOver.ended;
  expect(second.addresses).toEqual(first.addresses);
  expect(log.lines).toEqual([`! ending the practice chain left over from an earlier run (pid ${leftOver.pid})`]);
});

test('a pid file that names another process, even another folder’s node, harms nobody', async () => {
  const stranger = await startAnvil({ port: 0, stateFile: join(folder, 'elsewhere.json') });
  writeFileSync(join(folder, 'anvil.pid'), `${stranger.pid}`);
  await open();
  expect(await openClient(stranger.rpcUrl).getChainId()).toBe(31337);
  await stranger.close();
});

test('a market file that cannot be read is an error with the way out', async () => {
  writeFileSync(join(folder, 'market.json'), '{"version": 2}');
  await expect(open()).rejects.toMatchObject({ code: 'practice_file', remedy: expect.stringContaining('--data') });
});

async function openElsewhere(): Promise<{ child: ChildProcess; facts: { addresses: PracticeMarket['addresses'] } }> {
  const script = new URL('./market-in-a-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, facts: JSON.parse(line.toString()) };
}
