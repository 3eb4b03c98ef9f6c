import { z } from 'zod';
import { csvLine } from './log-text.ts';
import { actorSchema, chainIdSchema, isoTime, pairIdSchema, timeSchema } from './names.ts';

/** What a kind of event is about: the filter of the journal names them. */
export const EVENT_GROUPS = {
  prices: 'Prices',
  settings: 'Tokens, pairs, settings',
  stops: 'Stops and starts',
  quotes: 'Quotes',
  fills: 'Fills and balances',
  hedges: 'Hedges',
  desk: 'The desk itself',
} as const;
export const eventGroupSchema = z.enum(Object.keys(EVENT_GROUPS) as [EventGroup, ...EventGroup[]]);
export type EventGroup = keyof typeof EVENT_GROUPS;

/** A kind of event as people read it. `many`: there are so many of it that they are shown only where they are asked for. */
export const eventKindSchema = z.object({
  kind: z.string(),
  name: z.string(),
  group: eventGroupSchema,
  many: z.boolean(),
});
export type EventKindName = z.infer<typeof eventKindSchema>;

/**
 * A part of a sentence: what was before, what is now, what somebody said or was said to them, or the words between. `amount`: the
 * text is this much of a token, raw units, which a screen may write as its tables do, cut down unless it says `up`.
 */
const sentencePartSchema = z.object({
  text: z.string(),
  as: z.enum(['before', 'after', 'said']).optional(),
  amount: z
    .object({
      raw: z.string().regex(/^-?[0-9]+$/),
      decimals: z.int().nonnegative(),
      symbol: z.string(),
      up: z.boolean().optional(),
    })
    .optional(),
});
export type SentencePart = z.infer<typeof sentencePartSchema>;

/** Which events: what is left out is not asked for. */
export const eventFilterSchema = z.object({
  /** Kinds as the journal has them; without it all but those of which there are very many. */
  kinds: z.array(z.string().max(100)).max(200).optional(),
  /** One name, or everybody who is no part of the program. */
  actor: z.union([z.object({ name: actorSchema }), z.object({ people: z.literal(true) })]).optional(),
  chainId: chainIdSchema.optional(),
  /** A pair, and what was changed of its tokens, its chain and the desk. */
  pair: pairIdSchema.optional(),
  /** Unix milliseconds, both inclusive. */
  since: timeSchema.optional(),
  until: timeSchema.optional(),
  /** Every one of these words stands in the sentence, the names or the fields; `0xa1f4…45d3` is a shortened hash. */
  words: z.string().trim().max(200).optional(),
});
export type EventFilter = z.infer<typeof eventFilterSchema>;

/** One event of the journal as a sentence. */
export const eventRowSchema = z.object({
  seq: z.int(),
  time: timeSchema,
  actor: z.string(),
  kind: z.string(),
  /** The kind in plain words. */
  name: z.string(),
  chainId: z.int().nullable(),
  pair: z.string().nullable(),
  /** Without who did it: `published revision 7: we buy 3,396.98 → 3,397.1`. */
  sentence: z.array(sentencePartSchema),
  /** Rows that have a page of their own: a quote, a fill, a hedge. */
  about: z.object({ quote: z.int().optional(), fill: z.int().optional(), hedge: z.int().optional() }),
  /** Why it cannot be read; then only its place, time, actor and kind mean anything. */
  unreadable: z.string().optional(),
});
export type EventRow = z.infer<typeof eventRowSchema>;

/** One event whole: every field by its path, and its place in the chain of hashes. */
export const eventDetailSchema = z.object({
  row: eventRowSchema,
  fields: z.array(z.object({ path: z.string(), value: z.string() })),
  /** Fields that were left out because there are so many. */
  more: z.int(),
  hash: z.string(),
  /** Of the row before; zeros for the first one. */
  previous: z.string(),
  /** Whether the row still has the hash it was written with, and the row before it the one that it names. */
  holds: z.boolean(),
});
export type EventDetail = z.infer<typeof eventDetailSchema>;

/** The sentence of an event as text. */
export function sentenceText({ sentence, unreadable }: Pick<EventRow, 'sentence' | 'unreadable'>): string {
  return unreadable === undefined
    ? sentence.map(({ text }) => text).join('')
    : `This row cannot be read: ${unreadable}.`;
}

const CSV_HEAD = ['seq', 'time', 'kind', 'name', 'actor', 'chainId', 'pair', 'sentence', 'unreadable'];

/** The first line of events as comma-separated values. */
export function eventsCsvHead(): string {
  return csvLine(CSV_HEAD);
}

/** One event as a line of comma-separated values. */
export function eventCsvLine(row: EventRow): string {
  const { seq, time, kind, name, actor, chainId, pair, unreadable } = row;
  const text = sentenceText(row);
  return csvLine([seq, isoTime(time), kind, name, actor, chainId, pair, text, unreadable ?? null]);
}
