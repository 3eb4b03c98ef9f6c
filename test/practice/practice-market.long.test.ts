import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import { startAnvil } from '../../electron/practice/chain/anvil.ts';
import { processCommand } from '../../electron/practice/chain/folder-node.ts';
import { allowanceOf, balanceOf } from '../../electron/practice/chain/read-amount.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import { openPracticeMarket, type PracticeMarket } from '../../electron/practice/market.ts';
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

async function open(options: { rpcPorts?: number[]; servicePort?: number; maker?: 'key' | 'contract' } = {}) {
  const log = collectLog();
  const ports = { rpcPorts: [0], servicePort: 0 };
  const market = await openPracticeMarket({ folder, seed: 1, now: Date.now, log, ...ports, ...options });
  opened.push(market);
  const [first, second] = market.chains;
  if (first === undefined || second === undefined) throw new Error('there are not two chains');
  return { market, log, first, second, addresses: first.addresses, client: openClient(first.rpcUrl) };
}

/** What the log says beside the first funding, which is a line for every account. */
function remarks({ lines }: { lines: string[] }): string[] {
  return lines.filter((line) => !line.includes('restocked'));
}

const FIRST = '31337';
const stateFile = () => join(folder, FIRST, 'anvil-state.json');

function nodePid(): number {
  return Number(readFileSync(join(folder, FIRST, 'anvil.pid'), 'utf8'));
}

test('the desk file is a whole one: two chains, a WETH/USDC around 3412 first, ten levels a side, keys for "practice"', async () => {
  const { market, first, second } = await open();
  const desk = deskFileSchema.parse(market.deskFile);
  expect(desk.version).toBe(1);
  for (const [index, place] of [first, second].entries()) {
    expect(desk.chains[index]).toMatchObject({
      chainId: place.chainId,
      basePath: `/${place.chainId}`,
      domainName: 'PRACTICE RFQ',
      rpcUrl: place.rpcUrl,
      serviceUrl: market.serviceUrl,
      referenceUrl: `${market.serviceUrl}/reference/${place.chainId}`,
      maker: place.addresses.maker,
      signer: place.addresses.maker,
      takers: [place.addresses.executor, place.addresses.market.router],
    });
  }
  const [chain] = desk.chains;
  expect(Object.keys(chain?.pairs ?? {})).toEqual(['WETH/USDC', 'WBTC/USDC', 'LINK/USDC', 'DAI/USDC', 'LINK/WETH']);
  expect(Object.values(chain?.tokens ?? {}).map(({ decimals }) => decimals)).toEqual([18, 6, 8, 18, 18]);
  for (const { tokens, pairs, prices, follow } of desk.chains) {
    expect(follow).toEqual(Object.keys(pairs));
    for (const [id, { base, quote }] of Object.entries(pairs)) {
      expect(id).toBe(`${tokens[base]?.symbol}/${tokens[quote]?.symbol}`);
      const { bids = [], asks = [] } = prices[id] ?? {};
      expect([bids.length, asks.length]).toEqual([10, 10]);
      expect(Number(bids[0]?.[0])).toBeLessThan(Number(asks[0]?.[0]));
    }
  }
  const grid = chain?.prices['WETH/USDC'];
  expect(Number(grid?.bids[0]?.[0])).toBeLessThan(3412);
  expect(Number(grid?.asks[0]?.[0])).toBeGreaterThan(3412);
  expect(desk.counterparties).toMatchObject([{ domain: 'practice', signedPath: 'full' }]);
  expect(desk.counterparties[0]?.secretKey).toMatch(/^[0-9a-f]{64}$/);
});

test('on both chains the maker has more than a hundred times the published depth of every token, all of it approved', async () => {
  const { market, first, second } = await open();
  const desk = deskFileSchema.parse(market.deskFile);
  for (const [index, { rpcUrl, addresses }] of [first, second].entries()) {
    const { maker, rfqContract } = addresses;
    const client = openClient(rpcUrl);
    const { tokens = {}, pairs = {}, prices = {} } = desk.chains[index] ?? {};
    for (const [id, { address, decimals }] of Object.entries(tokens)) {
      const depth = Object.entries(pairs).reduce((sum, [pairId, { base, quote }]) => {
        const { bids = [], asks = [] } = prices[pairId] ?? {};
        const given = asks.reduce((total, [, amount]) => total + Number(amount), 0);
        const paid = bids.reduce((total, [price, amount]) => total + Number(price) * Number(amount), 0);
        return sum + (base === id ? given : 0) + (quote === id ? paid : 0);
      }, 0);
      const held = Number(await balanceOf(client, address, maker)) / 10 ** decimals;
      expect(held, id).toBeGreaterThan(100 * depth);
      expect(await allowanceOf(client, address, maker, rfqContract)).toBe(2n ** 256n - 1n);
    }
  }
});

test('a block comes every second', async () => {
  const { client } = await open();
  const from = await client.getBlock();
  await vi.waitFor(async () => expect((await client.getBlock()).number).toBeGreaterThan(from.number + 1n), {
    interval: 100,
  });
  const to = await client.getBlock();
  expect(to.timestamp - from.timestamp).toBeGreaterThanOrEqual(to.number - from.number);
});

test('a contract maker holds the funds and the approval, and the key that signs is another address', async () => {
  const { market, addresses, client } = await open({ maker: 'contract' });
  const { maker, signer, contractMaker, rfqContract } = addresses;
  const { WETH: weth = '0x' } = addresses.tokens;
  expect(maker).toBe(contractMaker);
  expect(deskFileSchema.parse(market.deskFile).chains[0]).toMatchObject({ maker: contractMaker, signer });
  expect(await balanceOf(client, weth, maker)).toBeGreaterThan(0n);
  expect(await allowanceOf(client, weth, maker, rfqContract)).toBe(2n ** 256n - 1n);
});

test('each chain has a node, contracts and a domain of its own', async () => {
  const { first, second } = await open();
  expect([first.chainId, second.chainId]).toEqual([31337, 31338]);
  for (const { rpcUrl, chainId, addresses } of [first, second]) {
    const client = openClient(rpcUrl);
    expect(await client.getChainId()).toBe(chainId);
    expect(await client.getCode({ address: addresses.rfqContract })).toMatch(/^0x6/);
  }
});

test('keys, addresses, balances and blocks are there again after a restart', async () => {
  const { market, client, ...before } = await open();
  const block = await client.getBlock();
  await market.close();
  const again = await open();
  expect([market.isNew, again.market.isNew]).toEqual([true, false]);
  expect(again.addresses).toEqual(before.addresses);
  expect(again.second.addresses).toEqual(before.second.addresses);
  expect(again.market.makerPrivateKey).toBe(market.makerPrivateKey);
  expect((await again.client.getBlock({ blockNumber: block.number })).hash).toBe(block.hash);
  expect(again.log.lines).toEqual([]);
  expect(statSync(join(folder, 'market.json')).mode & 0o777).toBe(0o600);
});

test('a chain that was lost is begun anew with the contracts at the same addresses; the other goes on', async () => {
  const { market, addresses, ...before } = await open();
  const kept = await openClient(before.second.rpcUrl).getBlock({ blockNumber: 1n });
  await market.close();
  rmSync(stateFile());
  const { client, log, ...again } = await open();
  expect(again.addresses).toEqual(addresses);
  expect(again.market.isNew).toBe(false);
  expect(await balanceOf(client, addresses.tokens.WETH ?? '0x', addresses.maker)).toBeGreaterThan(0n);
  expect((await openClient(again.second.rpcUrl).getBlock({ blockNumber: 1n })).hash).toBe(kept.hash);
  expect(remarks(log)[0]).toBe('! the practice contracts are not on chain 31337: a new chain begins');
});

test('a state that was cut off while being written is set aside', async () => {
  const { market, addresses } = await open();
  await market.close();
  truncateSync(stateFile(), statSync(stateFile()).size - 100);
  const { log, ...again } = await open();
  expect(again.addresses).toEqual(addresses);
  expect(log.lines[0]).toMatch(/state was cut off/);
  expect(readdirSync(join(folder, FIRST)).filter((name) => /^anvil-state\.json\.\d+$/.test(name))).toHaveLength(1);
});

test('a folder of the time with one chain is taken over: its keys stay, its chain is begun anew', async () => {
  const { market } = await open();
  await market.close();
  const path = join(folder, 'market.json');
  const { privateKeys, counterparty } = JSON.parse(readFileSync(path, 'utf8'));
  const { bank, maker } = privateKeys;
  const old = { version: 1, privateKeys: { bank, maker, user: bank }, counterparty, deployed: null };
  writeFileSync(path, JSON.stringify(old));
  const again = await open();
  expect(again.market.makerPrivateKey).toBe(market.makerPrivateKey);
  expect(again.market.isNew).toBe(false);
});

test('a folder from before there was a router keeps its chains, and gets one and the intents on each', async () => {
  const { market, client, ...before } = await open();
  const block = await client.getBlock();
  await market.close();
  const path = join(folder, 'market.json');
  const now = JSON.parse(readFileSync(path, 'utf8'));
  for (const chain of Object.values<Record<string, unknown>>(now.chains)) {
    delete chain.router;
    delete chain.intents;
  }
  delete now.privateKeys.relayers;
  writeFileSync(path, JSON.stringify({ ...now, version: 2 }));
  const again = await open();
  const { market: router, intents, escrow, handler, strategy, ...contracts } = again.addresses;
  expect(before.addresses).toMatchObject(contracts);
  expect(router.router).not.toBe(before.addresses.market.router);
  for (const address of [router.router, intents, escrow, handler, strategy]) {
    expect(await again.client.getCode({ address })).toMatch(/^0x6/);
  }
  expect((await again.client.getBlock({ blockNumber: block.number })).hash).toBe(block.hash);
  expect(remarks(again.log).filter((line) => line.startsWith('!'))).toEqual([]);
  await again.market.close();
  expect((await open()).addresses).toEqual(again.addresses);
});

test('two at once on one folder: the second is refused and the first goes on', async () => {
  const { market, client } = await open();
  await expect(open()).rejects.toMatchObject({ code: 'practice_in_use', message: expect.stringContaining(folder) });
  expect(await client.getChainId()).toBe(31337);
  await market.close();
  await open();
});

test.each(['node', 'service'])('a taken port of the %s is named, and nothing is left behind', async (which) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const taken = which === 'node' ? { rpcPorts: [port] } : { servicePort: port };
  await expect(open(taken)).rejects.toMatchObject({
    code: 'port_taken',
    message: expect.stringContaining(`${port}`),
  });
  expect(readdirSync(join(folder, FIRST))).not.toContain('anvil.pid');
  await new Promise((resolve) => holder.close(resolve));
  await open(taken);
});

test('after kill -9 the node goes too, and the next start finds its state', async () => {
  const { child, chains } = await openElsewhere();
  const pid = nodePid();
  expect(processCommand(pid)).toContain('anvil');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await vi.waitFor(() => expect(processCommand(pid)).toBe(''), { interval: 50 });
  const { market } = await open();
  expect(market.chains.map(({ addresses }) => addresses)).toEqual(chains.map(({ addresses }) => addresses));
});

test('a node left over from this folder is ended by its pid, and its state gone on with', async () => {
  const { market, addresses } = await open();
  await market.close();
  const leftOver = await startAnvil({ port: 0, stateFile: stateFile() });
  writeFileSync(join(folder, FIRST, 'anvil.pid'), `${leftOver.pid}`);
  const { log, ...again } = await open();
  await leftOver.ended;
  expect(again.addresses).toEqual(addresses);
  expect(remarks(log)).toEqual([`! ending the practice chain left over from an earlier run (pid ${leftOver.pid})`]);
});

test('a pid file that names another process, even another folder’s node, harms nobody', async () => {
  const stranger = await startAnvil({ port: 0, stateFile: join(folder, 'elsewhere.json') });
  mkdirSync(join(folder, FIRST));
  writeFileSync(join(folder, FIRST, 'anvil.pid'), `${stranger.pid}`);
  await open();
  expect(await openClient(stranger.rpcUrl).getChainId()).toBe(31337);
  await stranger.close();
});

test('a market file that cannot be read is an error with the way out', async () => {
  writeFileSync(join(folder, 'market.json'), '{"version": 2}');
  await expect(open()).rejects.toMatchObject({ code: 'practice_file', remedy: expect.stringContaining('--data') });
});

async function openElsewhere(): Promise<{ child: ChildProcess; chains: PracticeMarket['chains'] }> {
  const script = new URL('./market-in-a-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ...JSON.parse(line.toString()) };
}
