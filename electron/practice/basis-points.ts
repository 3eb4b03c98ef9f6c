export const WHOLE_BPS = 10_000n;

/** An amount less so many basis points, cut down: the least that is taken for it. */
export function lessBps(amount: bigint, bps: number | bigint): bigint {
  return (amount * (WHOLE_BPS - BigInt(bps))) / WHOLE_BPS;
}

/** An amount and so many basis points more, rounded up: the most that is given for it. */
export function moreBps(amount: bigint, bps: number | bigint): bigint {
  return (amount * (WHOLE_BPS + BigInt(bps)) + WHOLE_BPS - 1n) / WHOLE_BPS;
}

/** A fee or tax in basis points of an amount, rounded down as the contracts do. */
export function shareOf(amount: bigint, bps: number | bigint): bigint {
  return (amount * BigInt(bps)) / WHOLE_BPS;
}
