import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { heldTokens } from '../../electron/desk/held-tokens.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { chain as chainOf, configuredBook, deskFile, folder } from '../book/fixture.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

const OTHER = 42161;
const NOBODY = `0x${'7'.repeat(40)}` as const;
const token = (symbol: string, address: string) => ({ symbol, name: symbol, address, decimals: 18, type: 'ERC20' });

/** A desk of two chains: the test's own, which lists `here`, and another one that lists `there`. */
function desk(here: Record<string, string>, there: Record<string, string>, changes: Record<string, unknown> = {}) {
  const tokensOf = (listed: Record<string, string>) =>
    Object.fromEntries(Object.entries(listed).map(([id, address]) => [id, token(id, address)]));
  const none = { pairs: {}, prices: {} };
  const { rpcUrl, chainId, accounts } = chain;
  const own = { chainId, rpcUrl, maker: accounts.maker.address, tokens: tokensOf(here), ...none, ...changes };
  const other = { chainId: OTHER, name: 'Arbitrum', basePath: '/42161', tokens: tokensOf(there), ...none };
  return { ...deskFile(), chains: [chainOf(own), chainOf(other)] };
}

/** Nodes are asked again where a slow machine did not let them answer in time. */
const read = <T>(act: () => Promise<T>) => expect.poll(act);

async function heldIn(file: unknown, named: readonly string[] = []) {
  const { book } = await configuredBook(file);
  return heldTokens({ book }, chain.chainId, named);
}

test('a token that another chain lists at the same address is offered as this chain’s node knows it, with what the maker holds', async () => {
  const { desk: client, close } = await openFolderClient(folder(), 'mara', async () => 'a passphrase');
  onTestFinished(close);
  await client.desk.import({ desk: desk({ WETH: chain.weth }, { WETH: chain.weth, DOLLAR: chain.usdc }) });
  const held = () => client.listings.heldTokens({ chainId: chain.chainId });
  await read(held).toEqual([
    {
      address: chain.usdc,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      balance: String(34_120_000n * 10n ** 6n),
      knownFrom: { kind: 'chain', chainId: OTHER },
    },
  ]);
});

test('what the maker does not hold, and what is no token on this chain, is not offered', async () => {
  const { weth, usdc, rfqContract, accounts } = chain;
  const there = { WETH: weth, USDC: usdc, GONE: NOBODY, ODD: rfqContract };
  await read(() => heldIn(desk({}, there, { maker: NOBODY }))).toEqual([]);
  await accounts.maker.call(TEST_TOKEN, usdc, 'mint', [NOBODY, 1n]);
  await read(() => heldIn(desk({}, there, { maker: NOBODY }))).toMatchObject([{ symbol: 'USDC', balance: 1n }]);
});

test('what the service names is offered once it is proven, and what is no address is left out alone', async () => {
  const named = [chain.weth.toUpperCase().replace('0X', '0x'), 'nonsense', NOBODY];
  await read(() => heldIn(desk({}, {}), named)).toMatchObject([{ symbol: 'WETH', knownFrom: { kind: 'service' } }]);
});

test('with a second node nothing is offered that it does not say as well', async () => {
  const second = await startTestChain({ rpcPort: 0 });
  onTestFinished(() => second.close());
  await second.control.setCode({ address: chain.usdc, bytecode: '0x' });
  const both = { secondRpcUrl: second.rpcUrl };
  await read(() => heldIn(desk({}, { WETH: chain.weth, USDC: chain.usdc }, both))).toMatchObject([{ symbol: 'WETH' }]);
});

test('a node of another chain offers nothing: it is refused', async () => {
  const { book } = await configuredBook(desk({}, { WETH: chain.weth }, { chainId: 10, basePath: '/10' }));
  const refusal = () => heldTokens({ book }, 10, []).catch((error: unknown) => error);
  await read(refusal).toMatchObject({ code: 'wrong_chain' });
});
