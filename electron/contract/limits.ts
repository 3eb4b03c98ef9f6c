import { z } from 'zod';
import { decimalSchema } from '../protocol/decimal.ts';
import { tokenIdSchema } from './names.ts';

const amountsSchema = z.record(tokenIdSchema, decimalSchema);
const wholeSchema = z.int().nonnegative().default(0);

/**
 * Every limit of a chain. Missing or zero it is off. `per` token: decimal token units, by token ID; `per` chain: a whole number.
 * The schema, the stricter of two, what the desk file says, raw units for the guard, and the form are made from this list; what
 * is refused by it stands in the guard (quote-limits). `isStop`: set lower it signs less, so that it is in force at once. `head`, `label`,
 * `none`: its column or row in the form, how it is read aloud, and what an empty field means.
 */
export const LIMITS = {
  maxQuote: {
    per: 'token',
    schema: amountsSchema.default({}),
    isStop: true,
    head: 'At most in one quote',
    label: 'at most in one quote',
    none: 'no limit',
  },
  maxOutstanding: {
    per: 'token',
    schema: amountsSchema.default({}),
    isStop: true,
    head: 'At most signed and live',
    label: 'at most signed and live',
    none: 'no limit',
  },
  quotesPerUserPerMinute: {
    per: 'chain',
    schema: wholeSchema,
    isStop: true,
    head: 'Quotes per user per minute',
    label: 'Quotes per user per minute',
    none: 'no limit',
  },
  ladderMaxAgeSeconds: {
    per: 'chain',
    schema: wholeSchema,
    isStop: true,
    head: 'Close a ladder older than, s',
    label: 'Close a ladder older than, seconds',
    none: 'never',
  },
  /** What a balance may come to change by itself in a day before it is an alarm; missing: every unit is one. */
  driftPerDay: {
    per: 'token',
    schema: amountsSchema.optional(),
    isStop: false,
    head: 'Alarm when a day’s drift is over',
    label: 'alarm when a day’s drift is over',
    none: 'zero',
  },
} as const;

type LimitName = keyof typeof LIMITS;
type NamesPer<Per> = { [Name in LimitName]: (typeof LIMITS)[Name]['per'] extends Per ? Name : never }[LimitName];
export type TokenLimit = NamesPer<'token'>;
export type ChainLimit = NamesPer<'chain'>;

const NAMES = Object.keys(LIMITS) as LimitName[];
export const TOKEN_LIMITS = NAMES.filter((name): name is TokenLimit => LIMITS[name].per === 'token');
export const CHAIN_LIMITS = NAMES.filter((name): name is ChainLimit => LIMITS[name].per === 'chain');

const shape = Object.fromEntries(NAMES.map((name) => [name, LIMITS[name].schema]));
/** Limits of a chain, as the desk file has them. */
export const limitsSchema = z.strictObject(shape as { [Name in LimitName]: (typeof LIMITS)[Name]['schema'] });
export type Limits = z.infer<typeof limitsSchema>;

/** What is refused by them: HTTP status and a sentence, as every reason has. */
export const LIMIT_REFUSALS = {
  quote_limit: { status: 422, sentence: 'The amount is over the limit for one quote.' },
  outstanding_limit: { status: 422, sentence: 'The amount would take the signed total over its limit.' },
  user_rate: { status: 429, sentence: 'This user asked for too many quotes in one minute.' },
  ladder_stale: { status: 503, sentence: 'The ladder is older than its limit.' },
} as const;
