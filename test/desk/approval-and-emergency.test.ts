import { call } from '@orpc/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { ERC20_ABI } from '../../electron/chain/erc20-abi.ts';
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

/** The on-chain answers of a desk that lists USDT alone. */
async function openAnswers({ again = async () => new Map() } = {}) {
  const { guard, journal } = await openDesk();
  const { chainId, rpcUrl, rfqContract } = chain;
  const { address: maker, privateKey } = chain.accounts.maker;
  const names = { name: 'Test', basePath: '/test', domainName: 'TEST RFQ' };
  const config = chainConfigSchema.parse({ chainId, ...names, rpcUrl, rfqContract, maker, signer: maker });
  const token = { address: usdt, symbol: 'USDT', name: 'Tether', decimals: 6 };
  const one = { chainId, config, tokens: new Map([['USDT', token]]) };
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
    allow: (amount: string) => call(handlers.setAllowance, { tokenId: 'USDT', amount }, AS),
    zero: () => call(handlers.zeroAllowances, {}, AS),
  };
}

const allowed = () => {
  const args = [chain.accounts.maker.address, chain.rfqContract] as const;
  return chain.client.readContract({ abi: ERC20_ABI, address: usdt, functionName: 'allowance', args });
};
/** What of the maker the next block would take, by hash. */
const waiting = async () => {
  const { transactions } = await chain.client.getBlock({ blockTag: 'pending', includeTransactions: true });
  return transactions.filter(({ from }) => from === chain.accounts.maker.address).map(({ hash }) => hash);
};

test('an allowance that goes through zero is not given behind an emergency that takes the place of its zero', async () => {
  const { allow, zero } = await openAnswers();
  expect(await allow('5')).toMatchObject([{ outcome: 'confirmed' }]);
  await chain.control.setAutomine(false);
  try {
    const allowing = allow('85000');
    const own = await vi.waitFor(async () => {
      const hashes = await waiting();
      expect(hashes).toHaveLength(1);
      return hashes;
    });
    const zeroing = zero();
    await vi.waitFor(async () => expect(await waiting()).not.toEqual(own));
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
    await chain.control.setAutomine(true);
  }
});

test('an allowance whose checks still run when an emergency is pressed is not given', async () => {
  const proven = Promise.withResolvers<Map<number, never>>();
  const asked = Promise.withResolvers<void>();
  const again = () => {
    asked.resolve();
    return proven.promise;
  };
  const { allow, zero } = await openAnswers({ again });
  expect(await zero()).toMatchObject([{ outcome: 'confirmed' }]);
  const allowing = allow('85000');
  await asked.promise;
  expect(await zero(), 'there is nothing to take away').toEqual([]);
  proven.resolve(new Map());
  expect(await allowing).toMatchObject([{ outcome: 'failed', overtaken: true }]);
  expect(await allowed()).toBe(0n);
});
