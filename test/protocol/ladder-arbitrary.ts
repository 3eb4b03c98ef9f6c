import fc from 'fast-check';
import { compare, parseDecimal } from '../../electron/protocol/decimal.ts';
import type { Side } from '../../electron/protocol/side.ts';
import type { Level } from '../../electron/protocol/wire.ts';

/** A positive decimal string of any shape: whole, tiny, many digits on either end. */
export const positiveDecimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.nat({ max: 24 }))
  .map(([whole, fraction, places]) => {
    const digits = fraction.toString().padStart(24, '0').slice(0, places);
    return places === 0 ? whole.toString() : `${whole}.${digits}`;
  })
  .filter((text) => /[1-9]/.test(text));

/** One side of a ladder, best price first. */
export function ladderSide(side: Side): fc.Arbitrary<Level[]> {
  const towards = side === 'bids' ? -1 : 1;
  return fc
    .array(fc.tuple(positiveDecimal, positiveDecimal), { minLength: 1, maxLength: 12 })
    .map((levels) => levels.sort(([a], [b]) => towards * compare(parseDecimal(a), parseDecimal(b))));
}

export const aSide = fc.constantFrom<Side[]>('bids', 'asks');
export const aGivenAmount = fc.constantFrom<('makerAmount' | 'takerAmount')[]>('makerAmount', 'takerAmount');
export const someDecimals = fc.constantFrom(0, 1, 6, 8, 18, 24);
