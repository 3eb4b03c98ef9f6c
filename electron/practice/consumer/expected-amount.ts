import { BigNumber } from 'bignumber.js';
import type { Level, PriceEntry } from '../../protocol/wire.ts';

/** Arithmetic as the public service does it: inverse prices at 20 decimal places, rounded half up. */
const Decimal = BigNumber.clone({ DECIMAL_PLACES: 20, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });

type Step = readonly [price: BigNumber, amount: BigNumber];

/** What a user wants: which way they go, and which of the two amounts they name, in token units. */
export interface Wish {
  /** `sell`: the user gives base, the maker's bids serve them. `buy`: they take base from the asks. */
  direction: 'sell' | 'buy';
  token: 'base' | 'quote';
  amount: BigNumber;
}

/**
 * The other amount, in token units, rounded half up at `decimals`; null when the grid is not deep enough.
 * Levels are consumed in array order; an amount in the quote token goes through the inverted book (PROTOCOL 4.3.3, 4.3.5 and 4.3.6).
 */
export function expectedAmount(entry: PriceEntry, wish: Wish, decimals: number): BigNumber | null {
  const served = (wish.direction === 'sell' ? entry.bids : entry.asks) ?? [];
  const steps = served.map(([price, amount]): Step => [new Decimal(price), new Decimal(amount)]);
  const total = consume(wish.token === 'base' ? steps : steps.map(invert), wish.amount);
  return total === null ? null : total.decimalPlaces(decimals, BigNumber.ROUND_HALF_UP);
}

/** How much base a side holds, and what all of it costs in quote. */
export function depthOf(levels: readonly Level[]): { base: BigNumber; quote: BigNumber } {
  const zero = { base: new Decimal(0), quote: new Decimal(0) };
  return levels.reduce(
    ({ base, quote }, [price, amount]) => ({
      base: base.plus(amount),
      quote: quote.plus(new Decimal(price).times(amount)),
    }),
    zero,
  );
}

function invert([price, amount]: Step): Step {
  return [new Decimal(1).dividedBy(price), price.times(amount)];
}

function consume(steps: readonly Step[], wanted: BigNumber): BigNumber | null {
  let left = wanted;
  let total = new Decimal(0);
  for (const [price, amount] of steps) {
    const taken = BigNumber.minimum(left, amount);
    total = total.plus(taken.times(price));
    left = left.minus(taken);
    if (left.isZero()) return total;
  }
  return null;
}
