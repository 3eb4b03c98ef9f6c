import { tablePlaces } from '../../components/figures/amounts.ts';
import { groupedText, readDecimal, withPlaces } from '../../components/figures/decimal-text.ts';

/** Token units as a table shows them, without needless zeros behind a whole number: `5,000`, `1.4649`. */
export function shortUnits(units: string, symbol: string): string {
  const read = readDecimal(units);
  if (read === null) return units;
  const places = tablePlaces({ symbol, decimals: 18 });
  const text = groupedText(withPlaces(read, places, 'down'));
  if (/\.0+$/.test(text)) return text.replace(/\.0+$/, '');
  return places > 2 ? text.replace(/0+$/, '') : text;
}

/** Large sums in a sentence: `896 k`, `1.2 M`; small ones as in tables. */
export function roundUnits(units: string, symbol: string): string {
  const read = readDecimal(units);
  if (read === null) return units;
  const whole = withPlaces(read, 0, 'down').digits;
  const size = whole < 0n ? -whole : whole;
  if (size >= 1_000_000n) return `${groupedText({ digits: whole / 10_000n, places: 2 })} M`;
  if (size >= 10_000n) return `${groupedText({ digits: whole / 1_000n, places: 0 })} k`;
  return size >= 100n ? groupedText({ digits: whole, places: 0 }) : shortUnits(units, symbol);
}
