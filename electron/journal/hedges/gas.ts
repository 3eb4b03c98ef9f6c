import { parseDecimal, type Rational } from '../../protocol/decimal.ts';
import type { HedgeRecord } from './fold.ts';

const WEI = 10n ** 18n;

/** What a hedge paid for gas, in dollars at what the service reckoned then; null where that is not known. */
export function hedgeGasUsd({ feeWei, nativeUsd }: Pick<HedgeRecord, 'feeWei' | 'nativeUsd'>): Rational | null {
  if (BigInt(feeWei) === 0n) return { n: 0n, d: 1n };
  if (nativeUsd === null) return null;
  const { n, d } = parseDecimal(nativeUsd);
  return { n: n * BigInt(feeWei), d: d * WEI };
}
