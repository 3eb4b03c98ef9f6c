import { z } from 'zod';
import { decimalSchema } from '../protocol/decimal.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';

/** What a source is called in the desk file. */
export const sourceNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'must be 1 to 40 letters, digits, dots, dashes and underscores');

/** The source that a chain's `referenceUrl` is, by name. */
export const REFERENCE_URL = 'reference';

/** Sources of one pair at most. */
const MOST_SOURCES = 10;

/** No reference may be set to be used when it is older than this. */
export const REFERENCE_MOST_AGE_SECONDS = 3_600;

/** A price is above zero and written out; what needs more digits than this before or behind its point is no price. */
const MOST_DIGITS = 36;

/** A price as an outsider says it, quote per base. */
export const outsidePriceSchema = decimalSchema
  .refine((price) => !/^[0.]*$/.test(price), 'is zero')
  .refine(
    (price) => price.split('.').every(({ length }) => length <= MOST_DIGITS),
    'has more digits than a price needs',
  );

/** How far an outsider's clock may be ahead of ours, in milliseconds. */
const AHEAD_MS = 60_000;

/** Why the time (Unix milliseconds) that an outsider gives to what it says is not believed, or null. */
export function futureFault(time: number, now: number): string | null {
  const ahead = time - now;
  return ahead > AHEAD_MS ? `its time is ${Math.round(ahead / 1_000)} s in the future` : null;
}

/** Where prices come from. What else a kind is told is declared and checked where the kind is built (`book/sources/`). */
export const sourceSchema = z.looseObject({ kind: z.string().min(1).max(40), url: z.url().optional() });
export type SourceConfig = z.infer<typeof sourceSchema>;

const SOURCE_RULES = ['first', 'median', 'widest'] as const;

/** Of which sources the reference of a pair is made, and how. */
export const pairReferenceSchema = z.strictObject({
  sources: z
    .array(sourceNameSchema)
    .min(1)
    .max(MOST_SOURCES)
    .refine((names) => new Set(names).size === names.length, 'must name each source once'),
  /**
   * `first`: the first of them that is fresh. `median`: the middle one of their middles. `widest`: half-way between the lowest
   * bid and the highest ask.
   */
  rule: z.enum(SOURCE_RULES).default('first'),
  /** So many have to be fresh, else the pair is closed; without it 1 for `first`, and else 2, or all where there are fewer. */
  atLeast: z.int().min(1).max(MOST_SOURCES).optional(),
  /** What a source said longer ago does not count; without it half of `referenceMaxAgeSeconds`, rounded up. */
  upToSeconds: z.int().min(1).max(REFERENCE_MOST_AGE_SECONDS).optional(),
  /** Where the middles of two fresh ones are further apart than this, bps, the pair is closed. 0: any distance. */
  apartBps: z.int().min(0).max(10_000).default(0),
  /** `closes`: the pair is closed while they are apart. `halts`: it is switched off until a person resumes it. */
  whenApart: z.enum(['closes', 'halts']).default('closes'),
});
export type PairReference = z.infer<typeof pairReferenceSchema>;

/** What a source last said of one pair, quote per base. One that says a mid alone has it for both. */
export const sourcePriceSchema = z.object({
  bid: decimalSchema,
  ask: decimalSchema,
  /** When that was so: its own word, and never later than when it was heard; Unix milliseconds. */
  time: timeSchema,
});
export type SourcePrice = z.infer<typeof sourcePriceSchema>;

/** How a source does, as people see it. */
export const sourceLineSchema = z.object({
  chainId: chainIdSchema,
  name: sourceNameSchema,
  kind: z.string(),
  /** Where it is asked, without what may be a key; null where it has no address of its own. */
  url: z.string().nullable(),
  /** When it last said a price that could be used, Unix milliseconds. */
  lastAt: timeSchema.nullable(),
  /** Updates within the last ten whole seconds. */
  updates: z.int(),
  /** Why it says nothing now, or null. */
  fault: z.string().nullable(),
  /** What last went wrong, and when; stays when it is over. */
  lastError: z.object({ error: z.string(), at: timeSchema }).nullable(),
  /** What it said of each pair that it is asked for; null where that cannot be used, or nothing was said. */
  pairs: z.record(pairIdSchema, z.object({ price: sourcePriceSchema.nullable(), fault: z.string().nullable() })),
});
export type SourceLine = z.infer<typeof sourceLineSchema>;

/** What has become of one source in the reference of a pair: left out for its age, or in it; `mid`: it is the price. */
export const sourceUseSchema = z.enum(['mid', 'counted', 'old', 'silent']);
export type SourceUse = z.infer<typeof sourceUseSchema>;

/** How the reference of a pair that names its sources stands. */
export const referenceLineSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  rule: z.enum(SOURCE_RULES),
  atLeast: z.int(),
  upToSeconds: z.int(),
  apartBps: z.int(),
  whenApart: z.enum(['closes', 'halts']),
  /** What they come to now, quote per base; null where fewer than are needed have ever spoken. */
  mid: decimalSchema.nullable(),
  /** How far the two that differ most are apart, tenths of a basis point, rounded up; null with fewer than two fresh ones. */
  apartTenthBps: z.int().nullable(),
  /** Why the pair is not quoted by them, or null. */
  why: z.string().nullable(),
  sources: z.array(
    z.object({
      name: sourceNameSchema,
      use: sourceUseSchema,
      /** Its middle, and how far that is from the mid, tenths of a basis point, rounded up; null where it never spoke. */
      mid: decimalSchema.nullable(),
      offTenthBps: z.int().nullable(),
      time: timeSchema.nullable(),
    }),
  ),
});
export type ReferenceLine = z.infer<typeof referenceLineSchema>;
