import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dollarAmount } from '../../electron/guard/rule-dollars.ts';
import { howOften } from '../how-often.ts';

const Exact = BigNumber.clone({ DECIMAL_PLACES: 200, ROUNDING_MODE: BigNumber.ROUND_CEIL, EXPONENTIAL_AT: 1e9 });

test('the dollars of an amount are its exact worth at the reference, rounded up to the millionth', () => {
  const rate = fc
    .tuple(fc.bigInt(1n, 10n ** 30n), fc.nat(24))
    .map(([digits, places]) => new Exact(`${digits}`).shiftedBy(-places).toFixed());
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.nat(30), rate, (amount, decimals, of) => {
      const exact = new Exact(`${amount}`).shiftedBy(6 - decimals).times(of);
      expect(`${dollarAmount({ amount, decimals, rate: of })}`).toBe(
        exact.integerValue(BigNumber.ROUND_CEIL).toFixed(),
      );
    }),
    { numRuns: howOften(2_000, 50_000) },
  );
});
