import { z } from 'zod';
import { timeSchema } from './names.ts';
import { scopeSchema } from './trading.ts';

/** What was said of a stop after it began: another halt of the same scope, the end of its drain, words for it. */
export const stopWordSchema = z.object({
  seq: z.int(),
  at: timeSchema,
  actor: z.string(),
  what: z.enum(['halted', 'drained', 'explained']),
  reason: z.string().nullable(),
  /** The rule and its inputs when no person did it. */
  cause: z.string().nullable(),
});
export type StopWord = z.infer<typeof stopWordSchema>;

/** A stop of a scope from the row that began it until somebody resumed it: a drain and the halt it ends in are one. */
export const stopSchema = z.object({
  id: z.int(),
  scope: scopeSchema,
  /** How it began: an import can switch a pair off too. */
  began: z.object({
    seq: z.int(),
    at: timeSchema,
    actor: z.string(),
    what: z.enum(['halted', 'drained', 'imported']),
    reason: z.string().nullable(),
    cause: z.string().nullable(),
  }),
  /** Oldest first; the newest of them where there are very many. */
  words: z.array(stopWordSchema),
  /** Null while it lasts. */
  ended: z
    .object({
      seq: z.int(),
      at: timeSchema,
      actor: z.string(),
      what: z.enum(['resumed', 'imported']),
      reason: z.string().nullable(),
    })
    .nullable(),
});
export type Stop = z.infer<typeof stopSchema>;

/** Which stops: all, or only those of the whole desk and of chains. Newest first, those before `before` (an `id`). */
export const stopsQuerySchema = z.object({
  which: z.enum(['all', 'wide']).default('all'),
  before: z.int().positive().optional(),
  limit: z.int().min(1).max(200).default(50),
});
export type StopsQuery = z.infer<typeof stopsQuerySchema>;

export const stopsPageSchema = z.object({ rows: z.array(stopSchema), more: z.boolean() });
export type StopsPage = z.infer<typeof stopsPageSchema>;
