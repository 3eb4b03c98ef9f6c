import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { openChainWatcher } from '../../electron/chain/chain-watcher.ts';
import { checkChain } from '../../electron/chain/check-chain.ts';
import { checkHoldings } from '../../electron/chain/check-holdings.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { CHAIN, chain, DAI, USDC, WETH } from '../book/fixture.ts';
import { openTestJournal } from '../journal/fixture.ts';
import { firm, openDesk, request } from '../quoting/open-desk.ts';
import { type ScriptedAnswer, type ScriptedCall, serveNode } from './scripted-node.ts';

const MINE = `0x${'0'.repeat(44)}${'f'.repeat(20)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const never = new Promise<ScriptedAnswer>(() => {});

/** What the contract of the bad token makes of a call, or undefined for what a good one does. */
type Badness = (call: ScriptedCall) => ScriptedAnswer | Promise<ScriptedAnswer> | undefined;

const BAD: [string, Badness][] = [
  ['never answers', () => never],
  ['wants more gas', () => ({ error: { code: -32_000, message: 'gas required exceeds allowance (50000000)' } })],
  [
    'runs into the time limit of the node',
    () => ({ error: { code: -32_000, message: 'execution aborted (timeout = 5s)' } }),
  ],
  ['answers 5 MB', () => ({ result: `0x${'00'.repeat(5_000_000)}` })],
  [
    'answers 5 MB to its allowance alone',
    (call) => (dataOf(call).startsWith('0xdd62ed3e') ? { result: `0x${'00'.repeat(5_000_000)}` } : undefined),
  ],
  ['answers what is no bytes', () => ({ result: { nothing: true } })],
];

/** A quiet chain with three tokens, of which DAI is as bad as it is said to be; a new block with every second look. */
async function nodeWith(badness: { of: Badness }) {
  let number = 100;
  const block = (of: number) => ({
    number: `0x${of.toString(16)}`,
    hash: word(of + 1),
    parentHash: word(of),
    timestamp: `0x${Math.floor(Date.now() / 1_000).toString(16)}`,
  });
  return serveNode((call) => {
    const { method, params } = call;
    if (method === 'eth_chainId') return { result: `0x${CHAIN.toString(16)}` };
    if (method === 'eth_getLogs') return { result: [] };
    if (method === 'eth_getCode') return { result: '0x60' };
    if (method === 'eth_getBlockByNumber') {
      if (params[0] === 'latest') number += 1;
      return { result: block(params[0] === 'latest' ? number : Number(params[0])) };
    }
    const { to } = params[0] as { to: Address };
    return (to === DAI ? badness.of(call) : undefined) ?? { result: tokenSays(call, to) };
  });
}

function dataOf({ params }: ScriptedCall): string {
  return (params[0] as { data: string }).data;
}

/** Balances of the maker, decimals, and nothing of anybody else. */
function tokenSays(call: ScriptedCall, to: Address): string {
  const data = dataOf(call);
  if (data === '0x313ce567') return word(to === USDC ? 6 : 18);
  return data.includes('d'.repeat(40)) ? MINE : word(0);
}

describe.each(BAD)('a token whose contract %s', (how, of) => {
  it('closes its own pairs, and the others are quoted as before', async () => {
    const badness: { of: Badness } = { of: () => undefined };
    const node = await nodeWith(badness);
    const journal = await openTestJournal();
    const watcher = openChainWatcher({
      config: { chainId: CHAIN, rpcUrl: node.url, rfqContract: chain().rfqContract, maker: chain().maker },
      tokens: () => [WETH, USDC, DAI],
      journal,
      now: Date.now,
      isBegunAnew: () => false,
      onChainLost: () => {},
      onChainReset: () => {},
      log: { info: () => {}, warn: () => {}, error: () => {} },
      pollIntervalMs: 10,
      retryMaxMs: 50,
      timeoutMs: how === 'never answers' ? 1_000 : 60_000,
    });
    onTestFinished(() => watcher.stop());
    const until = (holds: (view: ChainView) => boolean) => expect.poll(() => holds(watcher.view())).toBe(true);
    watcher.start();
    await until(({ balances }) => balances.size === 3);
    badness.of = of;
    await until(({ balances }) => balances.size === 2 && !balances.has(DAI));
    // A node that was late once, on a busy machine, is asked again.
    await until(({ fault, unreadable }) => fault === null && unreadable.length === 1);
    const bad = watcher.view();
    expect(bad.unreadable).toEqual([DAI]);
    // It is asked by itself from now on, and holds up no look.
    node.batches.length = 0;
    await until(({ block }) => (block?.number ?? 0) > (bad.block?.number ?? 0) + 3);
    expect(watcher.view().balances.size).toBe(2);
    const mixed = node.batches.filter((calls) => {
      const called = calls
        .filter(({ method }) => method === 'eth_call')
        .map(({ params }) => (params[0] as { to: string }).to);
      return called.includes(DAI) && called.includes(WETH);
    });
    expect(mixed).toEqual([]);

    await until(({ fault }) => fault === null);
    const desk = await openDesk();
    desk.chain.view = { ...watcher.view(), seenAt: desk.now() };
    expect((await firm(desk)).order).toBeDefined();
    const ofDai = request({ makerAsset: DAI, makerAmount: '1000000000000000000' });
    expect(await firm(desk, ofDai)).toMatchObject({ order: undefined, code: 'chain_unseen' });
    expect(desk.guard.status().state).toBe('LIVE');
  });

  it('does not keep the others from passing their checks', async () => {
    const node = await nodeWith({ of });
    const { tokens } = chain() as { tokens: Record<string, { address: Address; decimals: number }> };
    const { maker, rfqContract } = chain();
    const timeoutMs = how === 'never answers' ? 2_000 : 10_000;
    const parts = { rpcUrl: node.url, chainId: CHAIN, rfqContract, maker, timeoutMs };
    const outcomes = (checks: { name: string; outcome: string }[]) =>
      Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
    // The check of a token asks nothing about allowances. What is late on a busy machine is asked again.
    await expect
      .poll(async () => outcomes(await checkChain({ ...parts, tokens })))
      .toMatchObject({
        chain_id: 'passed',
        rfq_contract: 'passed',
        'token WETH': 'passed',
        'token USDC': 'passed',
        'token DAI': how.includes('allowance alone') ? 'passed' : expect.not.stringMatching('passed'),
      });
    const holdings = { ...parts, tokens: new Map(Object.entries(tokens)), paid: new Set(['WETH', 'DAI']) };
    await expect
      .poll(async () => outcomes(await checkHoldings(holdings)))
      .toMatchObject({ 'balance WETH': 'passed', 'balance USDC': 'passed', 'balance DAI': 'unanswered' });
  });
});

it('a token that answers again is read again, and one whose node says nothing at all is not blamed', async () => {
  const badness: { of: Badness } = { of: () => undefined };
  let silent: 'to all' | 'to calls of contracts' | null = null;
  const node = await nodeWith(badness);
  const proxied = await serveNode(async (call) => {
    if (silent === 'to all' || (silent !== null && call.method === 'eth_call')) return never;
    const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(call) });
    return (await response.json()) as ScriptedAnswer;
  });
  const journal = await openTestJournal();
  let ahead = 0;
  const watcher = openChainWatcher({
    config: { chainId: CHAIN, rpcUrl: proxied.url, rfqContract: chain().rfqContract, maker: chain().maker },
    tokens: () => [WETH, USDC, DAI],
    journal,
    now: () => Date.now() + ahead,
    isBegunAnew: () => false,
    onChainLost: () => {},
    onChainReset: () => {},
    log: { info: () => {}, warn: () => {}, error: () => {} },
    pollIntervalMs: 10,
    retryMaxMs: 50,
    timeoutMs: 2_000,
  });
  onTestFinished(() => watcher.stop());
  watcher.start();
  await expect.poll(() => watcher.view().balances.size).toBe(3);
  for (const how of ['to all', 'to calls of contracts'] as const) {
    silent = how;
    await expect.poll(() => watcher.view().fault).toMatch(/did not answer in time/);
    silent = null;
    await expect.poll(() => watcher.view().fault).toBe(null);
    expect(watcher.view().unreadable).toEqual([]);
  }
  badness.of = () => ({ error: { code: -32_000, message: 'gas required exceeds allowance (50000000)' } });
  await expect.poll(() => watcher.view().unreadable).toEqual([DAI]);
  badness.of = () => undefined;
  ahead += 6_000;
  await expect.poll(() => watcher.view().balances.size).toBe(3);
});
