import { formatDecimal, parseDecimal } from '../protocol/decimal.ts';
import type { PriceRoute } from '../protocol/market-wire.ts';

const WEI = 10n ** 18n;
const PLACES = 6;

/** Dollars that the service reckons a whole native token at, from what it says of gas; null when it does not say. */
export function nativeUsd(
  { gasCost, gasCostUSD }: Pick<PriceRoute, 'gasCost' | 'gasCostUSD'>,
  gasPrice: bigint,
): string | null {
  try {
    const usd = parseDecimal(gasCostUSD);
    const wei = BigInt(gasCost) * gasPrice;
    return wei === 0n || usd.n === 0n ? null : formatDecimal({ n: usd.n * WEI, d: usd.d * wei }, PLACES, 'floor');
  } catch {
    return null;
  }
}
