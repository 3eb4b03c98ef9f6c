import { z } from 'zod';
import { addressSchema } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import { decimalSchema } from './decimal.ts';

/** A token of the surface (spec 2.6). */
export const tokenSchema = z.strictObject({
  symbol: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  description: z.string().min(1).max(1_000).optional(),
  address: addressSchema,
  decimals: z.int().min(0).max(77),
  type: z.literal('ERC20'),
});
export type Token = z.infer<typeof tokenSchema>;

/** A pair of the surface (spec 2.6): `base` and `quote` are token IDs. */
export const pairSchema = z.strictObject({
  base: z.string().min(1).max(64),
  quote: z.string().min(1).max(64),
  liquidityUSD: z.number().nonnegative(),
});
export type Pair = z.infer<typeof pairSchema>;

/** One level: price in quote per base, amount in base; both decimal strings (spec 2.6). */
export const levelSchema = z.tuple([decimalSchema, decimalSchema]);
export type Level = z.infer<typeof levelSchema>;

/** A pair's entry under `prices` (spec 4.3, prices rule 1). */
export const priceEntrySchema = z.strictObject({
  bids: z.array(levelSchema).optional(),
  asks: z.array(levelSchema).optional(),
});
export type PriceEntry = z.infer<typeof priceEntrySchema>;

/** The eight fields in the order of the EIP-712 type, plus the signature (spec 2.2). */
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
export type Order = z.infer<typeof orderSchema>;
