import type { Address, Hex } from './address.ts';
import { DeskError } from './desk-error.ts';
import { type OrderDomain, orderTypedData } from './order-hash.ts';
import { type AssetKind, packAsset, unpackAsset } from './packed-asset.ts';
import type { Signable } from './signable.ts';
import { addressWord, expiryWord, hashText, typedHash, word } from './typed-words.ts';

/**
 * The ten signed fields of an order in which either side may be an ERC-721 or ERC-1155 token (PROTOCOL 1.4, 21.3), in the order of
 * the contract's EIP-712 type. `makerAsset` and `takerAsset` are packed (`packAsset`); the ids are those of the tokens, zero
 * for an ERC-20. Amounts are raw units, of an ERC-721 always 1; expiry is Unix seconds.
 */
export interface NftOrderFields {
  nonceAndMeta: bigint;
  expiry: number;
  makerAsset: bigint;
  makerAssetId: bigint;
  takerAsset: bigint;
  takerAssetId: bigint;
  maker: Address;
  taker: Address;
  makerAmount: bigint;
  takerAmount: bigint;
}

/** Which NFT a side of an order is, of the contract that is named as that side's asset; the id as decimal digits. */
interface NftSide {
  kind: Exclude<AssetKind, 'erc20'>;
  id: string;
}

/** The fields of an order whose sides are named by their contracts: a side without an NFT is an ERC-20. */
export function nftOrderFields({
  makerNft,
  takerNft,
  makerAsset,
  takerAsset,
  ...rest
}: Omit<NftOrderFields, 'makerAsset' | 'makerAssetId' | 'takerAsset' | 'takerAssetId'> & {
  makerAsset: Address;
  takerAsset: Address;
  makerNft?: NftSide;
  takerNft?: NftSide;
}): NftOrderFields {
  const { nonceAndMeta, expiry, maker, taker, makerAmount, takerAmount } = rest;
  return {
    nonceAndMeta,
    expiry,
    makerAsset: packAsset({ kind: makerNft?.kind ?? 'erc20', token: makerAsset }),
    makerAssetId: BigInt(makerNft?.id ?? 0),
    takerAsset: packAsset({ kind: takerNft?.kind ?? 'erc20', token: takerAsset }),
    takerAssetId: BigInt(takerNft?.id ?? 0),
    maker,
    taker,
    makerAmount,
    takerAmount,
  };
}

const NFT_ORDER_FIELDS = [
  { name: 'nonceAndMeta', type: 'uint256' },
  { name: 'expiry', type: 'uint128' },
  { name: 'makerAsset', type: 'uint256' },
  { name: 'makerAssetId', type: 'uint256' },
  { name: 'takerAsset', type: 'uint256' },
  { name: 'takerAssetId', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
];
const NFT_ORDER_TYPE_HASH = hashText(
  `OrderNFT(${NFT_ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join(',')})`,
);

/**
 * EIP-712 hash of an NFT order: what the maker signs, in the same domain (`domainSeparator`) and with the same two kinds of
 * signature as any other order, and the name under which it is filled and cancelled. Market making itself is of ERC-20
 * tokens only.
 * @throws DeskError `order_field` when a field does not fit its type, `bad_asset` for an asset of no known kind,
 * `bad_nft_amount` for an ERC-721 whose amount is not 1: the contract would settle neither
 */
export function nftOrderHash(separator: Hex, order: NftOrderFields): Hex {
  checkAsset(order.makerAsset, order.makerAmount, 'makerAmount');
  checkAsset(order.takerAsset, order.takerAmount, 'takerAmount');
  return typedHash(
    separator,
    NFT_ORDER_TYPE_HASH +
      word(order.nonceAndMeta, 'nonceAndMeta') +
      expiryWord(order.expiry) +
      word(order.makerAsset, 'makerAsset') +
      word(order.makerAssetId, 'makerAssetId') +
      word(order.takerAsset, 'takerAsset') +
      word(order.takerAssetId, 'takerAssetId') +
      addressWord(order.maker, 'maker') +
      addressWord(order.taker, 'taker') +
      word(order.makerAmount, 'makerAmount') +
      word(order.takerAmount, 'takerAmount'),
  );
}

/** An NFT order to be signed in its domain; `hash` is its `nftOrderHash` there. */
export function nftOrderToSign(domain: OrderDomain, order: NftOrderFields, hash: Hex): Signable {
  const message = { ...order };
  return { hash, whole: () => ({ typedData: orderTypedData(domain, { OrderNFT: NFT_ORDER_FIELDS }, message) }) };
}

function checkAsset(packed: bigint, amount: bigint, field: string): void {
  if (unpackAsset(packed).kind === 'erc721' && amount !== 1n) {
    throw new DeskError('bad_nft_amount', `The order's ${field} must be 1, for an ERC-721 token.`);
  }
}
