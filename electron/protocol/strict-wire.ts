import { z } from 'zod';
import { addressSchema } from './address.ts';
import { compare, parseDecimal } from './decimal.ts';
import { type Level, levelSchema, pairSchema, tokenSchema } from './wire.ts';

/**
 * The bodies of the GETs as a strict counterparty takes them: it is stricter than the protocol, and one entry that it does not
 * take discards the whole body.
 */
export const strictTokenSchema = tokenSchema.extend({ decimals: z.int().min(1, 'is 0').max(77) });

export const strictPairSchema = pairSchema.extend({
  liquidityUSD: z.number().nonnegative().max(Number.MAX_SAFE_INTEGER, 'is too large a number'),
});

const strictEntrySchema = z
  .strictObject({ bids: z.array(levelSchema).optional(), asks: z.array(levelSchema).optional() })
  .refine(({ bids = [], asks = [] }) => isApart(bids, asks), 'has a bid that is not below every ask');

export const strictBodies = {
  tokens: z.record(z.string(), strictTokenSchema),
  pairs: z.record(z.string(), strictPairSchema),
  prices: z.record(z.string(), strictEntrySchema),
  blacklist: z.array(addressSchema),
};

function isApart(bids: readonly Level[], asks: readonly Level[]): boolean {
  return bids.every(([bid]) => asks.every(([ask]) => compare(parseDecimal(bid), parseDecimal(ask)) < 0));
}
