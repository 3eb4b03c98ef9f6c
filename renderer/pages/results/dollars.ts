import type { NoFillCosts, PartFigure } from '../../../electron/contract/results.ts';
import { plural } from '../../components/figures/counts.ts';
import {
  type Decimal,
  groupedText,
  negated,
  ratio,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';

const ZERO: Decimal = { digits: 0n, places: 0 };
const CENTS = 2;
const MILLION = 10n ** 6n;

/** Dollars as the desk tells them, exactly; what is no number counts as nothing. */
export function readDollars(text: PartFigure): Decimal {
  return (text === null || text === 'not_yet' ? null : readDecimal(text)) ?? ZERO;
}

/** With cents and always a sign: `+515.08`, `−125.35`, `0.00`. */
export function signedDollars(dollars: Decimal): string {
  const text = groupedText(withPlaces(dollars, CENTS, dollars.digits < 0n ? 'up' : 'down'));
  return dollars.digits > 0n ? `+${text}` : text;
}

/** The same in a sentence: `+$105.86`, `−$42.25`. */
export function dollarsText(dollars: Decimal, places = CENTS): string {
  const size = dollars.digits < 0n ? negated(dollars) : dollars;
  const sign = dollars.digits < 0n ? '−' : dollars.digits > 0n ? '+' : '';
  return `${sign}$${groupedText(withPlaces(size, places, dollars.digits < 0n ? 'up' : 'down'))}`;
}

/** Thousands of dollars with one decimal: `958.0`. */
export function thousandsText(volume: PartFigure): string {
  const { digits, places } = readDollars(volume);
  return groupedText(withPlaces({ digits, places: places + 3 }, 1, 'down'));
}

/** A sum in a heading: `$1.81 M`, below a million `$23,456`. */
export function volumeText(volume: PartFigure): string {
  const { digits, places } = readDollars(volume);
  const whole = digits / 10n ** BigInt(places);
  if (whole < MILLION) return `$${groupedText({ digits: whole, places: 0 })}`;
  return `$${groupedText(withPlaces({ digits, places: places + 6 }, 2, 'down'))}\u00a0M`;
}

/** How much of the volume it is, in basis points with a sign; empty without a volume. */
export function bpsOf(part: PartFigure, volume: string | null, decimals = 2): string {
  if (part === null || part === 'not_yet') return '';
  const { digits, places } = readDollars(part);
  const bps = ratio({ digits: digits * 10_000n, places }, readDollars(volume), decimals, digits < 0n ? 'up' : 'down');
  if (bps === null) return '';
  return bps.digits > 0n ? `+${groupedText(bps)}` : groupedText(bps);
}

/** Gas and fees, or others that stand in one column. */
export function added(...figures: readonly PartFigure[]): Decimal {
  return figures.map(readDollars).reduce(sum, ZERO);
}

/** What was paid for no fill, in words. */
export function noFillText({ count, unpriced }: NoFillCosts): string {
  const missing = unpriced === 0 ? '' : ` The gas of ${unpriced} of them is not known.`;
  return `What ${plural(count, 'transaction')} cost that belong to no fill: cancels, approvals, hedges for no fill.${missing}`;
}
