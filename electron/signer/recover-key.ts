import type { Hex } from '../protocol/address.ts';
import type { Curve } from './curve.ts';

/** The public key (65 bytes) that a signature over a hash recovers to; null for whatever is no signature. */
export function recoverKey(hash: Hex, signature: Hex, curve: Curve): Buffer | null {
  const bytes = exactBytes(signature, 65);
  const digest = exactBytes(hash, 32);
  const recovery = (bytes?.[64] ?? 0) - 27;
  if (bytes === null || digest === null || (recovery !== 0 && recovery !== 1)) return null;
  try {
    return Buffer.from(curve.recover(digest, bytes.subarray(0, 64), recovery));
  } catch {
    return null;
  }
}

/** The bytes of a hex text, or null when it is not exactly that many. */
export function exactBytes(hex: Hex, length: number): Buffer | null {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  return bytes.length === length && hex.length === 2 + 2 * length && hex.startsWith('0x') ? bytes : null;
}
