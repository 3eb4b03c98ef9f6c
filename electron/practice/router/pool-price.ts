import { BigNumber } from 'bignumber.js';

/** A constant-product pool as one swap sees it; amounts in raw units. */
export interface PoolSide {
  reserveIn: bigint;
  reserveOut: bigint;
  feeBps: number;
}

const WHOLE_BPS = 10_000;

/** What the pool gives, rounded down as its contract does. */
export function poolGives({ reserveIn, reserveOut, feeBps }: PoolSide, amountIn: bigint): bigint {
  const charged = new BigNumber(`${amountIn}`).times(WHOLE_BPS - feeBps);
  const depth = new BigNumber(`${reserveIn}`).times(WHOLE_BPS).plus(charged);
  if (depth.isZero()) return 0n;
  return whole(charged.times(`${reserveOut}`).dividedToIntegerBy(depth));
}

/** What the pool wants, rounded up as its contract does; null when it has not as much. */
export function poolWants({ reserveIn, reserveOut, feeBps }: PoolSide, amountOut: bigint): bigint | null {
  const left = new BigNumber(`${reserveOut}`).minus(`${amountOut}`);
  if (!left.isPositive() || left.isZero()) return null;
  const wanted = new BigNumber(`${reserveIn}`).times(`${amountOut}`).times(WHOLE_BPS);
  return whole(wanted.dividedToIntegerBy(left.times(WHOLE_BPS - feeBps)).plus(1));
}

function whole(amount: BigNumber): bigint {
  return BigInt(amount.toFixed(0));
}
