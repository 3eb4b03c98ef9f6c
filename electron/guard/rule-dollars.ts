import type { ChainBook } from '../book/chain-book.ts';
import type { References } from '../book/references.ts';
import type { PairRow } from '../contract/book.ts';
import { isDollarToken } from '../journal/book/listed-tokens.ts';
import { ceil, mul, parseDecimal } from '../protocol/decimal.ts';
import type { Token } from '../protocol/wire.ts';

/** Rules count millionths of a US dollar. */
export const DOLLAR_DECIMALS = 6;

/** US dollars a token, and the pair whose reference says so, with its time; both null for a token that counts as a dollar. */
export type Dollars = NonNullable<PairRow['dollars']>;

/** `now`: Unix milliseconds. */
export interface DollarParts {
  readonly references: Pick<References, 'of' | 'midFreshUntil'>;
  readonly now: number;
}

/**
 * US dollars a token of a chain now: 1 for one that counts as a dollar, else the fresh reference of its own pair in such a token, also
 * while that pair's ladder or formula must not be quoted by it; null where none is known, or the one that is known is not fresh or not
 * believed.
 */
export function dollarsPer(
  chain: Pick<ChainBook, 'chainId' | 'config' | 'pairs'>,
  { address, symbol }: Pick<Token, 'address' | 'symbol'>,
  { references, now }: DollarParts,
): Dollars | null {
  if (isDollarToken(symbol)) return { rate: '1', pair: null, time: null };
  for (const { id, base, quote } of chain.pairs.values()) {
    if (base.address !== address || !isDollarToken(quote.symbol)) continue;
    const reference = references.of(chain.chainId, id);
    if (reference !== undefined && now <= (references.midFreshUntil(chain, id) ?? 0))
      return { rate: reference.mid, pair: id, time: reference.time };
  }
  return null;
}

/** Millionths of a dollar that so much of a quote token comes to, rounded up. `amount` is raw units of `decimals`. */
export function dollarAmount({ amount, decimals, rate }: { amount: bigint; decimals: number; rate: string }): bigint {
  return ceil(mul({ n: amount * 10n ** BigInt(DOLLAR_DECIMALS), d: 10n ** BigInt(decimals) }, parseDecimal(rate)));
}
