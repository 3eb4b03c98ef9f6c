import { BigNumber } from 'bignumber.js';
import type { ListedToken, RouterChain } from './router-chain.ts';

const CENTS = 2;

/** Dollars for raw units of a token, null while its price is unknown. */
export function usdValue(chain: RouterChain, { address, decimals }: ListedToken, amount: bigint): BigNumber | null {
  const price = chain.usdPrice(address);
  return price === null ? null : new BigNumber(`${amount}`).shiftedBy(-decimals).times(price);
}

/** As it goes into a route. */
export function inDollars(value: BigNumber | null): string | null {
  return value === null ? null : value.toFixed(CENTS);
}

/** How many percent less comes out than goes in; 0 when more does, or nobody knows. */
export function impactPercent(given: BigNumber | null, got: BigNumber | null): BigNumber {
  if (given === null || got === null || !given.isPositive() || given.isZero()) return new BigNumber(0);
  return BigNumber.maximum(0, given.minus(got).dividedBy(given).times(100));
}
