import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import type { PriceEntry } from '../../protocol/wire.ts';
import { type AnswerRules, firstIssue, isApart, isPositive, type Judged, repeatedAddress } from './answer-rules.ts';

/** Of many bad entries in one answer, so many are named. */
const NAMED = 5;

const text = z.string().min(1);

const tokenSchema = z.strictObject({
  symbol: text,
  name: text,
  address: addressSchema,
  decimals: z.int().min(1).max(77),
  type: z.literal('ERC20'),
  description: text.optional(),
});

const pairSchema = z.strictObject({ base: text, quote: text, liquidityUSD: z.number().max(Number.MAX_SAFE_INTEGER) });

const side = z.array(z.tuple([text, text]));
const entrySchema = z
  .strictObject({ bids: side.optional(), asks: side.optional() })
  .refine(({ bids = [], asks = [] }) => isApart(bids, asks), {
    message: 'the highest bid is not below the lowest ask',
  });

const bodies = {
  tokens: z.strictObject({ tokens: z.record(z.string(), tokenSchema) }),
  pairs: z.strictObject({ pairs: z.record(z.string(), pairSchema) }),
  prices: z.strictObject({ prices: z.record(z.string(), entrySchema) }),
  blacklist: z.strictObject({ blacklist: z.array(addressSchema) }),
};

/**
 * Judges as the public adapter does, which is stricter than the protocol: a body may hold its one key only, entries exactly
 * their own keys, and one bad entry discards the whole answer. Its prices are any two texts; what is no positive number
 * is let through by it, so such a pair is left out here and named.
 */
export const STRICT_RULES: AnswerRules = {
  tokens: (body) => judge(bodies.tokens, body, (parsed) => parsed.tokens),
  pairs: (body) => judge(bodies.pairs, body, (parsed) => parsed.pairs),
  prices(body) {
    const judged = judge(bodies.prices, body, (parsed) => parsed.prices);
    if (judged.value === null) return judged;
    const isUsable = ({ bids = [], asks = [] }: PriceEntry) => [...bids, ...asks].every(isPositive);
    const entries = Object.entries(judged.value);
    const unusable = entries.filter(([, entry]) => !isUsable(entry)).slice(0, NAMED);
    return {
      ...judged,
      value: Object.fromEntries(entries.filter(([, entry]) => isUsable(entry))),
      faults: unusable.map(([id]) => `prices.${id}: a level is no positive number`),
    };
  },
  blacklist(body) {
    const judged = judge(bodies.blacklist, body, (parsed) => parsed.blacklist);
    const repeated = repeatedAddress(judged.value ?? []);
    return repeated === null ? judged : { ...judged, faults: [repeated] };
  },
};

function judge<S, T>(schema: z.ZodType<S>, body: unknown, pick: (parsed: S) => T): Judged<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { value: pick(parsed.data), faults: [], message: null };
  return { value: null, faults: [`${firstIssue(parsed.error)}; all of it is discarded`], message: null };
}
