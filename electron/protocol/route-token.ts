import { z } from 'zod';
import type { Address } from './address.ts';

/** Stands for a chain's native asset, in this very spelling (PROTOCOL 12.1). */
export const NATIVE_TOKEN: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const LOWER_NATIVE = NATIVE_TOKEN.toLowerCase();
const ADDRESS = /^0x[a-fA-F0-9]{40}$/;
const SYMBOL = /^(?!0[xX])[^\s,/?#&-]{1,64}$/;

/** True for the native asset, in any spelling. */
export function isNative(token: string): boolean {
  return token.toLowerCase() === LOWER_NATIVE;
}

/** An address as it was written. */
export const spelledAddressSchema = z
  .string()
  .regex(ADDRESS, 'must be 0x followed by 40 hex characters')
  .transform((text) => text as Address);

/**
 * A token by address, as it was written; the native asset in its mixed-case spelling only, and never zero (PROTOCOL 12.1). The
 * issue's message is the service's: `Invalid srcToken`.
 */
export function tokenAddressSchema(field: string) {
  return z
    .string()
    .refine((text) => isTokenAddress(text), `Invalid ${field}`)
    .transform((text) => text as Address);
}

/** A token by address or by its symbol in `/tokens` (PROTOCOL 12.1). */
export function routeTokenSchema(field: string) {
  return z.string().refine((text) => isTokenAddress(text) || SYMBOL.test(text), `Invalid ${field}`);
}

function isTokenAddress(text: string): boolean {
  if (text === NATIVE_TOKEN) return true;
  return ADDRESS.test(text) && !isNative(text) && !/^0x0{40}$/.test(text);
}
