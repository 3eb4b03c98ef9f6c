import { z } from 'zod';
import { sideSchema } from '../protocol/side.ts';
import { actorSchema, chainIdSchema, pairIdSchema, timeSchema } from './names.ts';

/** Trading state of a scope. For a pair or a side, HALTED is what a trader calls "off". */
export const tradingStateSchema = z.enum(['LIVE', 'DRAIN', 'HALTED']);
export type TradingState = z.infer<typeof tradingStateSchema>;

/** What a stop or a start is about: everything, a chain, a pair of a chain, or one side of it. The strictest scope wins. */
export const scopeSchema = z
  .object({ chainId: chainIdSchema.optional(), pair: pairIdSchema.optional(), side: sideSchema.optional() })
  .refine((scope) => scope.pair === undefined || scope.chainId !== undefined, 'needs the chain of its pair')
  .refine((scope) => scope.side === undefined || scope.pair !== undefined, 'needs the pair of its side');
export type Scope = z.infer<typeof scopeSchema>;

/** One press of HALT: sent again, or over a second line, it is the same stop, and no new one of what was resumed since. */
export const pressSchema = z.uuid();

/** Why the guard closed a scope by itself; it opens by itself once the cause is gone. */
export const closureSchema = z.enum([
  'chain_unseen',
  'chain_clock',
  'chain_unconfirmed',
  'signer_unseen',
  'reference_stale',
  'sources_apart',
  'ladder_stale',
  'prices_stale',
  'starting',
  'checks_failed',
  'token_closed',
  'not_approved',
  'past_unproven',
  'protection_tripped',
  'protection_unpriced',
]);
export type Closure = z.infer<typeof closureSchema>;

/** What status tells of a chain or a pair: CLOSED is LIVE by its switches, and a check or an approval keeps it from it. */
export const shownStateSchema = z.enum([...tradingStateSchema.options, 'CLOSED']);
export type ShownState = z.infer<typeof shownStateSchema>;

/**
 * Something that stands until a person says that they have looked: `seqs` are the rows of the journal it is made of, `since`
 * when the first of them was written, Unix milliseconds.
 */
export const alarmSchema = z.object({
  kind: z.enum(['unknown_fill', 'drift']),
  chainId: chainIdSchema,
  seqs: z.array(z.int()),
  since: timeSchema,
  title: z.string(),
  detail: z.string(),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** `status --json`: states are effective ones, the strictest of all scopes above. */
export const statusSchema = z.object({
  state: tradingStateSchema,
  reason: z.string().nullable(),
  actor: actorSchema.nullable(),
  since: timeSchema,
  drainUntil: timeSchema.nullable(),
  /** Only while it is true: the desk was never resumed, so that it was never live. */
  isNew: z.literal(true).optional(),
  /** Only while there is one. */
  alarms: z.array(alarmSchema).optional(),
  chains: z.array(
    z.object({
      chainId: chainIdSchema,
      state: shownStateSchema,
      closed: closureSchema.nullable(),
      /** Why the chain is closed, in a sentence; only where more is known than its code says. */
      why: z.string().optional(),
      pairs: z.record(pairIdSchema, shownStateSchema),
      /** Pairs that are CLOSED by themselves: why, in a sentence. */
      closedPairs: z.record(pairIdSchema, z.object({ code: closureSchema, why: z.string() })).optional(),
    }),
  ),
});
export type Status = z.infer<typeof statusSchema>;

/**
 * A stop in force, as somebody reads it before they resume: of which scope, since when (Unix milliseconds), by whom and why. One that
 * comes on top of it, or gets other words, is another one.
 */
export const standingStopSchema = z.object({
  scope: scopeSchema,
  state: z.enum(['DRAIN', 'HALTED']),
  since: timeSchema,
  actor: actorSchema,
  reason: z.string().nullable(),
});
export type StandingStop = z.infer<typeof standingStopSchema>;

/**
 * What a stop or a start answers. `durable: false` means it is in force but its row could not be written. `again`: this press had come
 * before and was carried out then, so that `status` may be of what was started since.
 */
export const stopAcknowledgementSchema = z.object({
  durable: z.boolean(),
  at: timeSchema,
  status: statusSchema,
  again: z.literal(true).optional(),
});
export type StopAcknowledgement = z.infer<typeof stopAcknowledgementSchema>;

/** What a start leaves closed: a whole chain, or (with `pair`) one pair of it. */
export const staysClosedSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema.nullable(),
  /** Why, and what mends it. */
  sentence: z.string(),
  /** What keeps it closed: a failed check, something that is waited for and opens it by itself, or another switch. */
  because: z.enum(['failed', 'waits', 'switched_off']).optional(),
});
export type StaysClosed = z.infer<typeof staysClosedSchema>;
