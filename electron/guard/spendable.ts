/** What the maker has of a token and what counts against it, as a decision read it; raw units, null where it is not known. */
export interface Covered {
  readonly balance: bigint | null;
  readonly allowance: bigint | null;
  /** Signed before this and still live. */
  readonly exposure: bigint;
  /** What hedges under way may still take. */
  readonly hedged: bigint;
}

/**
 * The most that can be signed of a token beside what is live: with it, all live plus the reserve stay below balance and
 * allowance, and below the balance also once every hedge has taken what it still may.
 */
export function spendable({ balance, allowance, exposure, hedged }: Covered, reserve: bigint): bigint {
  if (balance === null || allowance === null) return 0n;
  const left = balance - hedged;
  return notBelowZero((left < allowance ? left : allowance) - reserve - exposure - 1n);
}

/** Whether what the maker has covers an order of this amount beside all that is live; where the balance is not known it does not. */
export function covers(covered: Covered, reserve: bigint, amount: bigint): boolean {
  return amount <= spendable(covered, reserve);
}

/**
 * The most of a token that one more hedge may take: what the balance covers beyond what quotes and other hedges promise. Null where
 * the balance is not known. The reserve is of quotes, and may be hedged with.
 */
export function hedgeable({ balance, exposure, hedged }: Covered): bigint | null {
  return balance === null ? null : notBelowZero(balance - hedged - exposure - 1n);
}

export function notBelowZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
