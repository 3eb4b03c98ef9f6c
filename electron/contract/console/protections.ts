import { z } from 'zod';
import {
  protectionRowSchema,
  protectionsSchema,
  resetProtectionSchema,
  standingRowSchema,
  triedSchema,
  tripSchema,
} from '../protections.ts';
import { may } from './base.ts';

/** What may be signed and filled in a time, and what tripped. */
export const protectionsContract = {
  /** Each rule with its use now, its peak of the last 24 hours, and what is frozen by it. */
  list: may('look').output(z.array(protectionRowSchema)),
  /**
   * What such rules would have done in the last 24 hours of the journal, tried by what counts and trips live.
   * `protections_refused`, `busy` where too many questions about the past wait.
   */
  trial: may('look')
    .input(z.object({ protections: protectionsSchema.min(1) }))
    .output(triedSchema),
  /** What protects the desk beside its rules: fences, dead-man switches, the tripwire. */
  standing: may('look').output(z.array(standingRowSchema)),
  /** What tripped and who reset it, newest first, at most 200. */
  trips: may('look').output(z.array(tripSchema)),
  /** All rules anew, where those in force are still the ones that were seen; else `changed_meanwhile`, `protections_refused`. */
  set: may('settings')
    .input(z.object({ protections: protectionsSchema, seen: protectionsSchema }))
    .output(z.object({ seq: z.int() })),
  /**
   * Ends trips of a rule that stand: all, or the one of a subject. What they counted until now counts no more; a desk that was halted
   * by one stays halted. `unknown_protection`, `not_tripped`; `changed_meanwhile` where another trip stands than was seen.
   */
  reset: may('trade').input(resetProtectionSchema).output(z.array(tripSchema)),
};
