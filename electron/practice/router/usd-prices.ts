import { BigNumber } from 'bignumber.js';

/** A pair by token IDs, and what it is worth now: quote per base as a decimal string, null while nobody knows. */
export interface PricedPair {
  base: string;
  quote: string;
  mid: string | null;
}

/** Digits kept of a price that was divided. */
const Decimal = BigNumber.clone({ DECIMAL_PLACES: 40 });

/** Dollars for one whole token by token ID, along the pairs from `dollar`, whose own price is 1; what it does not lead to is missing. */
export function usdPrices(pairs: readonly PricedPair[], dollar: string): Map<string, string> {
  const prices = new Map([[dollar, new Decimal(1)]]);
  for (const token of prices.keys()) {
    const price = prices.get(token) ?? new Decimal(0);
    for (const { base, quote, mid } of pairs) {
      if (mid === null || new Decimal(mid).isZero()) continue;
      if (quote === token && !prices.has(base)) prices.set(base, price.times(mid));
      if (base === token && !prices.has(quote)) prices.set(quote, price.dividedBy(mid));
    }
  }
  return new Map([...prices].map(([token, price]) => [token, price.toFixed()]));
}
