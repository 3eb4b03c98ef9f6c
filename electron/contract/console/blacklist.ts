import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { chainIdSchema, reasonSchema, timeSchema } from '../names.ts';
import { may } from './base.ts';

/** Whom the desk does not quote. */
export const blacklistContract = {
  list: may('look')
    .input(z.object({ chainId: chainIdSchema }))
    .output(
      z.array(
        z.object({
          address: addressSchema,
          reason: z.string().nullable(),
          until: timeSchema.nullable(),
          /** This desk alone blacklists the user; the service is not told. */
          onlyHere: z.boolean(),
          since: timeSchema,
          actor: z.string(),
        }),
      ),
    ),
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
  add: may('trade')
    .input(
      z.object({
        chainId: chainIdSchema.optional(),
        address: addressSchema,
        reason: reasonSchema.optional(),
        until: timeSchema.optional(),
        onlyHere: z.boolean().optional(),
      }),
    )
    .output(z.object({ seq: z.int(), durable: z.boolean() })),
  remove: may('trade')
    .input(z.object({ chainId: chainIdSchema.optional(), address: addressSchema, reason: reasonSchema.optional() }))
    .output(z.object({ seq: z.int() })),
};
