import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { statusSchema } from '../../electron/contract/trading.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deployDai, deskFileFor, tokenOf, twoPairsFor } from './desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const WELL = { interval: 100 };
let chain: TestChain;
let dai: Address;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  dai = await deployDai(chain);
});
afterAll(() => chain?.close());

/** WETH/USDC and DAI/USDC. */
const twoPairs = (decimals: number, rpcUrl = chain.rpcUrl) => twoPairsFor(chain, dai, { decimals, rpcUrl });

/** The running desk of a file, and how its two pairs stand. */
async function deskOf(file: DeskFile, start: 'armed' | 'halted') {
  const armed = await armedFolder(chain, start === 'armed' ? file : deskFileFor(chain));
  const { folder, remove } = armed;
  const run = (...args: string[]) => runCommand(folder, args);
  if (start === 'halted') {
    await run('halt');
    writeFileSync(join(folder, 'other.json'), JSON.stringify(file));
    expect((await run('import', join(folder, 'other.json'))).code).toBe(0);
  }
  let running: RunningDesk = await startDesk(folder, 'serve');
  onTestFinished(async () => {
    await running.stop();
    remove();
  });
  const status = async () => statusSchema.parse(JSON.parse((await run('status', '--json')).stdout));
  const sellsTo = (pair: string): Promise<{ status: number; json: { code?: string; error?: string } }> => {
    const [only] = file.chains;
    const definition = only?.pairs[pair];
    if (only === undefined || definition === undefined) throw new Error(`${pair} is not listed`);
    const alone = { ...file, chains: [{ ...only, pairs: { [pair]: definition } }] };
    // 0.000000004 DAI: with 6 decimals these raw units would be 4,000 of them, and paid for as such.
    return takerClient(running.ready.surface, alone).firm('bids', { takerAmount: '4000000000' });
  };
  return {
    folder,
    run,
    status,
    sellsTo,
    pairs: async () => (await status()).chains[0]?.pairs,
    prices: async () => (await takerClient(running.ready.surface, file).get('/prices')).json.prices,
    restart: async () => {
      await running.stop();
      running = await startDesk(folder, 'serve');
    },
  };
}

const LIVE = { 'WETH/USDC': 'LIVE', 'DAI/USDC': 'LIVE' };
const DAI_CLOSED = { 'WETH/USDC': 'LIVE', 'DAI/USDC': 'CLOSED' };
const SAYS = /DAI has 18 decimals on chain, but it is listed with 6/;

test('a LIVE desk takes no token with decimals that are not those on chain, and signs by the right ones', async () => {
  const desk = await deskOf(twoPairs(18), 'armed');
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(LIVE), WELL);
  const connection = await connectionTo(desk.folder, 'mara');
  onTestFinished(() => connection.close());
  const { chainId } = chain;
  const save = (address: Address, decimals: number) =>
    connection.desk.listings.saveToken({ chainId, tokenId: 'DAI', token: tokenOf('DAI', address, decimals) });
  await expect(save(dai, 6)).rejects.toMatchObject({
    data: { code: 'token_refused', faults: [{ path: 'decimals', message: expect.stringMatching(SAYS) }] },
  });
  await expect(save(`0x${'ab'.repeat(20)}`, 18)).rejects.toMatchObject({ data: { faults: [{ path: 'address' }] } });
  const { json } = await desk.sellsTo('DAI/USDC');
  expect(json).toMatchObject({ code: 'amount_too_small' });
});

test('a token saved while the node is away waits: its pairs are CLOSED until the chain was asked, and for good where it says otherwise', async () => {
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  onTestFinished(() => proxy.down());
  const desk = await deskOf(twoPairs(18, proxy.url), 'armed');
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(LIVE), WELL);
  const connection = await connectionTo(desk.folder, 'mara');
  onTestFinished(() => connection.close());
  // Only what is asked about the token gets no answer: the chain is seen as before, and nothing else is closed.
  proxy.answer = ({ method }) =>
    method === 'eth_getCode' ? { error: { code: -32_005, message: 'too busy' } } : undefined;
  const saved = await connection.desk.listings.saveToken({
    chainId: chain.chainId,
    tokenId: 'DAI',
    token: tokenOf('DAI', dai, 6),
  });
  expect(saved?.waits).toMatch(/too busy/);
  expect(await desk.sellsTo('DAI/USDC')).toMatchObject({ status: 409, json: { code: 'token_closed' } });
  expect(await desk.pairs()).toEqual(DAI_CLOSED);
  proxy.answer = () => undefined;
  const why = async () => (await desk.status()).chains[0]?.closedPairs?.['DAI/USDC']?.why;
  await vi.waitFor(async () => expect(await why()).toMatch(SAYS), WELL);
  expect(await desk.sellsTo('DAI/USDC')).toMatchObject({ json: { error: expect.stringMatching(SAYS) } });
  expect(await desk.prices()).toMatchObject({ 'WETH/USDC': { asks: expect.anything() }, 'DAI/USDC': {} });
});

test('resume starts what passed and names what stays closed, by the terminal and after a restart; the right decimals open it', async () => {
  const desk = await deskOf(twoPairs(6), 'halted');
  const refused = await desk.run('resume', '--pair', 'DAI/USDC', '--reason', 'insists');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(SAYS)]);
  const resumed = await desk.run('resume', '--reason', 'checked');
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout).staysClosed).toMatchObject([
    { pair: 'DAI/USDC', sentence: expect.stringMatching(SAYS) },
  ]);
  expect(resumed.stderr).toMatch(/DAI\/USDC .*stays closed/);
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(DAI_CLOSED), WELL);
  await desk.restart();
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(DAI_CLOSED), WELL);
  expect((await desk.status()).state).toBe('LIVE');
  const check = await desk.run('check');
  expect([check.code, check.stdout]).toEqual([1, expect.stringMatching(SAYS)]);
  const connection = await connectionTo(desk.folder, 'mara');
  onTestFinished(() => connection.close());
  await connection.desk.listings.saveToken({
    chainId: chain.chainId,
    tokenId: 'DAI',
    token: tokenOf('DAI', dai, 18),
  });
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(LIVE), WELL);
});

test('a bad token that no pair uses halts nothing at the next start', async () => {
  const file = twoPairs(18);
  const [only] = file.chains;
  if (only) only.tokens.GONE = tokenOf('GONE', `0x${'ab'.repeat(20)}`, 18);
  const desk = await deskOf(file, 'armed');
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(LIVE), WELL);
  await desk.restart();
  await vi.waitFor(async () => expect(await desk.pairs()).toEqual(LIVE), WELL);
  expect((await desk.run('check')).stdout).toMatch(/FAILED\s+token GONE: There is no contract/);
});
