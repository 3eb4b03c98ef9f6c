import type { QuoteState } from '../../contract/quote-log.ts';

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
