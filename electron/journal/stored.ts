import type { Nft } from '../contract/quote-log.ts';
import type { Address, Hex } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { EventBody } from './events.ts';

/** A signed quote that has no end yet, so that it counts as live. Amounts are raw units as decimal strings; `expiry` is Unix seconds. */
export type OpenQuote = {
  seq: number;
  chainId: number;
  pair: string | null;
  side: Side | null;
  userAddress: Address;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: string;
  takerAmount: string;
  filledMakerAmount: string;
  expiry: number;
  orderHash: string;
  makerNft?: Nft;
  takerNft?: Nft;
};

/** A fill or cancel that no reorganisation took back. */
export type StandingOrderEvent = {
  seq: number;
  kind: 'fill' | 'cancel';
  orderHash: Hex;
  block: number;
  blockHash: string;
  transactionHash: string;
  logIndex: number;
};

/** Fills and raw base volume of a pair in one span of time, as the maker bought and sold. */
export type VolumeBucket = {
  chainId: number;
  pair: string;
  bucket: number;
  fills: number;
  boughtFills: number;
  bought: string;
  sold: string;
};

/**
 * Quotes signed and refused, and fills that stand, with what was signed and filled in raw units of the quote token. A
 * pair that was given another quote token has a volume in each.
 */
export type PairCounts = {
  chainId: number;
  pair: string;
  signed: number;
  refused: number;
  filled: number;
  volumes: { asset: Address; signed: string; filled: string }[];
};

/** A row that a person must look at. `time` is when it was written, Unix milliseconds. */
export type StoredAlarm = { [K in 'fill' | 'drift']: { seq: number; time: number; kind: K; body: EventBody<K> } }[
  | 'fill'
  | 'drift'];
