import {
  type Cut,
  type Decimal,
  plainText,
  product,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';
import { doubtOf, readNumber } from '../../state/number-form.ts';

const RELATIVE = /^([+−-])(.*?)(bps?)?$/i;
const FACTOR = /^[*x×](.*)$/i;

/**
 * What a person typed into a cell, as the desk is told: `3,412.5` is 3412.5; `+5`, `-2bp` and `*1.25` change the cell's
 * own value, cut to the column's decimals. Anything else goes to the desk as it is, which says what is wrong with it.
 */
export function readCellInput(typed: string, current: string, column: { places: number; cut: Cut }): string {
  if (typed.trim() === current) return current;
  const change = readChange(typed);
  const value = readDecimal(current);
  if (change !== null && value !== null) {
    const places = Math.max(column.places, change.ownPlaces);
    return plainText(withPlaces(change.of(value), places, column.cut));
  }
  // What may be two numbers is told in the cell itself: no desk takes it for either.
  const doubt = doubtOf(typed);
  return doubt === null ? (readNumber(typed).text ?? typed.trim()) : `${typed.trim()} ${doubt}`;
}

/** Whether what was typed changes the cell's own value: `+5`, `-2bp`, `*1.25`. */
export function isRelative(typed: string): boolean {
  return readChange(typed) !== null;
}

interface Change {
  of(value: Decimal): Decimal;
  /** `+0.005` means three decimals, also in a column of two; a factor or basis points do not. */
  ownPlaces: number;
}

function readChange(typed: string): Change | null {
  const text = typed.trim();
  const factor = decimalIn(FACTOR.exec(text)?.[1]);
  if (factor !== null) return { of: (value) => product(value, factor), ownPlaces: 0 };
  const [, sign, amount, bps] = RELATIVE.exec(text) ?? [];
  const by = decimalIn(amount);
  if (by === null) return null;
  const signed = sign === '+' ? by : { digits: -by.digits, places: by.places };
  if (bps === undefined) return { of: (value) => sum(value, signed), ownPlaces: by.places };
  const share = { digits: signed.digits, places: signed.places + 4 };
  return { of: (value) => sum(value, product(value, share)), ownPlaces: 0 };
}

function decimalIn(text: string | undefined): Decimal | null {
  return readDecimal(readNumber(text ?? '').text ?? '');
}
