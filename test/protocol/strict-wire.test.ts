import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, parseDecimal } from '../../electron/protocol/decimal.ts';
import { strictBodies } from '../../electron/protocol/strict-wire.ts';

const price = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('', '.0', '.5', '.50', '.500001'));
const levels = fc.array(
  price.map(([whole, rest]): [string, string] => [`${whole}${rest}`, '1']),
  { maxLength: 5 },
);

test('a strict counterparty takes a pair whose every bid is below every ask, in whatever order they stand, and no other', () => {
  fc.assert(
    fc.property(levels, levels, (bids, asks) => {
      const isApart = bids.every(([bid]) => asks.every(([ask]) => compare(parseDecimal(bid), parseDecimal(ask)) < 0));
      expect(strictBodies.prices.safeParse({ 'A/B': { bids, asks } }).success).toBe(isApart);
    }),
  );
});
