import { z } from 'zod';
import { sideSchema } from '../protocol/side.ts';
import { actorSchema, chainIdSchema, pairIdSchema, timeSchema } from './names.ts';

/** Trading state of a scope. For a pair or a side, HALTED is what a trader calls "off". */
export const tradingStateSchema = z.enum(['LIVE', 'DRAIN', 'HALTED']);
export type TradingState = z.infer<typeof tradingStateSchema>;

/** What a stop or a start is about: everything, a chain, a pair of a chain, or one side of it. The strictest scope wins. */
export const scopeSchema = z
  .object({ chainId: chainIdSchema.optional(), pair: pairIdSchema.optional(), side: sideSchema.optional() })
  .refine((scope) => scope.pair === undefined || scope.chainId !== undefined, 'a pair needs its chain')
  .refine((scope) => scope.side === undefined || scope.pair !== undefined, 'a side needs its pair');
export type Scope = z.infer<typeof scopeSchema>;

/** Why the guard closed a scope by itself; it opens by itself once the cause is gone. */
export const closureSchema = z.enum(['chain_unseen', 'reference_stale', 'ladder_stale', 'starting']);
export type Closure = z.infer<typeof closureSchema>;

/** `status --json`: states are effective ones, the strictest of all scopes above. */
export const statusSchema = z.object({
  state: tradingStateSchema,
  reason: z.string().nullable(),
  actor: actorSchema.nullable(),
  since: timeSchema,
  drainUntil: timeSchema.nullable(),
  chains: z.array(
    z.object({
      chainId: chainIdSchema,
      state: tradingStateSchema,
      closed: closureSchema.nullable(),
      pairs: z.record(pairIdSchema, tradingStateSchema),
    }),
  ),
});
export type Status = z.infer<typeof statusSchema>;

/** What a stop or a start answers. `durable: false` means it is in force but its row could not be written. */
export const stopAcknowledgementSchema = z.object({ durable: z.boolean(), at: timeSchema, status: statusSchema });
export type StopAcknowledgement = z.infer<typeof stopAcknowledgementSchema>;
