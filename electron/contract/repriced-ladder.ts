import { z } from 'zod';
import {
  add,
  ceil,
  compare,
  decimalSchema,
  div,
  floor,
  mul,
  parseDecimal,
  type Rational,
  signedDecimalSchema,
} from '../protocol/decimal.ts';

/** Further than this is a slip of the finger: a price ten per cent away, a size a hundred times as large. */
export const MOST_BPS = 1_000n;
export const MOST_FACTOR = 100n;

const bpsSchema = signedDecimalSchema.refine(
  (text) => isWithin(text.replace('-', ''), MOST_BPS),
  `must be from -${MOST_BPS} to ${MOST_BPS} and not zero`,
);
const factorSchema = decimalSchema.refine(
  (text) => isWithin(text, MOST_FACTOR),
  `must be above zero and ${MOST_FACTOR} at most`,
);

function isWithin(text: string, most: bigint): boolean {
  const value = aboveZero(text);
  return value !== null && value.n <= most * value.d;
}

/** What is done to a ladder. `bps` is signed: up, or wider on each side; `factor` is of each size. */
export const repriceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shift'), bps: bpsSchema }),
  z.strictObject({ kind: z.literal('wider'), bps: bpsSchema }),
  z.strictObject({ kind: z.literal('sizes'), factor: factorSchema }),
]);
export type Reprice = z.infer<typeof repriceSchema>;

type LevelText = readonly [price: string, amount: string];
/** A ladder as texts, which need not be numbers. */
type LadderTexts = Record<'bids' | 'asks', readonly LevelText[]>;

/** Digits that a price and a size keep at least, so that a coarse column does not round a few basis points into many. */
const PRICE_DIGITS = 6;
const SIZE_DIGITS = 4;
/** Places that a column has at most. */
const MOST_PLACES = 12;
const ONE: Rational = { n: 1n, d: 1n };
const TEN: Rational = { n: 10n, d: 1n };
const BPS = 10_000n;

/**
 * A ladder after one change, exact and then cut for the maker: bids down, asks up, sizes down. `inverse`: the token that
 * moves is the quote, so that prices in it move the other way. Returns null where a cell is no number or nothing would be left of a size.
 */
export function repriced(
  ladder: LadderTexts,
  change: Reprice,
  inverse: boolean,
): Record<'bids' | 'asks', [string, string][]> | null {
  const levels = [...ladder.bids, ...ladder.asks];
  const places = { price: placesOf(levels.map(([price]) => price)), amount: placesOf(levels.map(([, size]) => size)) };
  const made: Record<'bids' | 'asks', [string, string][]> = { bids: [], asks: [] };
  for (const side of ['bids', 'asks'] as const) {
    for (const [price, amount] of ladder[side]) {
      const [was, size] = [aboveZero(price), aboveZero(amount)];
      if (was === null || size === null) return null;
      if (change.kind === 'sizes') {
        const text = cutTo(mul(size, parseDecimal(change.factor)), places.amount, SIZE_DIGITS, floor);
        if (!/[1-9]/.test(text)) return null;
        made[side].push([price, text]);
        continue;
      }
      const isDown = change.kind === 'wider' && side === 'bids';
      const factor = add(ONE, share(change.bps, isDown));
      const is = change.kind === 'shift' && inverse ? div(was, factor) : mul(was, factor);
      made[side].push([cutTo(is, places.price, PRICE_DIGITS, side === 'bids' ? floor : ceil), amount]);
    }
  }
  return made;
}

function share(bps: string, isDown: boolean): Rational {
  const isNegative = bps.startsWith('-');
  const { n, d } = parseDecimal(isNegative ? bps.slice(1) : bps);
  return { n: isNegative === isDown ? n : -n, d: d * BPS };
}

function aboveZero(text: string): Rational | null {
  if (!decimalSchema.safeParse(text).success) return null;
  const value = parseDecimal(text);
  return value.n > 0n ? value : null;
}

function placesOf(texts: readonly string[]): number {
  const places = texts.map((text) => (/^[0-9]+\.([0-9]+)$/.exec(text)?.[1] ?? '').length);
  return Math.min(Math.max(0, ...places), MOST_PLACES);
}

/** With the column's places, or as many as show `digits` of it, without zeros behind what the column has. */
function cutTo(value: Rational, columnPlaces: number, digits: number, cut: (a: Rational) => bigint): string {
  const bound: Rational = { n: 10n ** BigInt(digits - 1), d: 1n };
  let needed = 0;
  for (let scaled = value; needed < 40 && compare(scaled, bound) < 0; scaled = mul(scaled, TEN)) needed += 1;
  const places = Math.max(columnPlaces, needed);
  const text = `${cut(mul(value, { n: 10n ** BigInt(places), d: 1n }))}`.padStart(places + 1, '0');
  const [whole, fraction] = [text.slice(0, text.length - places), text.slice(text.length - places)];
  const kept = fraction.slice(0, columnPlaces) + fraction.slice(columnPlaces).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
