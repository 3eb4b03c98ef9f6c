import { call } from '@orpc/server';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import type { ChainCheck } from '../../electron/chain/chain-check.ts';
import { ERC20_ABI } from '../../electron/chain/erc20-abi.ts';
import { stillLiveText } from '../../electron/commands/still-live-text.ts';
import { chainConfigSchema } from '../../electron/contract/desk-file.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { onChainHandlers } from '../../electron/desk/handlers/on-chain.ts';
import { ZERO_FIRST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { openDesk } from '../quoting/open-desk.ts';

const AS = { context: asOwner('mara') };

let chain: TestChain;
/** A token that takes an allowance only through zero. */
let usdt: Address;
beforeAll(async () => {
  chain = await startTestChain();
  usdt = (await chain.accounts.maker.deploy(ZERO_FIRST_TOKEN, ['Tether', 'USDT', 6])).toLowerCase() as Address;
});
afterAll(() => chain?.close());
beforeEach(() => chain.control.mine({ blocks: 1 })); // one of now

/** That each check passed that says between whom an approval is. */
const proven = (): Map<number, ChainCheck[]> => {
  const passed = { scope: { kind: 'chain' }, outcome: 'passed', sentence: 'It passed.' } as const;
  const names = ['chain_id', 'rfq_contract', 'rfq_signature', 'maker'];
  return new Map([[chain.chainId, names.map((name) => ({ name, ...passed }))]]);
};

/** The on-chain answers of a desk that lists USDT, or USDC, alone. */
async function openAnswers({ again = async () => proven(), tokenId = 'USDT' } = {}) {
  const { guard, journal } = await openDesk();
  const { chainId, rpcUrl, rfqContract } = chain;
  const { address: maker, privateKey } = chain.accounts.maker;
  const names = { name: 'Test', basePath: '/test', domainName: 'TEST RFQ' };
  const config = chainConfigSchema.parse({ chainId, ...names, rpcUrl, rfqContract, maker, signer: maker });
  const token = { address: addressOf(tokenId), symbol: tokenId, name: tokenId, decimals: 6 };
  const one = { chainId, config, tokens: new Map([[tokenId, token]]) };
  const seals = { nodes: () => ({ rpcUrl }), whole: (url: string) => url };
  const book = { chains: () => [one], chain: () => one, seals };
  const credentials = { openUrls: async () => {} };
  const rooms = { book, guard, journal, credentials, now: Date.now, accounts: new AccountTurns() };
  const handlers = onChainHandlers(
    rooms as unknown as Parameters<typeof onChainHandlers>[0],
    () => ({ signer: openSigner(privateKey) }),
    null,
    { again },
  );
  return {
    accounts: rooms.accounts,
    allow: (amount: string) => call(handlers.setAllowance, { tokenId, amount }, AS),
    zero: () => call(handlers.zeroAllowances, {}, AS),
    live: () => call(handlers.stillLive, {}, AS),
  };
}

const addressOf = (tokenId: string) => (tokenId === 'USDT' ? usdt : chain.usdc);
const allowed = (tokenId = 'USDT') => {
  const args = [chain.accounts.maker.address, chain.rfqContract] as const;
  return chain.client.readContract({ abi: ERC20_ABI, address: addressOf(tokenId), functionName: 'allowance', args });
};
/** What of the maker the next block would take, by hash. */
const waiting = async () => {
  const { transactions } = await chain.client.getBlock({ blockTag: 'pending', includeTransactions: true });
  return transactions.filter(({ from }) => from === chain.accounts.maker.address).map(({ hash }) => hash);
};

test('an allowance that goes through zero is not given behind an emergency that takes the place of its zero', async () => {
  const { allow, zero, accounts } = await openAnswers();
  expect(await allow('5')).toMatchObject([{ outcome: 'confirmed' }]);
  await chain.control.setAutomine(false);
  try {
    const allowing = allow('85000');
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1));
    const zeroing = zero();
    await vi.waitFor(() => expect(accounts.emergencies.all()).toHaveLength(1));
    await chain.control.mine({ blocks: 1 });
    await chain.control.setAutomine(true);
    expect(await zeroing).toMatchObject([{ outcome: 'confirmed' }]);
    const [through, given] = await allowing;
    expect(through).toMatchObject({ outcome: 'confirmed' });
    expect(given).toMatchObject({ outcome: 'failed', transactionHash: null, overtaken: true });
    expect(given?.reason).toContain('An emergency came after it was asked for');
    expect(await allowed()).toBe(0n);
    expect(await allow('6'), 'what is asked for later is given').toMatchObject([{ outcome: 'confirmed' }]);
  } finally {
    await chain.control.mine({ blocks: 1 });
    await chain.control.setAutomine(true);
  }
});

test('an allowance whose checks still run when an emergency is pressed is not given', async () => {
  let isAsked = false;
  let prove = () => {};
  const checked = new Promise<Map<number, ChainCheck[]>>((resolve) => {
    prove = () => resolve(proven());
  });
  const again = () => {
    isAsked = true;
    return checked;
  };
  const { allow, zero } = await openAnswers({ again });
  expect(await zero()).toMatchObject([{ outcome: 'confirmed' }]);
  const allowing = allow('85000');
  await vi.waitFor(() => expect(isAsked).toBe(true));
  expect(await zero(), 'there is nothing to take away').toEqual([]);
  prove();
  expect(await allowing).toMatchObject([{ outcome: 'failed', overtaken: true }]);
  expect(await allowed()).toBe(0n);
});

/** Another transaction of the maker, with the next nonce. */
async function sendStuck() {
  const { maker, other } = chain.accounts;
  const nonce = await chain.client.getTransactionCount({ address: maker.address, blockTag: 'pending' });
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.client.estimateFeesPerGas();
  const serializedTransaction = await privateKeyToAccount(maker.privateKey).signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce,
    to: other.address,
    gas: 21_000n,
    maxFeePerGas: 2n * maxFeePerGas,
    maxPriorityFeePerGas: 2n * maxPriorityFeePerGas,
  });
  await chain.client.sendRawTransaction({ serializedTransaction });
}

test('an approval that waits behind a stuck transaction gives nothing back once an emergency was mined before it', async () => {
  const { allow, zero } = await openAnswers({ tokenId: 'USDC' });
  expect(await allow('5')).toMatchObject([{ outcome: 'confirmed' }]);
  await chain.control.setAutomine(false);
  try {
    await sendStuck();
    const allowing = allow('85000');
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2));
    const before = await waiting();
    const zeroing = zero();
    await vi.waitFor(async () => {
      const now = await waiting();
      expect(now).toHaveLength(2);
      expect(now.filter((hash) => before.includes(hash))).toEqual([]);
    });
    await chain.control.mine({ blocks: 2 });
    expect(await zeroing).toMatchObject([
      { outcome: 'confirmed' },
      { outcome: 'confirmed', purpose: expect.stringMatching(/^keep what waits with nonce/) },
    ]);
    expect((await allowing)[0]?.reason).toContain('Its nonce was taken by');
    expect(await allowed('USDC')).toBe(0n);
    expect(await waiting()).toEqual([]);
  } finally {
    await chain.control.mine({ blocks: 1 });
    await chain.control.setAutomine(true);
  }
});

test('an approval that waits in the pool is still live, and an emergency takes its place', async () => {
  const { allow, zero, live } = await openAnswers({ tokenId: 'USDC' });
  await zero();
  expect(await live()).toMatchObject({ nothing: true });
  await chain.control.setAutomine(false);
  try {
    const allowing = allow('85000');
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1));
    const before = await waiting();
    const said = await vi.waitFor(async () => {
      const found = await live();
      expect(found.chains[0]?.approvals).toHaveLength(1);
      return found;
    });
    expect(said).toMatchObject({ nothing: false, nothingSigned: false, until: null });
    expect(said.chains[0]).toMatchObject({
      allowances: [],
      approvals: [{ token: { symbol: 'USDC' }, spender: chain.rfqContract, amount: '85000000000', hash: before[0] }],
    });
    expect(stillLiveText(said)).toMatch(/approval that is sent and not mined, allowance of 85000 USDC to 0x/);
    const zeroing = zero();
    await vi.waitFor(async () => expect(await waiting()).not.toEqual(before));
    await chain.control.mine({ blocks: 1 });
    expect(await zeroing).toMatchObject([{ outcome: 'confirmed' }]);
    await allowing;
    expect(await allowed('USDC')).toBe(0n);
    expect(await live(), 'what took its place is mined').toMatchObject({ nothing: true });
  } finally {
    await chain.control.mine({ blocks: 1 });
    await chain.control.setAutomine(true);
  }
});
