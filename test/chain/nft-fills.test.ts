import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { packAsset } from '../../electron/protocol/packed-asset.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import {
  type ChainNftOrder,
  deployNfts,
  nftHash,
  signNft,
  TOKEN_721,
  TOKEN_1155,
} from '../practice/chain/nft-tokens.ts';
import { settle } from '../practice/chain/settlement-calls.ts';
import { driveMarket, type MarketDriver } from './market-driver.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

const PRICE = 250n * 10n ** 6n;

let chain: TestChain;
let market: MarketDriver;
let nfts: Awaited<ReturnType<typeof deployNfts>>;
let journal: Awaited<ReturnType<typeof testJournal>>;
let watcher: Watched;
let serial = 0n;

beforeAll(async () => {
  chain = await startTestChain();
  market = await driveMarket(chain);
  nfts = await deployNfts(chain);
});
afterAll(() => chain?.close());
beforeEach(async () => {
  journal = await testJournal();
  watcher = watch(journal, { ...chain, maker: chain.accounts.maker.address });
  watcher.start();
  await watcher.reached(await market.block());
});
afterEach(async () => {
  await watcher.stop();
  await journal.dispose();
});

const seen = async () => watcher.reached(await market.block());
const erc20 = (token: `0x${string}`) => packAsset({ kind: 'erc20', token });

/** An order of the maker that sells USDC for USDC unless told otherwise, open to anybody. */
function order(changes: Partial<ChainNftOrder>): ChainNftOrder {
  serial += 1n;
  return {
    nonceAndMeta: serial << 160n,
    expiry: 0n,
    maker: chain.accounts.maker.address,
    taker: `0x${'0'.repeat(40)}`,
    makerAssetId: 0n,
    takerAssetId: 0n,
    makerAsset: erc20(chain.usdc),
    takerAsset: erc20(chain.usdc),
    makerAmount: PRICE,
    takerAmount: PRICE,
    ...changes,
  };
}

/** The user fills it, wholly or for `takerAmount`. */
async function fill(of: ChainNftOrder, takerAmount = of.takerAmount, by = chain.accounts.maker) {
  const { user } = chain.accounts;
  return settle(chain, user, 'partialFillOrderNFT', [of, await signNft(chain, of, by), takerAmount]);
}

async function filledPositions(): Promise<Record<string, string>> {
  const rows = await journal.read.positions(chain.chainId, Date.now());
  return Object.fromEntries(rows.map(({ token, filled }) => [token.address, filled]));
}

test('an NFT that the maker sells is booked as a fill, and what it brought is in the positions', async () => {
  const { maker, user } = chain.accounts;
  await maker.call(TOKEN_721, nfts.nft, 'mint', [maker.address, 7n]);
  const sold = order({ makerAsset: packAsset({ kind: 'erc721', token: nfts.nft }), makerAssetId: 7n, makerAmount: 1n });
  const transactionHash = await fill(sold);
  await seen();
  const moved = {
    makerAsset: nfts.nft,
    makerAmount: '1',
    makerNft: { kind: 'erc721', id: '7' },
    takerAsset: chain.usdc,
    takerAmount: `${PRICE}`,
    taker: user.address,
  };
  const orderHash = nftHash(chain, sold);
  expect(watcher.events).toMatchObject([
    { kind: 'fill', actor: 'chain', body: { orderHash, transactionHash, ...moved } },
  ]);
  expect(await journal.read.fills({ limit: 10 })).toMatchObject([
    { orderHash, quoteSeq: null, pair: null, reverted: false, ...moved },
  ]);
  const span = { since: 0, until: Number.MAX_SAFE_INTEGER };
  expect(await journal.read.markedFills({ ...span, limit: 10, now: Date.now() })).toMatchObject([
    { orderHash, ...moved },
  ]);
  expect(await filledPositions()).toEqual({ [chain.usdc]: `${PRICE}` });
});

test('pieces of an ERC-1155 that the maker buys are booked one fill after the other, and what they cost is in the positions', async () => {
  const { maker, user } = chain.accounts;
  await maker.call(TOKEN_1155, nfts.multi, 'mint', [user.address, 3n, 10n]);
  const bought = order({
    takerAsset: packAsset({ kind: 'erc1155', token: nfts.multi }),
    takerAssetId: 3n,
    takerAmount: 10n,
    makerAmount: 10n * PRICE,
  });
  await fill(bought, 4n);
  await fill(bought, 6n);
  await seen();
  const takerNft = { kind: 'erc1155', id: '3' };
  expect(watcher.events).toMatchObject([
    { body: { takerAsset: nfts.multi, takerNft, takerAmount: '4', makerAmount: `${4n * PRICE}` } },
    { body: { takerAsset: nfts.multi, takerNft, takerAmount: '6', makerAmount: `${6n * PRICE}` } },
  ]);
  expect(await filledPositions()).toEqual({ [chain.usdc]: `${-10n * PRICE}` });
});

test('an order of that kind in which both sides are ERC-20 tokens is a fill like any other', async () => {
  await fill(order({ makerAsset: erc20(chain.weth), makerAmount: 10n ** 17n }));
  await seen();
  const [row] = await journal.read.fills({ limit: 10 });
  expect(row).toMatchObject({ makerAsset: chain.weth, takerAsset: chain.usdc });
  expect([row?.makerNft, row?.takerNft]).toEqual([undefined, undefined]);
  expect(await filledPositions()).toEqual({ [chain.weth]: `-${10n ** 17n}`, [chain.usdc]: `${PRICE}` });
});

test('an NFT order of somebody else is not ours, and one that a reorganisation takes back gives the position back', async () => {
  const { maker, other } = chain.accounts;
  await maker.call(TOKEN_721, nfts.nft, 'mint', [other.address, 8n]);
  await maker.call(TOKEN_721, nfts.nft, 'mint', [maker.address, 9n]);
  const asset = packAsset({ kind: 'erc721', token: nfts.nft });
  const theirs = { maker: other.address, makerAsset: asset, makerAssetId: 8n, makerAmount: 1n };
  await fill(order(theirs), PRICE, other);
  await seen();
  expect(watcher.events).toEqual([]);
  await fill(order({ ...theirs, maker: maker.address, makerAssetId: 9n }));
  await seen();
  expect(await filledPositions()).toEqual({ [chain.usdc]: `${PRICE}` });
  await market.rollBack(1);
  await market.mine(2);
  await seen();
  expect(watcher.events.map(({ kind }) => kind)).toEqual(['fill', 'reverted']);
  expect(Object.values(await filledPositions()).every((filled) => filled === '0')).toBe(true);
  expect(await journal.read.fills({ limit: 10 })).toMatchObject([{ reverted: true, makerNft: { id: '9' } }]);
});
