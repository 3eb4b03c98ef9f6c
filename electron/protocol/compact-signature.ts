import type { Hex } from './address.ts';
import { DeskError } from './desk-error.ts';

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * A signature of 65 bytes (r, s in the lower half, v) as the 64 of EIP-2098, where s carries the parity; one of 64 stays as
 * it is. Intent orders carry this form. Throws DeskError `bad_signature`.
 */
export function compactSignature(signature: Hex): Hex {
  if (/^0x[0-9a-fA-F]{128}$/.test(signature)) return signature;
  const { r, s, v } = splitSignature(signature);
  const parity = BigInt(v - 27) << 255n;
  return `0x${r.slice(2)}${(BigInt(s) | parity).toString(16).padStart(64, '0')}`;
}

/** The parts of a signature of 65 bytes, `v` as 27 or 28. Throws DeskError `bad_signature`. */
export function splitSignature(signature: Hex): { r: Hex; s: Hex; v: number } {
  const parts = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})([0-9a-fA-F]{2})$/.exec(signature);
  const [, r = '', s = '', last = ''] = parts ?? [];
  const v = Number.parseInt(last, 16);
  const parity = v >= 27 ? v - 27 : v;
  if (parts === null || (parity !== 0 && parity !== 1) || BigInt(`0x${s}`) > HALF_ORDER) {
    throw new DeskError('bad_signature', 'The signature is none of 65 bytes with its s in the lower half.');
  }
  return { r: `0x${r}`, s: `0x${s}`, v: parity + 27 };
}
