import { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { pairSchema, priceEntrySchema } from '../../protocol/wire.ts';
import { type AnswerRules, firstIssue, isApart, isPositive, type Judged, repeatedAddress } from './answer-rules.ts';

/** Of many bad entries in one answer, so many are named. */
const NAMED = 5;

const entries = z.record(z.string(), z.unknown());
const message = z.string().optional();
const bodies = {
  tokens: z.looseObject({ tokens: entries, message }),
  pairs: z.looseObject({ pairs: entries, message }),
  prices: z.looseObject({ prices: entries, message }),
  blacklist: z.looseObject({ blacklist: z.array(z.unknown()), message }),
};

/** Of a token the address and the decimals are needed (PROTOCOL 4.3.14); what else it has must be right. */
const tokenSchema = z.object({
  symbol: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  address: addressSchema,
  decimals: z.int().min(0).max(77),
  type: z.literal('ERC20').optional(),
});

const openBook = priceEntrySchema
  .refine(({ bids = [], asks = [] }) => [...bids, ...asks].every(isPositive), { message: 'a level is not above zero' })
  .refine(({ bids = [], asks = [] }) => isApart(bids, asks), { message: 'the book is crossed' });

/** Judges as part one of PROTOCOL is written (4.3, 7): a `message` is welcome, and a bad entry takes only itself out, named. */
export const SPEC_RULES: AnswerRules = {
  tokens: (body) =>
    judgeEntries(bodies.tokens, body, 'tokens', (id) =>
      tokenSchema.transform(({ symbol = id, name = id, description, ...token }) => ({
        ...token,
        symbol,
        name,
        ...(description === undefined ? {} : { description }),
        type: 'ERC20' as const,
      })),
    ),
  pairs: (body) => judgeEntries(bodies.pairs, body, 'pairs', () => pairSchema),
  prices: (body) => judgeEntries(bodies.prices, body, 'prices', () => openBook),
  blacklist(body) {
    const top = bodies.blacklist.safeParse(body);
    if (!top.success) return unreadable(top.error);
    const value: Address[] = [];
    const faults = strangers(top.data, 'blacklist');
    for (const [index, one] of top.data.blacklist.entries()) {
      const address = addressSchema.safeParse(one);
      if (address.success) value.push(address.data);
      else faults.push(firstIssue(address.error, ['blacklist', `${index}`]));
    }
    const repeated = repeatedAddress(value);
    if (repeated !== null) faults.push(repeated);
    return { value, faults: faults.slice(0, NAMED), message: top.data.message ?? null };
  },
};

function judgeEntries<K extends string, T>(
  schema: z.ZodType<Record<K, Record<string, unknown>> & { message?: string | undefined }>,
  body: unknown,
  key: K,
  schemaOf: (id: string) => z.ZodType<T>,
): Judged<Record<string, T>> {
  const top = schema.safeParse(body);
  if (!top.success) return unreadable(top.error);
  const faults = strangers(top.data, key);
  const good: [string, T][] = [];
  for (const [id, entry] of Object.entries(top.data[key])) {
    const parsed = schemaOf(id).safeParse(entry);
    if (parsed.success) good.push([id, parsed.data]);
    else faults.push(firstIssue(parsed.error, [key, id]));
  }
  return { value: Object.fromEntries(good), faults: faults.slice(0, NAMED), message: top.data.message ?? null };
}

function unreadable<T>(error: z.ZodError): Judged<T> {
  return { value: null, faults: [firstIssue(error)], message: null };
}

/** Keys that the protocol does not know in this body. */
function strangers(body: object, key: string): string[] {
  const strange = Object.keys(body).filter((name) => name !== key && name !== 'message');
  return strange.length === 0 ? [] : [`the body holds ${strange.slice(0, NAMED).join(', ')} besides ${key}`];
}
