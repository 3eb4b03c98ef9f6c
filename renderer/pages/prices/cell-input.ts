import {
  type Cut,
  type Decimal,
  plainText,
  product,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';

const RELATIVE = /^([+-])([0-9]+(?:\.[0-9]+)?)(bps?)?$/i;
const FACTOR = /^[*x×]([0-9]+(?:\.[0-9]+)?)$/i;

/**
 * What a person typed into a cell, as the desk is told: `3,412.5` is 3412.5; `+5`, `-2bp` and `*1.25` change the cell's
 * own value, cut to the column's decimals. Anything else goes to the desk as it is, which says what is wrong with it.
 */
export function readCellInput(typed: string, current: string, column: { places: number; cut: Cut }): string {
  const text = withoutBlanks(typed);
  const value = readDecimal(current);
  if (value !== null) {
    const changed = changedBy(text, value);
    if (changed !== null) return plainText(withPlaces(changed, Math.max(column.places, ownPlaces(text)), column.cut));
  }
  return /^[0-9,]+(\.[0-9]+)?$/.test(text) ? text.replaceAll(',', '') : text;
}

/** Whether what was typed changes the cell's own value: `+5`, `-2bp`, `*1.25`. */
export function isRelative(typed: string): boolean {
  const text = withoutBlanks(typed);
  return RELATIVE.test(text) || FACTOR.test(text);
}

function withoutBlanks(typed: string): string {
  return typed.replace(/\s/g, '').replace('−', '-');
}

function changedBy(text: string, value: Decimal): Decimal | null {
  const factor = FACTOR.exec(text)?.[1];
  if (factor !== undefined) return product(value, decimal(factor));
  const [, sign, amount, bps] = RELATIVE.exec(text) ?? [];
  if (amount === undefined) return null;
  const step =
    bps === undefined ? decimal(amount) : product(value, { ...decimal(amount), places: decimal(amount).places + 4 });
  return sum(value, sign === '-' ? { digits: -step.digits, places: step.places } : step);
}

/** `+0.005` means three decimals, also in a column of two; a factor or basis points do not. */
function ownPlaces(text: string): number {
  const [, , amount, bps] = RELATIVE.exec(text) ?? [];
  return amount === undefined || bps !== undefined ? 0 : decimal(amount).places;
}

function decimal(text: string): Decimal {
  return readDecimal(text) ?? { digits: 0n, places: 0 };
}
