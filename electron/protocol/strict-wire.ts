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

/** An entry of each body that has entries by their id. */
export const strictEntries = {
  tokens: strictTokenSchema,
  pairs: strictPairSchema,
  prices: strictEntrySchema,
};

export const strictBodies = {
  tokens: z.record(z.string(), strictEntries.tokens),
  pairs: z.record(z.string(), strictEntries.pairs),
  prices: z.record(z.string(), strictEntries.prices),
  blacklist: z.array(addressSchema),
};

/** Whether every bid is below every ask: the highest one below the lowest. */
function isApart(bids: readonly Level[], asks: readonly Level[]): boolean {
  const [highest] = bids.map(([bid]) => parseDecimal(bid)).sort((a, b) => compare(b, a));
  const [lowest] = asks.map(([ask]) => parseDecimal(ask)).sort(compare);
  return highest === undefined || lowest === undefined || compare(highest, lowest) < 0;
}
