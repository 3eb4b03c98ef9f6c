import type { ExposureRow } from '../../electron/contract/desk-view.ts';
import { COIN_DECIMALS, coinOf, wrappedCoinOf } from '../../electron/contract/native-coin.ts';
import {
  compareDecimals,
  type Decimal,
  fromRaw,
  groupedText,
  product,
  readDecimal,
  sum,
  withPlaces,
} from './figures/decimal-text.ts';
import { type LiveToken, liveTokens } from './still-live.ts';

/** Raw units of a token in dollars, cut up to the cent: it is what we may owe or pay. Null where no price of it is known. */
export function dollarsUp(raw: string | bigint, decimals: number, rate: string | null | undefined): Decimal | null {
  const amount = fromRaw(raw, decimals);
  if (amount.digits === 0n) return { digits: 0n, places: 2 };
  const dollars = readDecimal(rate ?? '');
  return dollars === null ? null : withPlaces(product(amount, dollars), 2, 'up');
}

/** `$1,234.57`. */
export function dollarText(dollars: Decimal): string {
  return `$${groupedText(withPlaces(dollars, 2, 'up'))}`;
}

/** The same for a heading: whole dollars, `$1,235`. */
export function wholeDollarText(dollars: Decimal): string {
  return `$${groupedText(withPlaces(dollars, 0, 'up'))}`;
}

/** Something of a token that can still be taken, raw units. */
export interface LiveAmount {
  chainId: number;
  address: string;
  symbol: string;
  decimals: number;
  raw: string;
}

/** All of it in dollars at most, and the tokens that are not in that sum because no price of them is known. */
export function liveDollars(
  amounts: readonly LiveAmount[],
  exposure: readonly ExposureRow[],
): { dollars: Decimal; without: string[] } {
  let dollars: Decimal = { digits: 0n, places: 2 };
  const without = new Set<string>();
  for (const { chainId, address, symbol, decimals, raw } of amounts) {
    const known = exposure.find((row) => row.chainId === chainId && row.address === address);
    const part = dollarsUp(raw, decimals, known?.dollars);
    if (part === null) without.add(symbol);
    else dollars = sum(dollars, part);
  }
  return { dollars, without: [...without] };
}

/** Everything that signed quotes can still take: in dollars at most, and beside that the tokens that no price is known of. */
export function liveWorth(exposure: readonly ExposureRow[]): { dollars: Decimal; unpriced: readonly LiveToken[] } {
  let dollars: Decimal = { digits: 0n, places: 2 };
  const unpriced: ExposureRow[] = [];
  for (const row of exposure) {
    const part = dollarsUp(row.live, row.decimals, row.dollars);
    if (part === null) unpriced.push(row);
    else dollars = sum(dollars, part);
  }
  return { dollars, unpriced: liveTokens(unpriced) };
}

/** What is worth most first, before that whatever has no price: it may be worth anything. What is worth the same by its end. */
export function dearestFirst(rows: readonly ExposureRow[]): ExposureRow[] {
  const worth = new Map(rows.map((row) => [row, dollarsUp(row.live, row.decimals, row.dollars)]));
  return rows.toSorted((a, b) => {
    const [of, other] = [worth.get(a) ?? null, worth.get(b) ?? null];
    if (of === null || other === null) {
      if (of !== other) return of === null ? -1 : 1;
    } else {
      const difference = compareDecimals(other, of);
      if (difference !== 0) return difference;
    }
    return (b.zeroAt ?? 0) - (a.zeroAt ?? 0);
  });
}

/** Wei of a chain's coin in dollars, cut up; null where its wrapped token has no price. */
export function gasDollars(chainId: number, wei: string | bigint, exposure: readonly ExposureRow[]): Decimal | null {
  const wrapped = exposure.find(
    (row) =>
      row.chainId === chainId && row.decimals === COIN_DECIMALS && row.tokenId.toLowerCase() === wrappedCoinOf(chainId),
  );
  return dollarsUp(wei, COIN_DECIMALS, wrapped?.dollars);
}

/** Wei in the coin of the chain and, where its wrapped token has a price, in dollars, both cut up: `0.001204 ETH, $4.11`. */
export function gasText(chainId: number, wei: string | bigint, exposure: readonly ExposureRow[]): string {
  const coin = coinOf(chainId);
  const amount = groupedText(withPlaces(fromRaw(wei, COIN_DECIMALS), 6, 'up'));
  if (coin === null) return `${amount} of the chain’s coin`;
  const dollars = gasDollars(chainId, wei, exposure);
  return dollars === null ? `${amount}\u00a0${coin}` : `${amount}\u00a0${coin}, ${dollarText(dollars)}`;
}
