import { numberText } from '../../state/number-form.ts';

/** A decimal number as whole digits and how many of them stand behind the point: `3412.50` is 341250 and 2. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** `down` cuts towards zero, `up` away from it: whichever is the desk's disadvantage. */
export type Cut = 'down' | 'up';

const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;

/** Reads a plain decimal string exactly; null when it is none. */
export function readDecimal(text: string): Decimal | null {
  if (!DECIMAL.test(text)) return null;
  const point = text.indexOf('.');
  if (point < 0) return { digits: BigInt(text), places: 0 };
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 };
}

/** Raw units of a token as a decimal number of token units. */
export function fromRaw(raw: string | bigint, decimals: number): Decimal {
  return { digits: BigInt(raw), places: decimals };
}

/** The number with exactly `places` digits behind the point. */
export function withPlaces(value: Decimal, places: number, cut: Cut): Decimal {
  if (places >= value.places) return { digits: value.digits * 10n ** BigInt(places - value.places), places };
  return { digits: divide(value.digits, 10n ** BigInt(value.places - places), cut), places };
}

/** `a / b` cut to `places` digits behind the point; null when `b` is zero. */
export function ratio(a: Decimal, b: Decimal, places: number, cut: Cut): Decimal | null {
  if (b.digits === 0n) return null;
  const [n, d] = [a.digits * 10n ** BigInt(places + b.places), b.digits * 10n ** BigInt(a.places)];
  return { digits: divide(d < 0n ? -n : n, d < 0n ? -d : d, cut), places };
}

export function sum(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  return { digits: withPlaces(a, places, 'down').digits + withPlaces(b, places, 'down').digits, places };
}

export function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, places: a.places + b.places };
}

export function negated(a: Decimal): Decimal {
  return { digits: -a.digits, places: a.places };
}

/** Negative when `a < b`, zero when equal, positive when `a > b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { digits } = sum(a, negated(b));
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

/** As the wire takes it: `3412.50`, a hyphen for minus, no grouping. */
export function plainText({ digits, places }: Decimal): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  return (digits < 0n ? '-' : '') + (places === 0 ? whole : `${whole}.${text.slice(-places)}`);
}

/** As this viewer reads it: `1,234.56`, minus U+2212. */
export function groupedText(value: Decimal): string {
  return numberText(plainText(value));
}

/** For pixels only: never for money. */
export function toPixels(value: Decimal): number {
  return Number(plainText(value));
}

function divide(n: bigint, d: bigint, cut: Cut): bigint {
  const quotient = n / d;
  if (cut === 'down' || quotient * d === n) return quotient;
  return n < 0n ? quotient - 1n : quotient + 1n;
}
