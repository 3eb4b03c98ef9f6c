import type { Nft } from '../contract/quote-log.ts';
import type { OpenQuote } from '../journal/quotes/fold.ts';
import type { Address } from '../protocol/address.ts';

/** What an order gives and gets, and for whom: as it is asked for, as it is counted, and as the journal has it. Amounts are raw units. */
export interface Terms {
  /** Null for what a person signs for one taker. */
  readonly pair: string | null;
  readonly user: Address;
  /** As `exposedAsset` names it, and the taker's too. */
  readonly makerAsset: Address;
  readonly takerAsset: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
}

/** What the maker would sign. */
export interface Ask extends Terms {
  readonly taker: Address;
}

/** Under what an order counts: a token by its address; an NFT by its contract and id, for each is a thing of its own. */
export function exposedAsset(asset: Address, nft: Nft | undefined): Address {
  return nft === undefined ? asset : `${asset}#${nft.id}`;
}

/** The terms of an order that the journal has. */
export function termsOf({
  pair,
  userAddress,
  makerAsset,
  takerAsset,
  makerNft,
  takerNft,
  makerAmount,
  takerAmount,
}: Pick<
  OpenQuote,
  'pair' | 'userAddress' | 'makerAsset' | 'takerAsset' | 'makerNft' | 'takerNft' | 'makerAmount' | 'takerAmount'
>): Terms {
  return {
    pair,
    user: userAddress,
    makerAsset: exposedAsset(makerAsset, makerNft),
    takerAsset: exposedAsset(takerAsset, takerNft),
    makerAmount: BigInt(makerAmount),
    takerAmount: BigInt(takerAmount),
  };
}
