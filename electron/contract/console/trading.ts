import { z } from 'zod';
import { hash32Schema } from '../../protocol/order-record.ts';
import { chainIdSchema, reasonSchema } from '../names.ts';
import { deadManStateSchema } from '../protections.ts';
import { resumeOutlookSchema } from '../service-view.ts';
import { stopsPageSchema, stopsQuerySchema } from '../stops.ts';
import {
  pressSchema,
  scopeSchema,
  standingStopSchema,
  statusSchema,
  staysClosedSchema,
  stopAcknowledgementSchema,
} from '../trading.ts';
import { may } from './base.ts';

/** Stops and starts. */
export const tradingContract = {
  status: may('halt').output(statusSchema),
  halt: may('halt')
    .input(z.object({ scope: scopeSchema, reason: reasonSchema.optional(), press: pressSchema.optional() }))
    .output(stopAcknowledgementSchema),
  drain: may('halt')
    .input(
      z.object({ scope: scopeSchema, seconds: z.int().min(1).max(600).default(10), reason: reasonSchema.optional() }),
    )
    .output(stopAcknowledgementSchema),
  /** Why a stopped scope was stopped, said afterwards; `not_stopped` where nothing is. */
  explain: may('halt')
    .input(z.object({ scope: scopeSchema, reason: reasonSchema }))
    .output(stopAcknowledgementSchema),
  /** Stops that are over and those that last: when, by whom, why, and who resumed. */
  stops: may('look').input(stopsQuerySchema).output(stopsPageSchema),
  /** A person has looked at alarms: they are told no more. The answer is the status after it. */
  acknowledgeAlarms: may('trade')
    .input(z.object({ seqs: z.array(z.int()).min(1).max(1_000), reason: reasonSchema }))
    .output(statusSchema),
  /** A person says that they are here, for the dead-man switch; how that stands then, null where it is not set. */
  here: may('trade').output(deadManStateSchema.nullable()),
  /**
   * A chain that is halted because its node has another one in its place really was begun anew: what was signed for the old
   * one ends. `chain_not_replaced` where the node has the known chain; `changed_meanwhile` where it has yet another one than that which
   * begins with `genesis`.
   */
  acceptChain: may('settings')
    .input(z.object({ chainId: chainIdSchema, genesis: hash32Schema.optional(), reason: reasonSchema }))
    .output(z.object({ genesis: z.string() })),
  /** The stops in force of a scope and of those around it, the widest first: what is read before it is resumed. */
  stopsAround: may('look')
    .input(z.object({ scope: scopeSchema }))
    .output(z.array(standingStopSchema)),
  /** Makes the self-check of the scope anew and tells what a resume of it would start, what stays closed and why; starts nothing. */
  beforeResume: may('look')
    .input(z.object({ scope: scopeSchema }))
    .output(resumeOutlookSchema),
  /**
   * Makes the self-check of the scope anew, starts what passed it and tells what stays closed; `checks_failed` where nothing
   * of it may go LIVE. `seen`: what of `stopsAround` it was decided on; `overtaken_by_stop` where another one is in force.
   */
  resume: may('trade')
    .input(z.object({ scope: scopeSchema, reason: reasonSchema, seen: z.array(standingStopSchema).max(4).optional() }))
    .output(stopAcknowledgementSchema.extend({ staysClosed: z.array(staysClosedSchema).optional() })),
};
