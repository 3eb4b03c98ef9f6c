import { COIN_DECIMALS, wrappedCoinOf } from '../contract/native-coin.ts';
import { dollarsPer } from '../guard/rule-dollars.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';

/** Dollars a whole native token of a chain by the fresh reference of its wrapped coin, as a decimal; null without one. */
export function coinDollars({ book, now }: Pick<HedgeParts, 'book' | 'now'>, chainId: number): string | null {
  const chain = chainOf({ book }, chainId);
  const wrapped = wrappedCoinOf(chainId);
  const coin = [...chain.tokens].find(
    ([id, { decimals }]) => id.toLowerCase() === wrapped && decimals === COIN_DECIMALS,
  );
  if (coin === undefined) return null;
  return dollarsPer(chain, coin[1], { references: book.references, now: now() })?.rate ?? null;
}
