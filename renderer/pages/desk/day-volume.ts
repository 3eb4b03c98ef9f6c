import type { PairRow } from '../../../electron/contract/book.ts';
import { tablePlaces } from '../../components/figures/amounts.ts';
import {
  type Decimal,
  groupedText,
  product,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';
import { stampText } from '../../components/figures/times.ts';
import { zoneName } from '../../state/time-zone.ts';

const ZERO: Decimal = { digits: 0n, places: 0 };

/** Quote tokens in US dollars at the rate of now; null where no rate is known, except that nothing is worth nothing. */
export function inDollars(amount: string, { dollars }: Pick<PairRow, 'dollars'>): Decimal | null {
  const units = readDecimal(amount) ?? ZERO;
  if (units.digits === 0n) return ZERO;
  const rate = readDecimal(dollars?.rate ?? '');
  return rate === null ? null : product(units, rate);
}

/** A pair's volume in thousands of dollars, cut: `115.7`; in quote tokens with their name where no dollar price is known. */
export function volumeText(amount: string | undefined, row: PairRow): string {
  if (amount === undefined) return '—';
  const dollars = inDollars(amount, row);
  return dollars === null ? `${shortQuoteText(amount)}\u00a0${row.quote}` : thousandsText(dollars);
}

/** A volume in quote tokens with the decimals of a table, and their name. */
export function quoteVolumeText(amount: string | undefined, { quote }: PairRow): string {
  const read = readDecimal(amount ?? '');
  if (read === null) return '—';
  if (read.digits === 0n) return '0';
  return `${groupedText(withPlaces(read, tablePlaces({ symbol: quote, decimals: 18 }), 'down'))}\u00a0${quote}`;
}

/** The whole of a volume: every digit in quote tokens, the dollars, and where their price is from. */
export function volumeTitle(what: string, amount: string | undefined, row: PairRow): string {
  const read = readDecimal(amount ?? '');
  if (read === null) return '';
  const dollars = inDollars(amount ?? '0', row);
  const priced = dollars === null ? '' : ` = $${groupedText(withPlaces(dollars, 2, 'down'))}`;
  return `${what} ${groupedText(read)} ${row.quote}${priced}\n${priceSource(row)}`;
}

/** What a dollar figure of a pair stands on. */
function priceSource({ quote, dollars }: PairRow): string {
  if (!dollars) return `No dollar price of ${quote} is known, or its reference is too old`;
  if (dollars.pair === null || dollars.time === null) return `${quote} counts as a dollar`;
  return `At the reference of ${dollars.pair} now: ${dollars.rate}, of ${stampText(dollars.time)} ${zoneName(dollars.time)}`;
}

export interface DollarTotal {
  dollars: Decimal;
  /** Pairs with a volume whose dollar price is not known. */
  without: string[];
}

/** A volume of today over several pairs. */
export function totalDollars(rows: readonly PairRow[], of: 'signedVolume' | 'filledVolume'): DollarTotal {
  let dollars = ZERO;
  const without: string[] = [];
  for (const row of rows) {
    const part = inDollars(row.today[of] ?? '0', row);
    if (part === null) without.push(row.pair);
    else if (part.digits !== 0n) dollars = sum(dollars, part);
  }
  return { dollars, without };
}

/** A total in thousands of dollars; `≥` where a pair has no price. */
export function totalText({ dollars, without }: DollarTotal): string {
  return `${without.length > 0 ? '≥\u00a0' : ''}${thousandsText(dollars)}`;
}

/** A total for a heading: whole dollars, millions from ten of them on. */
export function headingDollars({ dollars, without }: DollarTotal): string {
  const whole = withPlaces(dollars, 0, 'down');
  const figure =
    whole.digits >= 10_000_000n
      ? `$${groupedText(withPlaces(thousandths(thousandths(dollars)), 1, 'down'))}\u00a0M`
      : `$${groupedText(whole)}`;
  return `${without.length > 0 ? '≥\u00a0' : ''}${figure}`;
}

export function totalTitle({ without }: DollarTotal): string {
  const prices = 'Since 00:00 UTC, in US dollars: dollar tokens at 1, others at their reference now';
  return without.length === 0 ? prices : `${prices}\nWithout ${without.join(', ')}: no dollar price is known`;
}

/** One decimal, none from ten millions on: the column is narrow. What is less than the last digit is not nothing. */
function thousandsText(dollars: Decimal): string {
  if (dollars.digits === 0n) return '0';
  const thousands = thousandths(dollars);
  const least: Decimal = { digits: 1n, places: 1 };
  if (withPlaces(thousands, 1, 'down').digits === 0n) return `<${groupedText(least)}`;
  const isLong = withPlaces(thousands, 0, 'down').digits >= 10_000n;
  return groupedText(withPlaces(thousands, isLong ? 0 : 1, 'down'));
}

function thousandths({ digits, places }: Decimal): Decimal {
  return { digits, places: places + 3 };
}

function shortQuoteText(amount: string): string {
  const read = readDecimal(amount) ?? ZERO;
  return groupedText(withPlaces(read, withPlaces(read, 0, 'down').digits >= 100n ? 0 : 2, 'down'));
}
