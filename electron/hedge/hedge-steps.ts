import type { HedgeStep } from '../contract/hedge-steps.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import type { Address } from '../protocol/address.ts';

/** What was built of a hedge: the contract that takes its source, and the most that it takes, raw units as a decimal string. */
export interface Built {
  spender: Address;
  most: string;
}

/** A signed order as its chain may still take it. */
export interface SignedLeft {
  orderHash: string;
  /** The contract that takes it. */
  spender: Address;
  /** What it may still take of its source, raw units. */
  left: bigint;
  /** The newest block when it was signed; nothing of it lies before. Null in older journals. */
  since: number | null;
}

/** An order whose hedge has ended, and which its chain may still take. */
export interface OutlivingOrder extends SignedLeft {
  hedge: HedgeRecord;
  /** It carries a permit, of which nobody knows whether it was used. */
  hasPermit: boolean;
}

/** The last step of this name; null where there is none. */
export function lastStep<N extends HedgeStep['step']>(
  steps: readonly HedgeStep[],
  name: N,
): Extract<HedgeStep, { step: N }> | null {
  const found = steps.findLast(({ step }) => step === name);
  return (found as Extract<HedgeStep, { step: N }> | undefined) ?? null;
}
