import { randomBytes } from 'node:crypto';
import { sign } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainCheck } from '../../electron/chain/chain-check.ts';
import { type CheckedChain, checkChain } from '../../electron/chain/check-chain.ts';
import { type CheckedMaker, checkMaker } from '../../electron/chain/check-maker.ts';
import { readToken } from '../../electron/chain/read-token.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openSender } from '../../electron/practice/chain/sender.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { startTestChain, type TestAccount, type TestChain } from '../chain-fixture.ts';
import { deploySafeMaker } from '../safe-maker.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

const outcomes = (checks: ChainCheck[]) => checks.map(({ name, outcome }) => `${name}: ${outcome}`);
const sentence = (checks: ChainCheck[], name: string) => checks.find((check) => check.name === name)?.sentence;

const ofChain = (changes: Partial<CheckedChain> = {}) =>
  checkChain({
    rpcUrl: chain.rpcUrl,
    chainId: chain.chainId,
    rfqContract: chain.rfqContract,
    tokens: { WETH: { address: chain.weth, decimals: 18 }, USDC: { address: chain.usdc, decimals: 6 } },
    ...changes,
  });

const askMaker = (maker: Address, by: TestAccount, changes: Partial<CheckedMaker> = {}) =>
  checkMaker({
    rpcUrl: chain.rpcUrl,
    chainId: chain.chainId,
    maker,
    signer: by.address,
    sign: ({ hash }) => sign({ hash, privateKey: by.privateKey, to: 'hex' }),
    randomHash: () => `0x${randomBytes(32).toString('hex')}`,
    ...changes,
  });

const ofMaker = async (...asked: Parameters<typeof askMaker>) => (await askMaker(...asked)).checks;

test('a chain that is as the desk file says passes every check', async () => {
  expect(outcomes(await ofChain())).toEqual([
    'chain_id: passed',
    'rfq_contract: passed',
    'token WETH: passed',
    'token USDC: passed',
  ]);
});

test('on another chain only that is said', async () => {
  const checks = await ofChain({ chainId: 1 });
  expect(outcomes(checks)).toEqual(['chain_id: failed']);
  expect(sentence(checks, 'chain_id')).toMatch(/is of chain 31337, not of chain 1\. Name a node of this chain/);
});

test('an RFQ contract without code fails', async () => {
  const checks = await ofChain({ rfqContract: `0x${'ab'.repeat(20)}` });
  expect(outcomes(checks)).toContain('rfq_contract: failed');
});

test('each token with other decimals, or none, fails by its own name', async () => {
  const checks = await ofChain({
    tokens: {
      WETH: { address: chain.weth, decimals: 6 },
      USDC: { address: chain.usdc, decimals: 6 },
      NONE: { address: `0x${'ab'.repeat(20)}`, decimals: 18 },
      RFQ: { address: chain.rfqContract, decimals: 18 },
    },
  });
  expect(outcomes(checks).slice(2)).toEqual([
    'token WETH: failed',
    'token USDC: passed',
    'token NONE: failed',
    'token RFQ: failed',
  ]);
  expect(sentence(checks, 'token WETH')).toContain('WETH has 18 decimals on chain, but it is listed with 6.');
});

test('what a form fills in is read from the token, and what it does not say stays empty', async () => {
  const { rpcUrl, chainId, usdc, rfqContract } = chain;
  expect(await readToken({ rpcUrl, chainId, address: usdc })).toEqual({
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
  });
  const nothing = { symbol: null, name: null, decimals: null };
  expect(await readToken({ rpcUrl, chainId, address: rfqContract })).toEqual(nothing);
  expect(await readToken({ rpcUrl, chainId, address: `0x${'ab'.repeat(20)}` })).toEqual(nothing);
  await expect(readToken({ rpcUrl, chainId: 1, address: usdc })).rejects.toMatchObject({ code: 'wrong_chain' });
});

test('a token whose contract answers everything with one word is no token, whatever its decimals', async () => {
  const same = await alwaysAnswers(`0x${'0'.repeat(62)}12`);
  const checks = await ofChain({ tokens: { SAME: { address: same, decimals: 18 } } });
  expect(sentence(checks, 'token SAME')).toContain('balances that cannot be');
  expect(checks.at(-1)).toMatchObject({ outcome: 'failed', scope: { kind: 'token', tokenId: 'SAME' } });
});

test('nobody closes a token by sending some of it to an address that the check could ask about', async () => {
  const turned = BigInt(chain.usdc) ^ ((1n << 160n) - 1n);
  const guessed = [turned, BigInt(chain.usdc), 0n, 1n, 0xdeadn].map(
    (bits) => `0x${bits.toString(16).padStart(40, '0')}`,
  );
  for (const address of guessed) await chain.accounts.maker.call(TEST_TOKEN, chain.usdc, 'mint', [address, 1n]);
  expect(outcomes(await ofChain())).toContain('token USDC: passed');
});

test('a node that is away leaves the question open instead of failing it', async () => {
  const checks = await ofChain({ rpcUrl: 'http://127.0.0.1:1' });
  expect(outcomes(checks)).toEqual(['chain_id: unanswered']);
});

test('a maker that signs for itself needs no node', async () => {
  const { maker } = chain.accounts;
  expect(outcomes(await ofMaker(maker.address, maker, { rpcUrl: 'http://127.0.0.1:1' }))).toEqual([
    'signer: passed',
    'maker: passed',
  ]);
});

test('a key that is not of the signer in the desk file fails', async () => {
  const { maker, other } = chain.accounts;
  const checks = await ofMaker(maker.address, other, { signer: maker.address });
  expect(outcomes(checks)).toEqual(['signer: failed']);
  expect(sentence(checks, 'signer')).toContain(other.address);
});

test('a contract maker passes with its owner’s key and fails with any other', async () => {
  const { maker, other } = chain.accounts;
  expect(outcomes(await ofMaker(chain.contractMaker, maker))).toEqual(['signer: passed', 'maker: passed']);
  expect(outcomes(await ofMaker(chain.contractMaker, other))).toEqual(['signer: passed', 'maker: failed']);
});

test('the maker contract decides what is to be signed: the hash, or the hash wrapped as its message', async () => {
  const { maker, other } = chain.accounts;
  const safe = await deploySafeMaker(chain);
  expect((await askMaker(maker.address, maker)).form).toBe('raw');
  expect((await askMaker(chain.contractMaker, maker)).form).toBe('raw');
  const wrapped = await askMaker(safe, maker);
  expect(wrapped).toMatchObject({ form: 'safe', checks: [{ outcome: 'passed' }, { outcome: 'passed' }] });
  expect(sentence(wrapped.checks, 'maker')).toContain('wrapped as messages');
  expect(await askMaker(safe, other)).toMatchObject({ form: null, checks: [{}, { outcome: 'failed' }] });
  // The wrapping names the chain: on another one this wallet would take none of it.
  expect(await askMaker(safe, maker, { chainId: 1 })).toMatchObject({
    form: null,
    checks: [{}, { outcome: 'failed' }],
  });
});

test('an account that is not the signer, and a contract that knows no EIP-1271, fail', async () => {
  const { maker, other } = chain.accounts;
  expect(sentence(await ofMaker(other.address, maker), 'maker')).toContain('neither the signer');
  expect(sentence(await ofMaker(chain.weth, maker), 'maker')).toContain('does not accept signatures');
});

/** A contract that answers every call with one word. */
async function alwaysAnswers(word: Hex): Promise<Address> {
  const sender = openSender(chain.rpcUrl, chain.accounts.other.privateKey);
  // PUSH32 word, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN; before it ten bytes that give it out as the contract's code.
  const code = `7f${word.slice(2)}5f5260205ff3`;
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return sender.deploy({ contract: 'AlwaysAnswers', abi: [], bytecode: `0x60${size}600a5f3960${size}5ff3${code}` }, []);
}

test('a contract that answers anything but exactly the magic value fails, and so does one that takes every hash', async () => {
  const { maker } = chain.accounts;
  const almost = await alwaysAnswers(`0x1626ba7e${'0'.repeat(55)}1`);
  expect(sentence(await ofMaker(almost, maker), 'maker')).toContain('does not accept signatures');
  const careless = await alwaysAnswers(`0x1626ba7e${'0'.repeat(56)}`);
  expect(sentence(await ofMaker(careless, maker), 'maker')).toContain('accepts a signature of another hash');
});
