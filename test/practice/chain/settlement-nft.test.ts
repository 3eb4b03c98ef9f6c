import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAmount } from '../../../electron/practice/chain/read-amount.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../../electron/protocol/address.ts';
import { nftOrderHash } from '../../../electron/protocol/nft-order-hash.ts';
import { domainSeparator } from '../../../electron/protocol/order-hash.ts';
import { packAsset } from '../../../electron/protocol/packed-asset.ts';
import { readRemaining, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { type ChainNftOrder, deployNfts, nftHash, signNft, TOKEN_721, TOKEN_1155 } from './nft-tokens.ts';
import { changesIn, eventsOf, ONE, PRICE, settle } from './settlement-calls.ts';

let chain: TestChain;
let nft: Address;
let multi: Address;
beforeAll(async () => {
  chain = await startTestChain();
  ({ nft, multi } = await deployNfts(chain));
});
afterAll(() => chain?.close());

let serial = 0n;

/** The maker's NFT, minted for it, against 3,412 USDC of anybody. */
async function nftForUsdc(changes: Partial<ChainNftOrder> = {}): Promise<ChainNftOrder> {
  serial += 1n;
  const { maker } = chain.accounts;
  await maker.call(TOKEN_721, nft, 'mint', [maker.address, serial]);
  return {
    nonceAndMeta: serial << 160n,
    expiry: (await chain.now()) + 150n,
    makerAsset: packAsset({ kind: 'erc721', token: nft }),
    makerAssetId: serial,
    takerAsset: packAsset({ kind: 'erc20', token: chain.usdc }),
    takerAssetId: 0n,
    maker: maker.address,
    taker: ZERO_ADDRESS,
    makerAmount: 1n,
    takerAmount: PRICE,
    ...changes,
  };
}

/** A thousand of one ERC-1155 token, minted for the maker, against one WETH. */
async function thousandForWeth(changes: Partial<ChainNftOrder> = {}): Promise<ChainNftOrder> {
  const order = await nftForUsdc();
  const { maker } = chain.accounts;
  await maker.call(TOKEN_1155, multi, 'mint', [maker.address, order.makerAssetId, 1_000n]);
  return {
    ...order,
    makerAsset: packAsset({ kind: 'erc1155', token: multi }),
    takerAsset: packAsset({ kind: 'erc20', token: chain.weth }),
    makerAmount: 1_000n,
    takerAmount: ONE,
    ...changes,
  };
}

async function fill(order: ChainNftOrder, by = chain.accounts.user, signature?: Hex): Promise<Hex> {
  return settle(chain, by, 'fillOrderNFT', [order, signature ?? (await signNft(chain, order))]);
}

async function ownerOf(id: bigint): Promise<string> {
  const owner = await chain.client.readContract({
    address: nft,
    abi: TOKEN_721.abi,
    functionName: 'ownerOf',
    args: [id],
  });
  return String(owner).toLowerCase();
}

function balanceOf(owner: Address, id: bigint): Promise<bigint> {
  return readAmount(chain.client, TOKEN_1155, multi, 'balanceOf', [owner, id]);
}

test('an ERC-721 token changes hands for ERC-20 tokens, and the event tells it with packed assets', async () => {
  const { maker, user } = chain.accounts;
  const order = await nftForUsdc();
  let hash: Hex = '0x';
  const changes = await changesIn(chain, [maker.address, user.address], async () => {
    hash = await fill(order);
  });
  expect(changes).toEqual([0n, PRICE, 0n, -PRICE]);
  expect(await ownerOf(order.makerAssetId)).toBe(user.address);
  const { nonceAndMeta, expiry, taker, ...told } = order;
  const orderHash = nftHash(chain, order);
  const event = { eventName: 'OrderFilledNFT', ...told, orderHash, taker: user.address };
  expect(await eventsOf(chain, hash)).toEqual([event]);
  expect(await readRemaining(chain, maker.address, orderHash)).toBe(1n);
  await expect(fill(order)).rejects.toThrow('Order already filled or expired');
});

test('the contract, viem and our own hash of an NFT order are of one mind', async () => {
  const order = await nftForUsdc({ nonceAndMeta: 2n ** 256n - 1n });
  const hash = nftOrderHash(domainSeparator(chain), { ...order, expiry: Number(order.expiry) });
  expect(hash).toBe(nftHash(chain, order));
  await fill(order);
  expect(await readRemaining(chain, order.maker, hash)).toBe(1n);
});

test('an ERC-1155 token is filled in parts, to the target that the caller names', async () => {
  const { maker, user, other } = chain.accounts;
  const order = await thousandForWeth();
  const signature = await signNft(chain, order);
  const changes = await changesIn(chain, [maker.address, user.address], async () => {
    await settle(chain, user, 'partialFillOrderNFT', [order, signature, ONE / 4n]);
    await settle(chain, user, 'partialFillOrderWithTargetNFT', [order, signature, ONE / 2n, other.address]);
  });
  expect(changes).toEqual([(ONE * 3n) / 4n, 0n, -(ONE * 3n) / 4n, 0n]);
  const id = order.makerAssetId;
  expect(await Promise.all([maker, user, other].map(({ address }) => balanceOf(address, id)))).toEqual([
    250n,
    250n,
    500n,
  ]);
  expect(await readRemaining(chain, maker.address, nftHash(chain, order))).toBe(251n);
  const tooMuch = [order, signature, ONE / 2n];
  await expect(settle(chain, user, 'partialFillOrderNFT', tooMuch)).rejects.toThrow('Order already filled or expired');
});

test('an NFT is taken for an NFT', async () => {
  const { maker, user, other } = chain.accounts;
  await user.call(TOKEN_1155, multi, 'mint', [user.address, 9n, 5n]);
  const order = await nftForUsdc({
    takerAsset: packAsset({ kind: 'erc1155', token: multi }),
    takerAssetId: 9n,
    takerAmount: 5n,
  });
  await settle(chain, user, 'fillOrderWithTargetNFT', [order, await signNft(chain, order), other.address]);
  expect(await ownerOf(order.makerAssetId)).toBe(other.address);
  expect(await balanceOf(maker.address, 9n)).toBe(5n);
});

test('ERC-20 tokens on both sides settle as packed assets too, with permits that are none passed over', async () => {
  const { maker, user } = chain.accounts;
  const order = await nftForUsdc({
    makerAsset: packAsset({ kind: 'erc20', token: chain.weth }),
    makerAssetId: 0n,
    makerAmount: ONE,
  });
  const args = [order, await signNft(chain, order), PRICE / 2n, user.address, '0x', '0x'];
  const changes = await changesIn(chain, [maker.address, user.address], () =>
    settle(chain, user, 'partialFillOrderWithTargetPermitNFT', args),
  );
  expect(changes).toEqual([-ONE / 2n, PRICE / 2n, ONE / 2n, -PRICE / 2n]);
});

test('an asset of another kind, and more or less than one of an ERC-721, are refused', async () => {
  await expect(fill(await nftForUsdc({ makerAsset: (3n << 160n) + BigInt(nft) }))).rejects.toThrow(
    'Invalid token type',
  );
  await expect(fill(await nftForUsdc({ takerAsset: (3n << 160n) + 1n }))).rejects.toThrow('Invalid token type');
  await expect(fill(await nftForUsdc({ makerAmount: 2n }))).rejects.toThrow('Invalid amount');
  await expect(fill(await nftForUsdc({ makerAmount: 0n }))).rejects.toThrow('Invalid amount');
});

test('terms and signature are checked as for any other order, and a cancel stops it', async () => {
  const { maker, user, other } = chain.accounts;
  await expect(fill(await nftForUsdc({ expiry: (await chain.now()) - 1n }))).rejects.toThrow('Order expired');
  await expect(fill(await nftForUsdc({ taker: other.address }))).rejects.toThrow('Access denied');
  const order = await nftForUsdc();
  await expect(fill(order, user, await signNft(chain, order, other))).rejects.toThrow('Invalid Signature');
  const changed = { ...order, makerAssetId: order.makerAssetId + 1n };
  await expect(fill(changed, user, await signNft(chain, order))).rejects.toThrow('Invalid Signature');
  await settle(chain, maker, 'cancelOrder', [nftHash(chain, order)]);
  await expect(fill(order)).rejects.toThrow('Order already filled or expired');
});

test('a token that its owner has given away moves nothing, and the fill leaves no trace', async () => {
  const { maker, user, other } = chain.accounts;
  const order = await nftForUsdc();
  await maker.call(TOKEN_721, nft, 'safeTransferFrom', [maker.address, other.address, order.makerAssetId]);
  const changes = await changesIn(chain, [maker.address, user.address], () =>
    expect(fill(order)).rejects.toThrow('Not the owner'),
  );
  expect(changes).toEqual([0n, 0n, 0n, 0n]);
  expect(await readRemaining(chain, maker.address, nftHash(chain, order))).toBe(0n);
});
