import type { Draft, PublishedLadder } from '../contract/book.ts';
import type { DeskFile } from '../contract/desk-file.ts';
import type { Heartbeat } from '../contract/desk-view.ts';
import type { Nft } from '../contract/quote-log.ts';
import type { Scope, TradingState } from '../contract/trading.ts';
import type { Address, Hex } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { EventBody } from './events.ts';

/** An address on a chain's blacklist. Times are Unix milliseconds. */
export type StoredBlacklistEntry = {
  chainId: number;
  address: Address;
  reason: string | null;
  until: number | null;
  onlyHere: boolean;
  since: number;
  actor: string;
};

export type StoredBook = {
  /** Tokens, pairs, limits, takers and switches as they are now; no prices, no blacklist. null before the first import. */
  desk: DeskFile | null;
  /** Of the counterparties' secrets, by domain. */
  fingerprints: Record<string, string>;
  /** The current revision of every listed pair that has one. */
  ladders: PublishedLadder[];
  retired: { chainId: number; pair: string; until: number }[];
  blacklist: StoredBlacklistEntry[];
};

/** The last word on a scope. `since` and `until` (of a DRAIN) are Unix milliseconds. */
export type StoredTradingState = {
  scope: Scope;
  state: TradingState;
  reason: string | null;
  actor: string;
  since: number;
  until: number | null;
  cause: string | null;
};

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

export type BlacklistChange = {
  seq: number;
  time: number;
  actor: string;
  address: Address;
  action: 'added' | 'removed';
  reason: string | null;
  until: number | null;
  onlyHere: boolean;
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

export type StoredDraft = { chainId: number; pair: string; draft: Draft };

export type StoredHeartbeat = { chainId: number; beat: Heartbeat };

/** A row that a person must look at. `time` is when it was written, Unix milliseconds. */
export type StoredAlarm = { [K in 'fill' | 'drift']: { seq: number; time: number; kind: K; body: EventBody<K> } }[
  | 'fill'
  | 'drift'];

/** What the independent reference said; `mid` in quote per base, `time` in Unix milliseconds. */
export type ReferenceSample = { time: number; mid: string };
