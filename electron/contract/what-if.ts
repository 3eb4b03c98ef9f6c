import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { decimalSchema, signedDecimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import { formulaSchema } from './formula.ts';
import { limitsSchema } from './limits.ts';
import { csvLine } from './log-text.ts';
import { bpsText, tenthBpsSchema } from './marks.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';
import { protectionsSchema, triedSchema } from './protections.ts';
import { refusalCodeSchema } from './refusal.ts';
import { repriceSchema } from './repriced-ladder.ts';

const MOST_CHANGES = 1_000;

const chainKey = z.string().regex(/^[1-9][0-9]{0,15}$/, 'must be the id of a chain');

/**
 * What would have been set otherwise. `formulas`: by chain id and pair, what prices the pair whenever no person had taken it over.
 * `ladders`: done to whatever was published of these pairs, or made by those formulas, on the chains or on all of them, in this order;
 * all pairs where none is named. `limits`: by chain id, in place of those that were in force. `protections`: all rules, in place of
 * those that held. What is left out was as it was.
 */
export const whatIfSettingsSchema = z.strictObject({
  formulas: z.record(chainKey, z.record(pairIdSchema, formulaSchema)).optional(),
  ladders: z
    .array(
      z.strictObject({
        pairs: z.array(pairIdSchema).min(1).max(MOST_CHANGES).optional(),
        chains: z.array(chainIdSchema).min(1).max(50).optional(),
        changes: z.array(repriceSchema).min(1).max(10),
      }),
    )
    .max(MOST_CHANGES)
    .optional(),
  limits: z.record(chainKey, limitsSchema).optional(),
  protections: protectionsSchema.optional(),
});
export type WhatIfSettings = z.infer<typeof whatIfSettingsSchema>;

/** A stretch of the past, both ends included, Unix milliseconds, and what would have been set otherwise in it. */
export const whatIfSchema = z.object({ since: timeSchema, until: timeSchema, settings: whatIfSettingsSchema });
export type WhatIfAsked = z.infer<typeof whatIfSchema>;

/** What a sum was, and between which two it would have been. US dollars, cut down to the cent from the exact sum. */
const endsSchema = z.object({ was: signedDecimalSchema, low: signedDecimalSchema, high: signedDecimalSchema });
export type WhatIfEnds = z.infer<typeof endsSchema>;

/** With how much that is of the volume of each; null where that is nothing. */
const bandSchema = endsSchema.extend({
  bps: z.object({
    was: tenthBpsSchema.nullable(),
    low: tenthBpsSchema.nullable(),
    high: tenthBpsSchema.nullable(),
  }),
});
export type WhatIfBand = z.infer<typeof bandSchema>;

/**
 * What became of the requests. `better`, `same`, `worse`: signed both times, for the taker. `refusedThen`: signed, and would have been
 * refused, by why; `signedThen` the other way round; `refused` both times. `perhapsFilled`: nobody filled them, and somebody might
 * have. `unpriced`: without a reference or a dollar price, in no band.
 */
export const whatIfSumsSchema = z.object({
  better: z.int(),
  same: z.int(),
  worse: z.int(),
  refusedThen: z.record(z.string(), z.int()),
  signedThen: z.int(),
  refused: z.int(),
  /** Of the fills there were: how many would have been surely, and how many perhaps. */
  fills: z.object({ was: z.int(), sure: z.int(), perhaps: z.int() }),
  perhapsFilled: z.int(),
  unpriced: z.int(),
  edge: bandSchema,
  markout: bandSchema,
});
export type WhatIfSums = z.infer<typeof whatIfSumsSchema>;

export const whatIfPairSchema = whatIfSumsSchema.extend({ chainId: chainIdSchema, pair: pairIdSchema });
export type WhatIfPair = z.infer<typeof whatIfPairSchema>;

/** How many requests, or rows of the day before, were read of how many. */
const progressSchema = z.object({
  part: z.literal('progress'),
  reading: z.enum(['settings', 'before', 'requests']),
  done: z.int(),
  of: z.int().nullable(),
});
export type WhatIfProgress = z.infer<typeof progressSchema>;

/** What was asked, piece by piece as it is known: how far it has come, the pairs, and at the end the sum of them. */
export const whatIfPartSchema = z.discriminatedUnion('part', [
  progressSchema,
  z.object({ part: z.literal('pairs'), pairs: z.array(whatIfPairSchema) }),
  z.object({
    part: z.literal('end'),
    since: timeSchema,
    until: timeSchema,
    requests: z.int(),
    /** How many are as they were for want of what no row tells, by why. */
    asTheyWere: z.record(z.string(), z.int()),
    total: whatIfSumsSchema,
    /** How the sums grew: at `since` nothing, and at the end of each equal step what it came to until then. */
    curve: z.object({
      since: timeSchema,
      until: timeSchema,
      points: z.array(z.object({ edge: endsSchema, markout: endsSchema })),
    }),
    /** What the other protections would have done; null where they are those that held. */
    tried: triedSchema.nullable(),
  }),
]);
export type WhatIfPart = z.infer<typeof whatIfPartSchema>;
export type WhatIfEnd = Extract<WhatIfPart, { part: 'end' }>;

/** What a request is counted as. */
export const WHAT_IF_GROUPS = ['better', 'same', 'worse', 'refusedThen', 'signedThen', 'refused'] as const;
export type WhatIfGroup = (typeof WHAT_IF_GROUPS)[number];

/**
 * Which of the requests behind a figure are read: of a pair, or of all, `dollars` those that are in edge and markout; `after` is the last
 * row of the page before.
 */
export const whatIfQuotesSchema = whatIfSchema.extend({
  group: z.enum([...WHAT_IF_GROUPS, 'dollars']),
  pair: z.object({ chainId: chainIdSchema, pair: pairIdSchema }).nullable(),
  after: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(200).default(100),
});
export type WhatIfQuotesAsked = z.infer<typeof whatIfQuotesSchema>;

/**
 * A decision about a request: why nothing was signed, or null, and so much of the base token at so many quote tokens each; null too where
 * its amounts are not known.
 */
const decidedSchema = z.object({
  code: refusalCodeSchema.nullable(),
  traded: z.object({ base: decimalSchema, price: decimalSchema }).nullable(),
  /** What the whole order was worth against the reference when it was decided, US dollars; null where no reference says it. */
  edge: signedDecimalSchema.nullable(),
});

export const whatIfQuoteSchema = z.object({
  seq: z.int(),
  time: timeSchema,
  chainId: chainIdSchema,
  pair: pairIdSchema,
  side: sideSchema.nullable(),
  user: addressSchema,
  fills: z.int(),
  was: decidedSchema,
  would: decidedSchema,
  /** Why it is as it was, for want of what no row tells; null where it was decided anew. */
  kept: z.string().nullable(),
});
export type WhatIfQuote = z.infer<typeof whatIfQuoteSchema>;

/** A page of them, oldest first. */
export const whatIfQuotesPartSchema = z.discriminatedUnion('part', [
  progressSchema,
  z.object({ part: z.literal('quotes'), quotes: z.array(whatIfQuoteSchema) }),
]);
export type WhatIfQuotesPart = z.infer<typeof whatIfQuotesPartSchema>;

/** Whether nothing of a sum would have been otherwise. */
export function isSame({ was, low, high }: WhatIfEnds): boolean {
  return was === low && was === high;
}

/** How many would have been refused, whatever for. */
export function refusedThenOf({ refusedThen }: Pick<WhatIfSums, 'refusedThen'>): number {
  return Object.values(refusedThen).reduce((sum, count) => sum + count, 0);
}

const BANDS = ['edge', 'markout'] as const;
const ENDS = ['was', 'low', 'high'] as const;
const CSV_HEAD = [
  'chainId',
  'pair',
  ...WHAT_IF_GROUPS,
  'fills',
  'sureFills',
  'perhapsFills',
  'perhapsFilled',
  'unpriced',
  ...BANDS.flatMap((band) => ENDS.flatMap((end) => [`${band}${titled(end)}Usd`, `${band}${titled(end)}Bps`])),
];

/** The figures as comma-separated values with a head; the last line, without a pair, is all of them together. */
export function whatIfCsv(pairs: readonly WhatIfPair[], total: WhatIfSums): string {
  const line = (chainId: number | null, pair: string | null, sums: WhatIfSums) =>
    csvLine([
      chainId,
      pair,
      ...WHAT_IF_GROUPS.map((name) => (name === 'refusedThen' ? refusedThenOf(sums) : sums[name])),
      sums.fills.was,
      sums.fills.sure,
      sums.fills.perhaps,
      sums.perhapsFilled,
      sums.unpriced,
      ...BANDS.flatMap((band) =>
        ENDS.flatMap((end) => {
          const bps = sums[band].bps[end];
          return [sums[band][end], bps === null ? null : bpsText(bps)];
        }),
      ),
    ]);
  const lines = pairs.map((sums) => line(sums.chainId, sums.pair, sums));
  return [csvLine(CSV_HEAD), ...lines, line(null, null, total)].join('');
}

function titled(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
