import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { References } from '../book/references.ts';
import { isDollarToken } from '../journal/book/listed-tokens.ts';
import { ceil, mul, parseDecimal } from '../protocol/decimal.ts';

/** Rules count millionths of a US dollar. */
export const DOLLAR_DECIMALS = 6;

/**
 * US dollars a quote token of a pair now, as a decimal: 1 for one that counts as a dollar, else the fresh reference of its own pair in
 * such a token; null where none is known, or the one that is known is not fresh at `now` (Unix milliseconds).
 */
export function dollarRate(
  chain: Pick<ChainBook, 'chainId' | 'config' | 'pairs'>,
  { quote }: Pick<BookPair, 'quote'>,
  { references, now }: { references: Pick<References, 'of' | 'midFreshUntil'>; now: number },
): string | null {
  if (isDollarToken(quote.symbol)) return '1';
  for (const pair of chain.pairs.values()) {
    if (pair.base.address !== quote.address || !isDollarToken(pair.quote.symbol)) continue;
    if (now <= (references.midFreshUntil(chain, pair.id) ?? 0))
      return references.of(chain.chainId, pair.id)?.mid ?? null;
  }
  return null;
}

/** Millionths of a dollar that so much of a quote token comes to, rounded up. `amount` is raw units of `decimals`. */
export function dollarAmount({ amount, decimals, rate }: { amount: bigint; decimals: number; rate: string }): bigint {
  return ceil(mul({ n: amount * 10n ** BigInt(DOLLAR_DECIMALS), d: 10n ** BigInt(decimals) }, parseDecimal(rate)));
}
