import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { chainIdSchema, reasonSchema, timeSchema } from '../names.ts';
import { may } from './base.ts';

const entrySchema = z.object({
  address: addressSchema,
  reason: z.string().nullable(),
  until: timeSchema.nullable(),
  /** This desk alone blacklists the user; the service is not told. */
  onlyHere: z.boolean(),
  since: timeSchema,
  actor: z.string(),
});

/** Whom the desk does not quote. */
export const blacklistContract = {
  list: may('look')
    .input(z.object({ chainId: chainIdSchema }))
    .output(z.array(entrySchema)),
  history: may('look')
    .input(z.object({ chainId: chainIdSchema, limit: z.int().min(1).max(1_000).default(200) }))
    .output(
      z.array(
        z.object({
          seq: z.int(),
          time: timeSchema,
          actor: z.string(),
          address: addressSchema,
          action: z.enum(['added', 'removed']),
          reason: z.string().nullable(),
          until: timeSchema.nullable(),
          onlyHere: z.boolean(),
        }),
      ),
    ),
  /**
   * In force at once. Where an entry stands that ends later, or that the service is told of while this one is `onlyHere`, it takes its
   * place only with `confirmed`: without it that one stays, and `weaker_unconfirmed` is said once this one is in force on the other chains.
   */
  add: may('trade')
    .input(
      z.object({
        chainId: chainIdSchema.optional(),
        address: addressSchema,
        reason: reasonSchema.optional(),
        until: timeSchema.optional(),
        onlyHere: z.boolean().optional(),
        confirmed: z.boolean().optional(),
      }),
    )
    .output(
      z.object({
        seq: z.int(),
        durable: z.boolean(),
        /** What stood of the user, chain by chain; a desk of before does not say it. */
        before: z.array(entrySchema.extend({ chainId: chainIdSchema })).optional(),
      }),
    ),
  remove: may('trade')
    .input(z.object({ chainId: chainIdSchema.optional(), address: addressSchema, reason: reasonSchema.optional() }))
    .output(z.object({ seq: z.int() })),
};
