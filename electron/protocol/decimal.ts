import { z } from 'zod';
import { DeskError } from './desk-error.ts';

const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/** A plain decimal string: no sign, no exponent, no blanks (PROTOCOL 4.3.3). */
export const decimalSchema = z
  .string()
  .max(200, 'must have at most 200 digits')
  .regex(PLAIN_DECIMAL, 'must be a plain decimal number such as 3412.5');

/** The same, or below zero with a hyphen before it. */
export const signedDecimalSchema = z
  .string()
  .regex(new RegExp(PLAIN_DECIMAL.source.replace('^', '^-?')), 'must be a plain decimal number');

/** A uint256 has this many digits, and no token more decimals: what needs more is no price and no amount. */
const MOST_WHOLE_DIGITS = 78;
const MOST_PLACES = 77;

/** A price or an amount of a ladder, as far as a token can hold it. */
export const levelNumberSchema = decimalSchema
  .refine((text) => (text.split('.')[0] ?? '').length <= MOST_WHOLE_DIGITS, 'must be below 10^78')
  .refine((text) => (text.split('.')[1] ?? '').length <= MOST_PLACES, 'must have at most 77 digits after the point');

/** An exact fraction `n / d` with `d > 0`; not necessarily in lowest terms. */
export type Rational = { readonly n: bigint; readonly d: bigint };

type Rounding = 'floor' | 'ceil';

/** How many digits a plain decimal string has behind its point. */
export function digitsBehind(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Reads a plain decimal string of any length exactly (PROTOCOL 4.3.3). Throws DeskError `bad_decimal`. */
export function parseDecimal(text: string): Rational {
  if (!PLAIN_DECIMAL.test(text)) {
    throw new DeskError('bad_decimal', `'${text.slice(0, 60)}' is not a plain decimal number.`, {
      remedy: 'Write digits with at most one point, such as 3412.5.',
    });
  }
  const point = text.indexOf('.');
  if (point < 0) return { n: BigInt(text), d: 1n };
  const fraction = text.slice(point + 1);
  return { n: BigInt(text.slice(0, point) + fraction), d: 10n ** BigInt(fraction.length) };
}

/** The same of one that may have a hyphen before it. */
export function parseSigned(text: string): Rational {
  if (!text.startsWith('-')) return parseDecimal(text);
  const { n, d } = parseDecimal(text.slice(1));
  return { n: -n, d };
}

export function add(a: Rational, b: Rational): Rational {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function sub(a: Rational, b: Rational): Rational {
  return add(a, { n: -b.n, d: b.d });
}

export function mul(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Throws DeskError `divided_by_zero`. */
export function div(a: Rational, b: Rational): Rational {
  if (b.n === 0n) throw new DeskError('divided_by_zero', 'A number was divided by zero.');
  return b.n > 0n ? { n: a.n * b.d, d: a.d * b.n } : { n: -a.n * b.d, d: a.d * -b.n };
}

/** Basis points of a whole. */
export const WHOLE_BPS = 10_000n;

/** Negative when `a < b`, zero when equal, positive when `a > b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The greatest whole number that is not above `a`. */
export function floor(a: Rational): bigint {
  const quotient = a.n / a.d;
  return a.n < 0n && quotient * a.d !== a.n ? quotient - 1n : quotient;
}

/** The least whole number that is not below `a`. */
export function ceil(a: Rational): bigint {
  return -floor({ n: -a.n, d: a.d });
}

/** Writes `a` with at most `places` digits behind the point and no needless zeros: `1/3` at 4, floor → `0.3333`. */
export function formatDecimal(a: Rational, places: number, rounding: Rounding): string {
  const scaled = { n: a.n * 10n ** BigInt(places), d: a.d };
  return fromRaw(rounding === 'floor' ? floor(scaled) : ceil(scaled), places);
}

/** Token units as a decimal string to raw units (PROTOCOL 2.1, TokenAmount); digits beyond `decimals` are rounded. */
export function toRaw(text: string, decimals: number, rounding: Rounding = 'floor'): bigint {
  const { n, d } = parseDecimal(text);
  const raw = { n: n * 10n ** BigInt(decimals), d };
  return rounding === 'floor' ? floor(raw) : ceil(raw);
}

/** Raw units to token units as a decimal string, exactly and without needless zeros. */
export function fromRaw(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return (raw < 0n ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`);
}
