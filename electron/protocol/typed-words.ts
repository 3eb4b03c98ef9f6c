import type { Address, Hex } from './address.ts';
import { DeskError } from './desk-error.ts';
import { keccak } from './keccak.ts';

/** Hash of a text, as 64 hex digits. */
export function hashText(text: string): string {
  return keccak(Buffer.from(text, 'utf8'));
}

/** EIP-712 hash of a struct: its type's hash and its fields, one word each, as hex digits, under a domain. */
export function typedHash(separator: Hex, encoded: string): Hex {
  const message = Buffer.alloc(66);
  message[0] = 0x19;
  message[1] = 0x01;
  message.write(separator.slice(2), 2, 'hex');
  message.write(keccak(Buffer.from(encoded, 'hex')), 34, 'hex');
  return `0x${keccak(message)}`;
}

/** A whole number as one word of 64 hex digits. Throws DeskError `order_field` outside [0, 2^256). */
export function word(value: bigint, field: string): string {
  const digits = value.toString(16);
  if (value < 0n || digits.length > 64) throw unfit(field);
  return digits.padStart(64, '0');
}

/** Unix seconds as one word. Throws DeskError `order_field` when it is no whole number from 0 on. */
export function expiryWord(expiry: number): string {
  if (!Number.isSafeInteger(expiry)) throw unfit('expiry');
  return word(BigInt(expiry), 'expiry');
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An address as one word. Throws DeskError `order_field` when it is none. */
export function addressWord(address: Address, field: string): string {
  if (!ADDRESS.test(address)) throw unfit(field);
  return `000000000000000000000000${address.slice(2)}`;
}

function unfit(field: string): DeskError {
  return new DeskError('order_field', `The order's ${field} does not fit its type.`);
}
