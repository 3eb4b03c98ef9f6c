import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { quotePreimage } from '../../electron/desk/quote-preimage.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { hashToSign } from '../../electron/protocol/signing-form.ts';
import { chain as bookChain } from '../book/fixture.ts';
import { type NodeProxy, openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { firm, openDesk, quotes, request, seen, signer, TAKER } from '../quoting/open-desk.ts';
import { deploySafeMaker, SAFE_MAKER } from '../safe-maker.ts';

let chain: TestChain;
let node: NodeProxy;
beforeAll(async () => {
  chain = await startTestChain();
  node = await openNodeProxy(() => chain.rpcUrl);
});
afterAll(async () => {
  await node?.down();
  await chain?.close();
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** A LIVE desk whose maker is a wallet of the Safe kind, asked every 50 ms whether it stands by the desk's key. */
async function deskOfSafe(often: { tokensEveryMs?: number } = {}) {
  const { accounts, rfqContract, domainName, weth, usdc } = chain;
  const maker = await deploySafeMaker(chain);
  const setOwner = (account: Address, owner: boolean) =>
    accounts.maker.call(SAFE_MAKER, maker, 'setOwner', [account, owner]);
  await setOwner(signer.address, true);
  const token = (symbol: string, address: Address, decimals: number) => ({
    [symbol]: { symbol, name: symbol, address, decimals, type: 'ERC20' },
  });
  const desk = await openDesk({
    checked: false,
    chain: {
      rpcUrl: node.url,
      rfqContract,
      domainName,
      maker,
      signer: signer.address,
      balanceMaxAgeSeconds: 600,
      takers: [TAKER],
      tokens: { ...token('WETH', weth, 18), ...token('USDC', usdc, 6) },
      pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 100_000 } },
      prices: { 'WETH/USDC': { asks: [['3413', '1']] } },
    },
    quoter: { formOf: (of) => checks.formOf(of) },
  });
  const { book, guard } = desk;
  const held = { current: () => ({ signer }), onChange: () => {} };
  const checks = new ChainChecks({ book, guard, log: silent }, held, { makerEveryMs: 50, ...often });
  const balance = 1_000n * 10n ** 18n;
  const balances = new Map([weth, usdc].map((token) => [token, { balance, allowance: balance }]));
  desk.chain.view = { ...seen(desk.now()), balances };
  await checks.start();
  onTestFinished(() => checks.stop());
  await guard.trading.resume({}, { actor: 'mara', reason: 'a test begins' });
  const ask = () => firm(desk, request({ makerAsset: weth, takerAsset: usdc }));
  return { desk, maker, checks, setOwner, ask };
}

test('what is signed for a wallet of the Safe kind is what its isValidSignature takes of the order', async () => {
  const { desk, maker, ask } = await deskOfSafe();
  const { order } = await ask();
  const [row] = await quotes(desk);
  const valid = await chain.client.readContract({
    address: maker,
    abi: SAFE_MAKER.abi,
    functionName: 'isValidSignature',
    args: [row?.orderHash, order?.signature],
  });
  expect(valid).toBe('0x1626ba7e');
  const detail = await desk.journal.read.quote(row?.seq ?? 0);
  const own = desk.book.chain(chain.chainId);
  if (detail === null || own === undefined) throw new Error('The quote is not in the journal.');
  expect(quotePreimage(detail, own)).toMatchObject({
    matches: true,
    hash: row?.orderHash,
    recovered: signer.address,
    message: hashToSign('safe', { chainId: chain.chainId, maker }, row?.orderHash as Hex),
  });
});

test('a maker that removes our key from its owners closes the chain while it is LIVE', async () => {
  const { desk, checks, setOwner, ask } = await deskOfSafe();
  expect((await ask()).status).toBe(200);
  await setOwner(signer.address, false);
  await expect.poll(async () => (await ask()).status).toBe(503);
  expect(checks.faults()).toMatchObject([{ chainId: chain.chainId, check: { outcome: 'failed' } }]);
  await checks.again([chain.chainId]);
  const by = { actor: 'mara', reason: 'the key is an owner again' };
  await expect(desk.guard.trading.resume({}, by)).rejects.toMatchObject({ code: 'checks_failed' });
  await setOwner(signer.address, true);
  await checks.again([chain.chainId]);
  await desk.guard.trading.resume({}, by);
  expect((await ask()).status).toBe(200);
});

test('a node that does not answer for the maker does not close the chain by that', async () => {
  const { checks, ask } = await deskOfSafe();
  const asked = () => node.trips.flat().filter(({ method }) => method === 'eth_getCode').length;
  const before = asked();
  node.answer = () => ({ error: { code: -32005, message: 'daily request count exceeded' } });
  onTestFinished(() => {
    node.answer = () => undefined;
  });
  await expect.poll(asked).toBeGreaterThan(before + 2);
  expect(checks.faults()).toEqual([]);
  expect((await ask()).status).toBe(200);
});

test('a token whose contract comes to say other decimals is closed while it is LIVE', async () => {
  const { checks, ask } = await deskOfSafe({ tokensEveryMs: 50 });
  expect((await ask()).status).toBe(200);
  const DECIMALS = '0x313ce567';
  node.answer = ({ method, params }) => {
    const [call] = params as [{ to?: string; data?: string }];
    const isAsked = method === 'eth_call' && call.to === chain.weth && call.data === DECIMALS;
    return isAsked ? { result: `0x${'6'.padStart(64, '0')}` } : undefined;
  };
  onTestFinished(() => {
    node.answer = () => undefined;
  });
  await expect.poll(async () => (await ask()).code).toBe('token_closed');
  const sentence = 'WETH has 6 decimals on chain, but it is listed with 18.';
  expect(checks.faults()).toMatchObject([
    { check: { outcome: 'failed', sentence: expect.stringContaining(sentence) } },
  ]);
  node.answer = () => undefined;
  await checks.again([chain.chainId]);
  expect((await ask()).status).toBe(200);
});

test('a token that is new on one chain is asked about although the node of another never answers', async () => {
  const { rfqContract, domainName, weth, usdc } = chain;
  const token = (symbol: string, address: Address, decimals: number) => {
    return { symbol, name: symbol, address, decimals, type: 'ERC20' as const };
  };
  const own = { rfqContract, domainName, maker: signer.address, signer: signer.address };
  const well = bookChain({
    ...own,
    rpcUrl: chain.rpcUrl,
    tokens: { WETH: token('WETH', weth, 18) },
    pairs: {},
    prices: {},
  });
  const away = { ...well, chainId: 10, basePath: '/10', rpcUrl: 'http://127.0.0.1:1' };
  const { book, guard } = await openDesk({ checked: false, desk: { chains: [well, away] } });
  const checks = new ChainChecks({ book, guard, log: silent }, { current: () => ({ signer }), onChange: () => {} });
  onTestFinished(() => checks.stop());
  await checks.start();
  const added = token('USDC', usdc, 6);
  await book.saveToken(well.chainId, 'USDC', added, 'mara');
  await expect.poll(() => guard.wasTokenChecked(well.chainId, added)).toBe(true);
});

test('a check that throws closes its chain with the reason, and the rounds after it go on', async () => {
  const { rfqContract, domainName, weth, rpcUrl } = chain;
  const WETH = { symbol: 'WETH', name: 'WETH', address: weth, decimals: 18, type: 'ERC20' };
  const maker = { maker: signer.address, signer: signer.address };
  const own = bookChain({ rfqContract, domainName, rpcUrl, ...maker, tokens: { WETH }, pairs: {}, prices: {} });
  const { book, guard } = await openDesk({ checked: false, desk: { chains: [own] } });
  let broken = true;
  const current = () => {
    if (broken) throw new Error('the disk with the key is gone');
    return { signer };
  };
  const checks = new ChainChecks({ book, guard, log: silent }, { current, onChange: () => {} });
  onTestFinished(() => checks.stop());
  await checks.start();
  const sentence = expect.stringMatching(/the disk with the key is gone/);
  expect(checks.faults()).toMatchObject([{ check: { outcome: 'failed', sentence } }]);
  expect(guard.status().chains[0]?.closed).toBe('checks_failed');
  broken = false;
  const found = await checks.again([own.chainId]);
  expect(found.get(own.chainId)?.map(({ name }) => name)).toContain('signer');
  expect(checks.faults().filter(({ check }) => check.name === 'self_check')).toEqual([]);
});

test('a round that throws halts the desk, and the next one is made', async () => {
  const { desk, checks } = await deskOfSafe();
  const judged = vi.spyOn(desk.guard, 'chainChecked').mockImplementationOnce(() => {
    throw new Error('a guard gave way');
  });
  await checks.again([chain.chainId]);
  expect(desk.guard.status()).toMatchObject({ state: 'HALTED', reason: expect.stringMatching(/a guard gave way/) });
  await checks.again([chain.chainId]);
  expect(judged.mock.calls.length).toBeGreaterThan(1);
  await desk.guard.trading.resume({}, { actor: 'mara', reason: 'it was looked at' });
});
