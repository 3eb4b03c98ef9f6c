import { z } from 'zod';

/** An EVM address. Inside the desk it is always lower case; the wire may spell it in any case (PROTOCOL 2.1, 4.3). */
export type Address = `0x${string}`;

/** Bytes as lower-case hex behind `0x`. */
export type Hex = `0x${string}`;

/** Takes an address in any casing and gives it in lower case (PROTOCOL 2.1: `^0x[a-fA-F0-9]{40}$`). */
export const addressSchema = z
  .string()
  .regex(/^0x[a-fA-F0-9]{40}$/, 'must be 0x followed by 40 hex characters')
  .transform((text) => text.toLowerCase() as Address);

export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;
