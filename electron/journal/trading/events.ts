import { z } from 'zod';
import { timeSchema } from '../../contract/names.ts';
import { scopeSchema, tradingStateSchema } from '../../contract/trading.ts';

export const TRADING_EVENTS = {
  /** A stop or a start, of any scope. `until` is the end of a DRAIN, Unix milliseconds. */
  trading_state: z.object({
    scope: scopeSchema,
    state: tradingStateSchema,
    reason: z.string().nullable(),
    until: timeSchema.nullable(),
    /** The rule and its inputs when no person did it. */
    cause: z.string().nullable(),
  }),
  /** Why a scope was stopped, said after the stop of `stoppedAt` (Unix milliseconds). */
  stop_explained: z.object({ scope: scopeSchema, stoppedAt: timeSchema, reason: z.string() }),
};
