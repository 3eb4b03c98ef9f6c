import { numberText } from '../../state/number-form.ts';
import { type Cut, fromRaw, groupedText, plainText, withPlaces } from './decimal-text.ts';

/** What a figure needs to know of a token. */
export interface TokenFigure {
  symbol: string;
  decimals: number;
}

const PLACES: Record<string, number> = {
  USDC: 2,
  DAI: 2,
  USDT: 2,
  WETH: 4,
  wstETH: 4,
  WBTC: 5,
  LINK: 2,
  UNI: 2,
  ARB: 1,
};

/** How many decimals a table shows of a token, so that a column of it lines up. */
export function tablePlaces({ symbol, decimals }: TokenFigure): number {
  const usual = PLACES[symbol] ?? (decimals <= 6 ? 2 : decimals <= 8 ? 5 : 4);
  return Math.min(usual, decimals);
}

/**
 * The least of a token that anybody troubles about, raw units: a hundred of the last digit in tables, such as 1 USDC or 0.01 WETH,
 * and never more than one whole token.
 */
export function leastSensible(token: TokenFigure): bigint {
  return 10n ** BigInt(Math.max(0, token.decimals - Math.max(0, tablePlaces(token) - 2)));
}

/** An amount as tables show it: `12.6250`; zero is `0`. Cut, never rounded. */
export function amountText(raw: string | bigint, token: TokenFigure, cut: Cut = 'down'): string {
  if (BigInt(raw) === 0n) return '0';
  return groupedText(withPlaces(fromRaw(raw, token.decimals), tablePlaces(token), cut));
}

/** The same with at most `places` decimals, for narrow places such as the strip. */
export function shortAmountText(raw: string | bigint, token: TokenFigure, cut: Cut = 'down'): string {
  const units = BigInt(raw) / 10n ** BigInt(token.decimals);
  const places = units >= 10_000n ? 0 : units >= 100n ? 2 : tablePlaces(token);
  if (BigInt(raw) === 0n) return '0';
  return groupedText(withPlaces(fromRaw(raw, token.decimals), Math.min(places, tablePlaces(token)), cut));
}

/** All digits, without needless zeros. */
export function wholeAmountText(raw: string | bigint, decimals: number): string {
  const text = plainText(fromRaw(raw, decimals));
  return numberText(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** An allowance: what nobody could ever use up is not written out. */
export function allowanceText(raw: string, token: TokenFigure): string {
  return BigInt(raw) >= 2n ** 255n ? 'unlimited' : `${wholeAmountText(raw, token.decimals)} ${token.symbol}`;
}
