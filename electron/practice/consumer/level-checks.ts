import { BigNumber } from 'bignumber.js';
import type { Level } from '../../protocol/wire.ts';

/** Texts that are no numbers become NaN; the maker may write what it likes. */
const Lenient = BigNumber.clone({ STRICT: false });

/** Longer numbers, or farther from 1 than so many powers of ten, are nobody's price and slow to reckon with. */
const LONGEST = 200;

/** Whether both numbers of a level are above zero and can be reckoned with; the texts may be anything. */
export function isPositive(level: Level): boolean {
  return level.every((text) => {
    if (text.length > LONGEST) return false;
    const value = new Lenient(text);
    return value.isFinite() && value.gt(0) && Math.abs(value.e ?? 0) <= LONGEST;
  });
}

/** Whether the highest bid is below the lowest ask (PROTOCOL 4.3.4); what is no number never is. */
export function isApart(bids: readonly Level[], asks: readonly Level[]): boolean {
  const highest = extreme(bids, (price, so) => price.gt(so));
  const lowest = extreme(asks, (price, so) => price.lt(so));
  return highest === null || lowest === null || highest.lt(lowest);
}

function extreme(levels: readonly Level[], isBetter: (price: BigNumber, so: BigNumber) => boolean): BigNumber | null {
  let found: BigNumber | null = null;
  for (const [text] of levels) {
    const price = new Lenient(text);
    if (price.isNaN()) return price;
    if (found === null || isBetter(price, found)) found = price;
  }
  return found;
}
