import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { orderRecordSchema } from '../protocol/order-record.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';
import { refusalCodeSchema } from './refusal.ts';

/**
 * An order as the service stores it (spec 2.5). No field is required there and the sets of states and types are open, so
 * each may be missing and a state may be unknown.
 */
export const rfqOrderRecordSchema = orderRecordSchema
  .extend({ signature: z.string(), state: z.string(), type: z.string() })
  .partial();
export type RfqOrderRecord = z.infer<typeof rfqOrderRecordSchema>;

/** A pair that the service probably keeps away from, inferred from what we answered; it does not tell. */
export const restrictionSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  /** When the last answer of that kind was given, and until when the service then stays away. */
  at: timeSchema,
  until: timeSchema,
  /** The code of our refusal; null when the answer came too late. */
  code: refusalCodeSchema.nullable(),
  /** Answers of that kind within the time. */
  count: z.int(),
  /** For a person, with the word "probably". */
  sentence: z.string(),
});
export type Restriction = z.infer<typeof restrictionSchema>;

/** One point of the self-check. `warning`: it works, and the service may dislike it. */
export const selfCheckSchema = z.object({
  name: z.string(),
  outcome: z.enum(['passed', 'warning', 'waiting', 'failed']),
  sentence: z.string(),
});
export type SelfCheck = z.infer<typeof selfCheckSchema>;

/** What a chain gets from outside: the list of takers and the reference. */
export const serviceStateSchema = z.object({
  serviceUrl: z.string().nullable(),
  /** Execution contracts we sign for; empty checks nothing. `fetchedAt` is null while the desk file's own list is in force. */
  takers: z.object({
    list: z.array(addressSchema),
    fetchedAt: timeSchema.nullable(),
    fault: z.string().nullable(),
  }),
  referenceUrl: z.string().nullable(),
  reference: z.object({ answeredAt: timeSchema.nullable(), fault: z.string().nullable() }),
});
