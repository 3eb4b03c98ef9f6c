import { keccak256, toBytes } from 'viem';
import type { Hex } from '../../../protocol/address.ts';

/** The `protocolSelector` of the practice bridge, which the escrow asks for. */
export const PRACTICE_BRIDGE: Hex = keccak256(toBytes('PracticeBridge')).slice(0, 10) as Hex;

/**
 * What arrives at the other end when `amount` enters the bridge: its fee, in the same raw units, stays, and the rest is
 * counted in the other token's decimals (`scalingFactor` more of them), rounded down. Null when the fee takes it all.
 */
export function bridgeOutput(
  amount: bigint,
  { fee, scalingFactor }: { fee: bigint; scalingFactor: number },
): bigint | null {
  if (amount <= fee) return null;
  const scale = 10n ** BigInt(Math.abs(scalingFactor));
  return scalingFactor < 0 ? (amount - fee) / scale : (amount - fee) * scale;
}
