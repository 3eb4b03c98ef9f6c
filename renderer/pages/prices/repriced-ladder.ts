import {
  type Cut,
  compareDecimals,
  type Decimal,
  plainText,
  product,
  ratio,
  readDecimal,
  sum,
} from '../../components/figures/decimal-text.ts';
import type { Reprice } from '../../state/reprice.ts';
import { columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

/** Digits that a price and a size keep at least, so that a coarse column does not round a few basis points into many. */
const PRICE_DIGITS = 6;
const SIZE_DIGITS = 4;
const ONE: Decimal = { digits: 1n, places: 0 };

/**
 * A ladder after one change, exact and then cut for the maker: bids down, asks up, sizes down. `inverse`: the token that
 * moves is the quote, so that prices in it move the other way. Returns null where a cell is no number or nothing would be left of a size.
 */
export function repriced(values: LadderValues, change: Reprice, inverse: boolean): LadderValues | null {
  const places = columnPlaces(values);
  const made: Record<'bids' | 'asks', (readonly [string, string])[]> = { bids: [], asks: [] };
  for (const side of ['bids', 'asks'] as const) {
    for (const [price, amount] of values[side]) {
      const [was, size] = [readDecimal(price), readDecimal(amount)];
      if (was === null || size === null || was.digits <= 0n || size.digits <= 0n) return null;
      if (change.kind === 'sizes') {
        const text = cutTo(product(size, change.factor), ONE, {
          places: places.amount,
          digits: SIZE_DIGITS,
          cut: 'down',
        });
        if (!/[1-9]/.test(text)) return null;
        made[side].push([price, text]);
        continue;
      }
      const isDown = change.kind === 'wider' && side === 'bids';
      const share = { digits: isDown ? -change.bps.digits : change.bps.digits, places: change.bps.places + 4 };
      const factor = sum(ONE, share);
      const [n, d] = change.kind === 'shift' && inverse ? [was, factor] : [product(was, factor), ONE];
      const cut = side === 'bids' ? 'down' : 'up';
      made[side].push([cutTo(n, d, { places: places.price, digits: PRICE_DIGITS, cut }), amount]);
    }
  }
  return made;
}

/** `n / d` with the column's places, or as many as show `digits` of it, without zeros behind what the column has. */
function cutTo(n: Decimal, d: Decimal, to: { places: number; digits: number; cut: Cut }): string {
  let places = 0;
  let bound = { digits: 10n ** BigInt(to.digits - 1), places: 0 };
  while (places < 40 && compareDecimals(n, product(d, bound)) < 0) {
    places += 1;
    bound = { digits: bound.digits, places: bound.places + 1 };
  }
  const value = ratio(n, d, Math.max(to.places, places), to.cut);
  const [whole = '', fraction = ''] = value === null ? [] : plainText(value).split('.');
  const kept = fraction.slice(0, to.places) + fraction.slice(to.places).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
