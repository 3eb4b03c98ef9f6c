import { type Cut, fromRaw, groupedText, ratio, readDecimal, withPlaces } from './decimal-text.ts';

/** The tick of a pair's column: the most decimals any of its prices has, at most 12. */
export function pricePlaces(texts: Iterable<string | null>): number {
  let places = 0;
  for (const text of texts) {
    const read = text === null ? null : readDecimal(text);
    if (read) places = Math.max(places, read.places);
  }
  return Math.min(places, 12);
}

const MOST_SIGNIFICANT = 6;

/** The same for narrow columns: of a price below one no more decimals than show six digits that are not leading zeros. */
export function narrowPricePlaces(texts: Iterable<string | null>): number {
  const known = [...texts].filter((text) => text !== null);
  const leading = known.map((text) => /^0\.(0*)/.exec(text)?.[1]?.length ?? null).filter((zeros) => zeros !== null);
  return leading.length === 0
    ? pricePlaces(known)
    : Math.min(pricePlaces(known), Math.min(...leading) + MOST_SIGNIFICANT);
}

/** A decimal string from the wire, grouped, with the column's decimals; what is no number stays as it is. */
export function decimalText(text: string, places: number, cut: Cut = 'down'): string {
  const read = readDecimal(text);
  return read === null ? text : groupedText(withPlaces(read, places, cut));
}

/** A decimal string grouped with all its digits. */
export function exactText(text: string): string {
  const read = readDecimal(text);
  return read === null ? text : groupedText(read);
}

/**
 * What one base token cost in quote tokens: raw amounts in, a figure with `places` decimals out. Cut towards the desk's
 * disadvantage: up where we buy, down where we sell.
 */
export function tradePriceText(
  trade: { base: string; quote: string; baseDecimals: number; quoteDecimals: number; weBuy: boolean },
  places: number,
): string | null {
  const price = ratio(
    fromRaw(trade.quote, trade.quoteDecimals),
    fromRaw(trade.base, trade.baseDecimals),
    places,
    trade.weBuy ? 'up' : 'down',
  );
  return price === null ? null : groupedText(price);
}

/** Tenths of a basis point: `46` is `4.6`. */
export function spreadText(tenthBps: number): string {
  return groupedText({ digits: BigInt(tenthBps), places: 1 });
}

/** How far `price` lies above `reference`, in tenths of a basis point; null without a reference. */
export function distanceTenthBps(price: string, reference: string): bigint | null {
  const [p, r] = [readDecimal(price), readDecimal(reference)];
  if (!p || !r || r.digits === 0n) return null;
  const places = Math.max(p.places, r.places);
  const [pd, rd] = [withPlaces(p, places, 'down').digits, withPlaces(r, places, 'down').digits];
  return ratio({ digits: (pd - rd) * 10_000n, places: 0 }, { digits: rd, places: 0 }, 1, 'down')?.digits ?? null;
}

/** The same as a signed figure in basis points with one decimal. */
export function distanceBpsText(price: string, reference: string): string | null {
  const tenths = distanceTenthBps(price, reference);
  if (tenths === null) return null;
  return `${tenths > 0n ? '+' : ''}${groupedText({ digits: tenths, places: 1 })}`;
}
