import { z } from 'zod';
import { tokenNameSchema } from '../../contract/names.ts';
import { subjectSchema, trippedSchema } from '../../contract/protections.ts';

export const PROTECTION_EVENTS = {
  /** A quote would have passed the limit of a rule: it was refused, and nothing is signed for this subject until the trip is over. */
  protection_tripped: trippedSchema,
  /** A person ended a trip: what was counted for its subject until then counts no more. */
  protection_reset: subjectSchema.extend({ rule: tokenNameSchema, reason: z.string() }),
};
