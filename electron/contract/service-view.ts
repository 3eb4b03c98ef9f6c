import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { orderRecordSchema } from '../protocol/order-record.ts';
import { attentionActionSchema } from './desk-view.ts';
import { chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from './names.ts';
import { pushLineSchema } from './prices.ts';
import { refusalCodeSchema } from './refusal.ts';
import { staysClosedSchema } from './trading.ts';

/**
 * An order as the service stores it (PROTOCOL 2.5). No field is required there and the sets of states and types are open, so
 * each may be missing and a state may be unknown.
 */
export const rfqOrderRecordSchema = orderRecordSchema
  .extend({ signature: z.string(), state: z.string(), type: z.string() })
  .partial();
export type RfqOrderRecord = z.infer<typeof rfqOrderRecordSchema>;

/** A pair that the service probably skips, inferred from what we answered; it does not tell. */
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

/** What a check is about, and what is closed while it has failed: the desk, the chain, or the pairs of one token. */
export const checkScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('desk') }),
  z.object({ kind: z.literal('chain') }),
  z.object({ kind: z.literal('token'), tokenId: tokenIdSchema }),
  z.object({ kind: z.literal('pair'), pair: pairIdSchema }),
]);
export type CheckScope = z.infer<typeof checkScopeSchema>;

/** One point of the self-check. `warning`: it works, and the service may dislike it. */
export const selfCheckSchema = z.object({
  name: z.string(),
  outcome: z.enum(['passed', 'warning', 'waiting', 'failed']),
  sentence: z.string(),
  /** What does not go LIVE while it has failed; absent where it stops nothing. */
  scope: checkScopeSchema.optional(),
  /** The button that mends it. */
  mend: attentionActionSchema.optional(),
});
export type SelfCheck = z.infer<typeof selfCheckSchema>;

/** What a resume of a scope would do, by its self-check made anew. */
export const resumeOutlookSchema = z.object({
  at: timeSchema,
  starts: z.array(z.object({ chainId: chainIdSchema, pair: pairIdSchema })),
  staysClosed: z.array(staysClosedSchema),
  /** Why the resume would be refused; null where it would not be. */
  refused: z.string().nullable(),
  /** Every check of it that did not pass. */
  checks: z.array(selfCheckSchema.extend({ chainId: chainIdSchema })),
  passed: z.int(),
});
export type ResumeOutlook = z.infer<typeof resumeOutlookSchema>;

/** An address that was refused, and how often within the last hour: each time the service skips the pair for 15 minutes. */
export const repeatedRefusalSchema = z.object({
  chainId: chainIdSchema,
  code: refusalCodeSchema,
  /** The execution contract of `taker_not_allowed`, else the user. */
  address: addressSchema,
  /** Of the last refusal. */
  pair: pairIdSchema.nullable(),
  at: timeSchema,
  count: z.int(),
});
export type RepeatedRefusal = z.infer<typeof repeatedRefusalSchema>;

/** What a chain gets from outside: the list of takers and the reference. */
export const serviceStateSchema = z.object({
  serviceUrl: z.string().nullable(),
  takers: z.object({
    /** Execution contracts we sign for; empty checks nothing, and only beside a practice market. */
    list: z.array(addressSchema),
    /** What the service names and nobody has decided about, with what is at that address; null while nobody looked. */
    waiting: z.array(z.object({ address: addressSchema, look: z.string().nullable() })).optional(),
    /** What it names and no order ever names, with what it is. */
    never: z.array(z.object({ address: addressSchema, is: z.string() })).optional(),
    /** What a person does not want to be asked about. */
    leftOut: z.array(addressSchema).optional(),
    /** In force, and not on the list that was fetched last. */
    unnamed: z.array(addressSchema).optional(),
    /** When the service's list was last fetched, and why that did not work the last time. */
    fetchedAt: timeSchema.nullable(),
    fault: z.string().nullable(),
    /** Execution contracts that were asked for and are not on the list. */
    refused: z.array(repeatedRefusalSchema),
  }),
  /** Users who were refused because what they asked for is worth less than one raw unit. */
  dust: z.array(repeatedRefusalSchema),
  /**
   * Questions to the service since 00:00 UTC, of the whole desk, how many it takes in a day (null where that is not known), and
   * how many of those are kept for orders under way; null without a service.
   */
  asked: z.object({ today: z.int(), perDay: z.int().nullable(), reserve: z.int() }).nullable(),
  referenceUrl: z.string().nullable(),
  reference: z.object({ answeredAt: timeSchema.nullable(), fault: z.string().nullable() }),
  /** Engines that pushed prices of the chain since the desk started. */
  engines: z.array(pushLineSchema),
});
export type ServiceState = z.infer<typeof serviceStateSchema>;
