import { call } from '@orpc/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { ERC20_ABI } from '../../electron/chain/erc20-abi.ts';
import { chainConfigSchema } from '../../electron/contract/desk-file.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { onChainHandlers } from '../../electron/desk/handlers/on-chain.ts';
import { keepEarlier } from '../../electron/hedge/still-live.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { type NodeProxy, openNodeProxy, type RpcCall } from '../chain/node-proxy.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { openDesk } from '../quoting/open-desk.ts';

let chain: TestChain;
let node: NodeProxy;
let before: `0x${string}`;
beforeAll(async () => {
  chain = await startTestChain();
  node = await openNodeProxy(() => chain.rpcUrl);
});
afterAll(async () => {
  await node?.down();
  await chain?.close();
});
beforeEach(async () => {
  if (before !== undefined) await chain.control.revert({ id: before });
  before = await chain.control.snapshot();
  await chain.control.mine({ blocks: 1 }); // one of now
  node.answer = () => undefined;
});

/** The press, on a desk that lists WETH and USDC of the chain. */
async function zero(earlierMaker?: Address) {
  const { guard, journal } = await openDesk();
  const { chainId, rfqContract, weth, usdc } = chain;
  if (earlierMaker !== undefined) await keepEarlier(journal, [{ chainId, maker: earlierMaker, rfqContract }]);
  const { address: maker, privateKey } = chain.accounts.maker;
  const names = { name: 'Test', basePath: '/test', domainName: 'TEST RFQ' };
  const config = chainConfigSchema.parse({ chainId, ...names, rpcUrl: node.url, rfqContract, maker, signer: maker });
  const listed = (address: Address, symbol: string, decimals: number) => ({ address, symbol, name: symbol, decimals });
  const tokens = new Map([
    ['WETH', listed(weth, 'WETH', 18)],
    ['USDC', listed(usdc, 'USDC', 6)],
  ]);
  const one = { chainId, config, tokens };
  const book = { chains: () => [one], chain: () => one, seals: { nodes: () => ({ rpcUrl: node.url }) } };
  const credentials = { openUrls: async () => {} };
  const rooms = { book, guard, journal, credentials, now: Date.now, accounts: new AccountTurns() };
  const handlers = onChainHandlers(
    rooms as unknown as Parameters<typeof onChainHandlers>[0],
    () => ({ signer: openSigner(privateKey) }),
    null,
    { again: async () => new Map() },
  );
  return call(handlers.zeroAllowances, {}, { context: asOwner('mara') });
}

/** What the RFQ contract may take of each token. */
function allowances() {
  const args = [chain.accounts.maker.address, chain.rfqContract] as const;
  return Promise.all(
    [chain.weth, chain.usdc].map((address) =>
      chain.client.readContract({ abi: ERC20_ABI, address, functionName: 'allowance', args }),
    ),
  );
}
const refusing = (isRefused: (call: RpcCall) => boolean) => {
  node.answer = (asked) =>
    asked.method === 'eth_call' && isRefused(asked)
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : undefined;
};

test.each([
  ['one token', ({ params }: RpcCall) => (params[0] as { to: string }).to === chain.usdc, 3],
  ['any token', () => true, 4],
])('an allowance of %s that cannot be read is set to zero like the others', async (_which, isRefused, count) => {
  expect(await allowances()).not.toContain(0n);
  refusing(isRefused);
  const rows = await zero();
  expect(rows.map(({ outcome }) => outcome)).toEqual(Array(count).fill('confirmed')); // Permit2 too
  expect(await allowances()).toEqual([0n, 0n]);
});

test('what could be taken from an earlier maker, and cannot be read, is a row that says so: this desk cannot set it to zero', async () => {
  const { address: earlier } = chain.accounts.other;
  refusing(({ params }) => (params[0] as { data: string }).data.includes(earlier.slice(2).toLowerCase()));
  const rows = await zero(earlier.toLowerCase() as Address);
  const failed = rows.filter(({ outcome }) => outcome === 'failed').map(({ reason }) => reason);
  const sentence = (symbol: string) =>
    `${symbol} does not say what ${chain.rfqContract} may take of it from ${earlier}, which was the maker before.`;
  expect(failed).toEqual([sentence('WETH'), sentence('USDC')].map((one) => expect.stringContaining(one)));
});

test('what cannot be found out and not be sent either is a row that failed', async () => {
  refusing(() => true);
  const whole = node.answer;
  node.answer = (asked) =>
    ['eth_estimateGas', 'eth_sendRawTransaction'].includes(asked.method)
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : whole(asked);
  expect((await zero()).map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
  node.answer = () => undefined;
  node.change = ({ method }, answer) =>
    method === 'eth_getBlockByNumber' && typeof answer.result === 'object'
      ? { ...answer, result: { ...answer.result, timestamp: '0x65000000' } }
      : undefined;
  const behind = await zero();
  node.change = () => undefined;
  expect(behind.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'failed']);
  expect(behind.at(-1)?.reason).toContain('what came since is not known');
});
