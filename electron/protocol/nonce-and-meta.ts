import type { Address } from './address.ts';
import { DeskError } from './desk-error.ts';

const USER_BITS = 160n;
const RANDOM_LIMIT = 2n ** 96n;

/** The end user in the low 160 bits, `random` above (PROTOCOL 2.4). `random` is in [0, 2^96); else DeskError `bad_nonce`. */
export function packNonceAndMeta(user: Address, random: bigint): bigint {
  if (random < 0n || random >= RANDOM_LIMIT) throw new DeskError('bad_nonce', 'The random part must be below 2^96.');
  return (random << USER_BITS) | BigInt(user);
}

/** The user and the random part of a `nonceAndMeta` (PROTOCOL 2.4). Throws DeskError `bad_nonce` outside [0, 2^256). */
export function unpackNonceAndMeta(nonceAndMeta: bigint): { user: Address; random: bigint } {
  const random = nonceAndMeta >> USER_BITS;
  if (random < 0n || random >= RANDOM_LIMIT) throw new DeskError('bad_nonce', 'nonceAndMeta must be below 2^256.');
  const user = BigInt.asUintN(160, nonceAndMeta).toString(16).padStart(40, '0');
  return { user: `0x${user}`, random };
}
