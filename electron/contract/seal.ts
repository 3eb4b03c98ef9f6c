import { z } from 'zod';
import { addressSchema, type Hex } from '../protocol/address.ts';
import { hash32Schema } from '../protocol/order-record.ts';
import { timeSchema } from './names.ts';

/**
 * A seal: the desk's key says which row was the last of its journal at a time. Since each row carries the hash of the row before it,
 * that holds for every row up to it. It is a line of JSON wherever it is kept, and is checked without the desk.
 */
export const sealSchema = z.object({
  /** Which desk: the hash of the first row of its journal. */
  desk: hash32Schema,
  row: z.int().positive(),
  /** Of that row. */
  hash: hash32Schema,
  /** When it was signed, Unix milliseconds. */
  time: timeSchema,
  signer: addressSchema,
  /** 65 bytes: r, s, v. */
  signature: z
    .string()
    .regex(/^0x[a-fA-F0-9]{130}$/, 'must be 0x followed by 130 hex characters')
    .transform((text) => text.toLowerCase() as Hex),
});
export type Seal = z.infer<typeof sealSchema>;
