import type { Nft, QuoteState } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import type { Side } from '../../protocol/side.ts';

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

/** What is known of a signed quote. Amounts are raw units of the maker asset. */
type QuoteFacts = {
  makerAmount: bigint;
  filledMakerAmount: bigint;
  cancelled: boolean;
  /** What the desk itself said of its end. */
  ended: 'withheld' | 'expired' | null;
};

/**
 * What became of a signed quote. The chain's word is final and comes first; then what the desk said of its end; so a
 * fill or cancel that a reorganisation takes back leads to the state that held without it.
 */
export function quoteState({ makerAmount, filledMakerAmount, cancelled, ended }: QuoteFacts): QuoteState {
  if (filledMakerAmount >= makerAmount) return 'filled';
  if (cancelled) return 'cancelled';
  if (ended !== null) return ended;
  return filledMakerAmount > 0n ? 'part_filled' : 'live';
}
