import { compare, levelNumberSchema, parseDecimal, type Rational } from './decimal.ts';
import type { Side } from './side.ts';
import type { Level } from './wire.ts';

/** What is wrong with one cell of a ladder, and where: `path` is for messages, the rest for the screen. */
export type LadderFault = {
  path: string;
  side: Side;
  level: number;
  field: 'price' | 'amount';
  message: string;
};

/**
 * Every reason why a ladder cannot be published: numbers that are not plain or not above zero, a level priced better
 * than the one before it (best first; equal prices are allowed), and a crossed book (PROTOCOL 4.3.3, 4.3.4).
 */
export function ladderFaults(ladder: { bids: readonly Level[]; asks: readonly Level[] }): LadderFault[] {
  const faults: LadderFault[] = [];
  const bid = sideFaults('bids', ladder.bids, faults);
  const ask = sideFaults('asks', ladder.asks, faults);
  if (bid !== null && ask !== null && compare(bid.price, ask.price) >= 0) {
    faults.push(
      fault('asks', ask.level, 'price', `must be above the best bid ${bid.text}: the book is crossed at ${ask.text}`),
    );
  }
  return faults;
}

type Best = { price: Rational; text: string; level: number };

/** Adds the faults of one side and returns its best price, wherever that stands. */
function sideFaults(side: Side, levels: readonly Level[], faults: LadderFault[]): Best | null {
  const better = (a: Rational, b: Rational) => (side === 'bids' ? compare(a, b) > 0 : compare(a, b) < 0);
  let best: Best | null = null;
  let before: Best | null = null;
  for (const [level, [priceText, amountText]] of levels.entries()) {
    const price = cellFault(side, level, 'price', priceText, faults);
    cellFault(side, level, 'amount', amountText, faults);
    if (price === null) continue;
    const here: Best = { price, text: priceText, level };
    if (before !== null && better(price, before.price)) {
      const word = side === 'bids' ? 'above' : 'below';
      faults.push(
        fault(side, level, 'price', `must not be ${word} ${before.text}, the level before it: best price first`),
      );
    }
    if (best === null || better(price, best.price)) best = here;
    before = here;
  }
  return best;
}

function cellFault(side: Side, level: number, field: LadderFault['field'], text: string, faults: LadderFault[]) {
  const form = levelNumberSchema.safeParse(text);
  if (!form.success) {
    faults.push(fault(side, level, field, form.error.issues[0]?.message ?? 'must be a plain decimal number'));
    return null;
  }
  const value = parseDecimal(text);
  if (value.n > 0n) return value;
  faults.push(fault(side, level, field, 'must be above zero'));
  return null;
}

function fault(side: Side, level: number, field: LadderFault['field'], message: string): LadderFault {
  return { path: `${side}[${level}].${field}`, side, level, field, message };
}
