import type { HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { type Decimal, fromRaw, plainText, ratio, readDecimal } from '../../components/figures/decimal-text.ts';
import { decimalText } from '../../components/figures/prices.ts';

const MOST_PLACES = 18;
const ONE: Decimal = { digits: 1n, places: 0 };

/** How a price is said: so many `of` for one `per`. */
export interface PriceTerms {
  of: HedgeToken;
  per: HedgeToken;
}

/** The way round in which the desk quotes a pair, such as USDC per WETH, whichever of the two is sold. */
export function priceTerms(
  token: HedgeToken,
  against: HedgeToken,
  listed: readonly { chainId: number; base: string; quote: string }[],
): PriceTerms {
  const isTurned =
    token.chainId === against.chainId &&
    listed.some(
      ({ chainId, base, quote }) => chainId === token.chainId && base === against.symbol && quote === token.symbol,
    );
  return isTurned ? { of: token, per: against } : { of: against, per: token };
}

/** A way's prices in these terms, before and after its gas, decimal; cut towards our loss. */
export function pricesOf(
  { price, priceAfterGas }: Pick<QuotedWay, 'price' | 'priceAfterGas'>,
  src: HedgeToken,
  { of }: PriceTerms,
): { price: string; afterGas: string | null } {
  // On the wire it is what is got for one of what is given.
  const isTurned = of.chainId === src.chainId && of.address === src.address;
  const said = (wire: string) => (isTurned ? turned(wire) : wire);
  return { price: said(price), afterGas: priceAfterGas === null ? null : said(priceAfterGas) };
}

/** The price that two amounts mean, decimal; null for nothing. */
export function priceOfAmounts(
  terms: PriceTerms,
  { token, raw }: { token: HedgeToken; raw: string },
  other: { token: HedgeToken; raw: string },
): string | null {
  const isOf = token.chainId === terms.of.chainId && token.address === terms.of.address;
  const [of, per] = isOf ? [raw, other.raw] : [other.raw, raw];
  const price = ratio(fromRaw(of, terms.of.decimals), fromRaw(per, terms.per.decimals), MOST_PLACES, 'down');
  return price === null ? null : plainText(price);
}

/** Prices with so many decimals that all show six digits which are not leading zeros, two decimals at least. */
export function pricesText(prices: readonly string[]): (price: string) => string {
  const places = Math.min(...prices.map(readablePlaces));
  return (price) => decimalText(price, places);
}

function turned(price: string): string {
  const read = readDecimal(price);
  const inverse = read === null ? null : ratio(ONE, read, MOST_PLACES, 'up');
  return inverse === null ? '0' : plainText(inverse);
}

function readablePlaces(price: string): number {
  const [whole = '0', fraction = ''] = price.replace('-', '').split('.');
  if (whole !== '0') return Math.max(2, 6 - whole.length);
  return (/^0*/.exec(fraction)?.[0].length ?? 0) + 6;
}
