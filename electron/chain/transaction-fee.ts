import type { TransactionReceipt } from 'viem';
import { formatDecimal } from '../protocol/decimal.ts';

export const WEI_PER_GWEI = 1_000_000_000n;

/** A price of gas in gwei, rounded up, for a person. */
export function gwei(wei: bigint): string {
  return formatDecimal({ n: wei, d: WEI_PER_GWEI }, 3, 'ceil');
}

/**
 * What a transaction cost beside what it sent, wei: its gas, and what a rollup charged for bringing it to the chain below
 * (`l1Fee` in its receipt, where it has one).
 */
export function feeOf(receipt: Pick<TransactionReceipt, 'gasUsed' | 'effectiveGasPrice'>): bigint {
  const { l1Fee } = receipt as { l1Fee?: unknown };
  const below =
    typeof l1Fee === 'bigint' || (typeof l1Fee === 'string' && /^0x[0-9a-fA-F]+$/.test(l1Fee)) ? BigInt(l1Fee) : 0n;
  return receipt.gasUsed * receipt.effectiveGasPrice + below;
}
