const WHOLE_BPS = 10_000n;

/** What arrives of an amount when the token keeps a tax (in bps, rounded down) of a transfer. */
export function afterTax(amount: bigint, taxBps: number): bigint {
  return amount - shareOf(amount, taxBps);
}

/** The least that must be sent so that `amount` arrives. */
export function beforeTax(amount: bigint, taxBps: number): bigint {
  if (taxBps === 0 || amount === 0n) return amount;
  return ((amount - 1n) * WHOLE_BPS) / (WHOLE_BPS - BigInt(taxBps)) + 1n;
}

/** A fee or tax in bps of an amount, rounded down as the contracts do. */
export function shareOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / WHOLE_BPS;
}
