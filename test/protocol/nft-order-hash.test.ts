import fc from 'fast-check';
import { encodeType } from 'ox/TypedData';
import { hashTypedData, keccak256, recoverAddress, toBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import { type NftOrderFields, nftOrderHash } from '../../electron/protocol/nft-order-hash.ts';
import { domainSeparator } from '../../electron/protocol/order-hash.ts';
import { ASSET_KINDS, packAsset } from '../../electron/protocol/packed-asset.ts';
import { howOften } from '../how-often.ts';
import { NFT_ORDER_TYPE_HASH, NFT_ORDER_TYPES } from '../vectors/nft-order-types.ts';

const anAddress = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((number): Address => `0x${number.toString(16).padStart(40, '0')}`);
const aWord = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, 1n, 2n ** 256n - 1n));
const aSide = fc
  .record({ kind: fc.constantFrom(...ASSET_KINDS), token: anAddress, id: aWord, amount: aWord })
  .map(({ kind, token, id, amount }) => ({
    asset: packAsset({ kind, token }),
    id,
    amount: kind === 'erc721' ? 1n : amount,
  }));
const anOrder = fc
  .record({
    nonceAndMeta: aWord,
    expiry: fc.maxSafeNat(),
    gives: aSide,
    takes: aSide,
    maker: anAddress,
    taker: anAddress,
  })
  .map(
    ({ gives, takes, ...rest }): NftOrderFields => ({
      ...rest,
      makerAsset: gives.asset,
      makerAssetId: gives.id,
      takerAsset: takes.asset,
      takerAssetId: takes.id,
      makerAmount: gives.amount,
      takerAmount: takes.amount,
    }),
  );

const domain = { domainName: 'TEST RFQ', chainId: 31337, rfqContract: `0x${'12'.repeat(20)}` as Address };

function otherHash(order: NftOrderFields) {
  return hashTypedData({
    domain: { name: domain.domainName, version: '1', chainId: domain.chainId, verifyingContract: domain.rfqContract },
    types: NFT_ORDER_TYPES,
    primaryType: 'OrderNFT',
    message: { ...order, expiry: BigInt(order.expiry) },
  });
}

const sample: NftOrderFields = {
  nonceAndMeta: 7n,
  expiry: 1_800_000_000,
  makerAsset: packAsset({ kind: 'erc721', token: `0x${'34'.repeat(20)}` }),
  makerAssetId: 42n,
  takerAsset: packAsset({ kind: 'erc20', token: `0x${'56'.repeat(20)}` }),
  takerAssetId: 0n,
  maker: `0x${'78'.repeat(20)}`,
  taker: `0x${'9a'.repeat(20)}`,
  makerAmount: 1n,
  takerAmount: 10n ** 18n,
};

describe('the hash of an NFT order', () => {
  it('is of the published type', () => {
    const text = encodeType({ primaryType: 'OrderNFT', types: NFT_ORDER_TYPES });
    expect(keccak256(toBytes(text))).toBe(NFT_ORDER_TYPE_HASH);
  });

  it('equals an independent EIP-712 implementation for any order', () => {
    const separator = domainSeparator(domain);
    const property = fc.property(anOrder, (order) => {
      expect(nftOrderHash(separator, order)).toBe(otherHash(order));
    });
    fc.assert(property, { numRuns: howOften(300, 5_000) });
  });

  it('is what a wallet signs as typed data', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const signature = await account.signTypedData({
      domain: { name: domain.domainName, version: '1', chainId: domain.chainId, verifyingContract: domain.rfqContract },
      types: NFT_ORDER_TYPES,
      primaryType: 'OrderNFT',
      message: { ...sample, expiry: BigInt(sample.expiry) },
    });
    const hash = nftOrderHash(domainSeparator(domain), sample);
    expect(await recoverAddress({ hash, signature })).toBe(account.address);
  });

  it.each([
    ['order_field', { nonceAndMeta: 2n ** 256n }],
    ['order_field', { makerAssetId: -1n }],
    ['order_field', { expiry: 1.5 }],
    ['order_field', { maker: '0x12' as Address }],
    ['bad_asset', { takerAsset: 3n << 160n }],
    ['bad_nft_amount', { makerAmount: 2n }],
    ['bad_nft_amount', { makerAmount: 0n }],
  ])('is refused as %s where the contract would settle nothing', (code, change) => {
    expect(() => nftOrderHash(domainSeparator(domain), { ...sample, ...change })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
