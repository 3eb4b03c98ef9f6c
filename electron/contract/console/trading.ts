import { z } from 'zod';
import { reasonSchema } from '../names.ts';
import { stopsPageSchema, stopsQuerySchema } from '../stops.ts';
import { scopeSchema, statusSchema, stopAcknowledgementSchema } from '../trading.ts';
import { base } from './base.ts';

/** Stops and starts. */
export const tradingContract = {
  status: base.output(statusSchema),
  halt: base.input(z.object({ scope: scopeSchema, reason: reasonSchema.optional() })).output(stopAcknowledgementSchema),
  drain: base
    .input(
      z.object({ scope: scopeSchema, seconds: z.int().min(1).max(600).default(10), reason: reasonSchema.optional() }),
    )
    .output(stopAcknowledgementSchema),
  /** Why a stopped scope was stopped, said afterwards; `not_stopped` where nothing is. */
  explain: base.input(z.object({ scope: scopeSchema, reason: reasonSchema })).output(stopAcknowledgementSchema),
  /** Stops that are over and those that last: when, by whom, why, and who resumed. */
  stops: base.input(stopsQuerySchema).output(stopsPageSchema),
  resume: base.input(z.object({ scope: scopeSchema, reason: reasonSchema })).output(stopAcknowledgementSchema),
};
