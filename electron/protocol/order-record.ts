import { z } from 'zod';
import { addressSchema, type Hex } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import { signedOrderSchema } from './wire.ts';

/** 32 bytes in hex, in any casing; given in lower case. */
export const hash32Schema = z
  .string()
  .regex(/^0x[a-fA-F0-9]{64}$/, 'must be 0x followed by 64 hex characters')
  .transform((text) => text.toLowerCase() as Hex);

/** PROTOCOL 3. `DRAFT` is named there and never used. */
export const orderStateSchema = z.enum(['DRAFT', 'PENDING', 'FULFILLED', 'CANCELLED', 'SUSPENDED', 'EXPIRED']);
export type OrderState = z.infer<typeof orderStateSchema>;

/** `P2P`: `nonceAndMeta` names a counterparty. `LIMIT`: it names nobody (PROTOCOL 2.5). */
export const orderTypeSchema = z.enum(['P2P', 'LIMIT']);
export type OrderType = z.infer<typeof orderTypeSchema>;

/** The order as the service keeps it (PROTOCOL 2.5). Amounts are raw units, times Unix seconds. */
export const orderRecordSchema = signedOrderSchema.extend({
  orderHash: hash32Schema,
  chainId: z.int().positive(),
  permitMakerAsset: z.string().nullable(),
  state: orderStateSchema,
  type: orderTypeSchema,
  takerFromMeta: addressSchema,
  makerBalance: rawAmountSchema,
  fillableBalance: rawAmountSchema,
  reservedBalance: rawAmountSchema,
  swappableBalance: rawAmountSchema,
  transactionHash: hash32Schema.nullable(),
  createdAt: z.int().nonnegative(),
  updatedAt: z.int().nonnegative(),
});
export type OrderRecord = z.infer<typeof orderRecordSchema>;
