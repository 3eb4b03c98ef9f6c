import type { Hex } from '../protocol/address.ts';

/** The bytes of `0x…` text as the tables hold hashes and addresses. */
export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

/** `0x…` in lower case. */
export function hexOf(bytes: Buffer): Hex {
  return `0x${bytes.toString('hex')}`;
}
