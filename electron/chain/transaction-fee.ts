import type { TransactionReceipt } from 'viem';

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
