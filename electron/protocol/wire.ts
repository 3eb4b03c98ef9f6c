import { z } from 'zod';
import { addressSchema, type Hex } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import { decimalSchema } from './decimal.ts';

/** A token of the surface (PROTOCOL 2.6). */
export const tokenSchema = z.strictObject({
  symbol: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  description: z.string().min(1).max(1_000).optional(),
  address: addressSchema,
  decimals: z.int().min(0).max(77),
  type: z.literal('ERC20'),
});
export type Token = z.infer<typeof tokenSchema>;

/** A pair of the surface (PROTOCOL 2.6): `base` and `quote` are token IDs. */
export const pairSchema = z.strictObject({
  base: z.string().min(1).max(64),
  quote: z.string().min(1).max(64),
  liquidityUSD: z.number().nonnegative(),
});
export type Pair = z.infer<typeof pairSchema>;

/** One level: price in quote per base, amount in base; both decimal strings (PROTOCOL 2.6). */
export const levelSchema = z.tuple([decimalSchema, decimalSchema]);
export type Level = z.infer<typeof levelSchema>;

/** A pair's entry under `prices` (PROTOCOL 4.3.2). */
export const priceEntrySchema = z.strictObject({
  bids: z.array(levelSchema).optional(),
  asks: z.array(levelSchema).optional(),
});
export type PriceEntry = z.infer<typeof priceEntrySchema>;

/** The eight fields in the order of the EIP-712 type, plus the signature (PROTOCOL 2.2). */
export const orderSchema = z.object({
  nonceAndMeta: rawAmountSchema,
  expiry: z.int().nonnegative(),
  makerAsset: addressSchema,
  takerAsset: addressSchema,
  maker: addressSchema,
  taker: addressSchema,
  makerAmount: rawAmountSchema,
  takerAmount: rawAmountSchema,
});

/** What `POST /firm` answers under `order` (PROTOCOL 4.3): signature bytes are `0x` and lower-case hex. */
export const signedOrderSchema = orderSchema.extend({
  signature: z
    .string()
    .regex(/^0x([0-9a-f]{2})+$/, 'must be 0x followed by lower-case hex bytes')
    .transform((text) => text as Hex),
});
export type SignedOrder = z.infer<typeof signedOrderSchema>;

const message = z.string().optional();

/** `POST /firm`: without `order` the user is blacklisted (PROTOCOL 4.3.13). */
export const firmResponseSchema = z.object({ order: signedOrderSchema.optional(), message });

/** Every answer that is not a success (PROTOCOL 7). `code` is ours. */
export const errorBodySchema = z.object({ error: z.string().min(1), code: z.string().optional() });
