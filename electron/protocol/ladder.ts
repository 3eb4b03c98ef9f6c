import { parseDecimal, type Rational } from './decimal.ts';
import { DeskError } from './desk-error.ts';
import type { Level } from './wire.ts';

/**
 * A level in raw units: `price` is raw quote per raw base, `amount` is raw base. All levels of one side share the
 * denominator of their prices and that of their amounts, so that the walk adds numerators only.
 */
export type PreparedLevel = { readonly price: Rational; readonly amount: Rational };

/** Turns one side of a published ladder into raw units, exactly. Throws DeskError `bad_decimal` or `zero_level`. */
export function prepareLevels(levels: readonly Level[], baseDecimals: number, quoteDecimals: number): PreparedLevel[] {
  const prices = onOneDenominator(
    levels.map(([price]) => parseDecimal(price)),
    quoteDecimals - baseDecimals,
  );
  const amounts = onOneDenominator(
    levels.map(([, amount]) => parseDecimal(amount)),
    baseDecimals,
  );
  return levels.map((level, index) => {
    const price = prices[index];
    const amount = amounts[index];
    if (price === undefined || amount === undefined || price.n <= 0n || amount.n <= 0n) {
      throw new DeskError('zero_level', `Level ${index + 1} (${level.join(' × ')}) is not above zero.`, {
        remedy: 'Remove the level, or give it a price and an amount.',
      });
    }
    return { price, amount };
  });
}

/** Multiplies each number by ten to the power `shift` and gives all of them the same, least power of ten below the line. */
function onOneDenominator(numbers: readonly Rational[], shift: number): Rational[] {
  let widest = 1n;
  for (const { d } of numbers) if (d > widest) widest = d;
  const up = shift > 0 ? 10n ** BigInt(shift) : 1n;
  const down = widest * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const common = up < down ? up : down;
  return numbers.map(({ n, d }) => ({ n: (n * (widest / d) * up) / common, d: down / common }));
}
