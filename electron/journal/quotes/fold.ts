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

/** What became of a signed order so far. Amounts are raw units. */
export interface OrderFate {
  readonly filledMaker: bigint;
  readonly filledTaker: bigint;
  /** A cancel of it stands on chain. */
  readonly cancelled: boolean;
  /** What the desk itself said of its end. */
  readonly ended: 'withheld' | 'expired' | null;
}

/** Nothing has happened to it. */
export const UNTOUCHED: OrderFate = { filledMaker: 0n, filledTaker: 0n, cancelled: false, ended: null };

/** What the desk says of an order's end. */
export type Ending = 'quote_withheld' | 'quotes_expired' | 'chain_reset';

/** What happens to an order. A fill that is taken back fills less than nothing; `stands`: a cancel does after this. */
export type OrderNews =
  | { readonly kind: 'fill'; readonly maker: bigint; readonly taker: bigint }
  | { readonly kind: 'cancel'; readonly stands: boolean }
  | { readonly kind: Ending };

/** An order after something happened to it; in whichever order things happened, it comes to the same. */
export function foldOrder(fate: OrderFate, news: OrderNews): OrderFate {
  switch (news.kind) {
    case 'fill': {
      const { filledMaker, filledTaker } = fate;
      return { ...fate, filledMaker: filledMaker + news.maker, filledTaker: filledTaker + news.taker };
    }
    case 'cancel':
      return { ...fate, cancelled: news.stands };
    default:
      return { ...fate, ended: foldEnd(fate.ended, news.kind) };
  }
}

/** What the desk has said of an order's end, after it said so once more: what was withheld does not expire. */
export function foldEnd(before: OrderFate['ended'], kind: Ending): 'withheld' | 'expired' {
  return kind === 'quote_withheld' ? 'withheld' : (before ?? 'expired');
}

/** In these something of an order can still be filled. */
export const OPEN_STATES: readonly QuoteState[] = ['live', 'part_filled'];

/**
 * What became of a signed order of `makerAmount`. The chain's word is final and comes first; then what the desk said of its
 * end; so a fill or cancel that a reorganisation takes back leads to the state that held without it.
 */
export function orderState(makerAmount: bigint, { filledMaker, cancelled, ended }: OrderFate): QuoteState {
  if (filledMaker >= makerAmount) return 'filled';
  if (cancelled) return 'cancelled';
  return endedState(filledMaker > 0n ? 'part_filled' : 'live', ended);
}

/** The state of an order that is in `state` by the chain, with what the desk said of its end: that ends what can still be filled, and no other. */
export function endedState(state: QuoteState, ended: OrderFate['ended']): QuoteState {
  return ended !== null && OPEN_STATES.includes(state) ? ended : state;
}
