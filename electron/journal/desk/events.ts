import { z } from 'zod';
import { chainIdSchema, tokenNameSchema } from '../../contract/names.ts';
import { tokenRightsSchema } from '../../contract/rights.ts';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';

/** An order that was signed by hand, as it is known outside the journal. `expiry` is Unix seconds. */
export const handOrderSchema = z.object({ chainId: z.int(), orderHash: z.string(), expiry: z.int() });
export type HandOrder = z.infer<typeof handOrderSchema>;

export const DESK_EVENTS = {
  /** What goes out as `X-API-KEY` to a service from now on, by its fingerprint; null: nothing. */
  service_key_set: z.object({ origin: z.string(), fingerprint: z.string().nullable() }),
  /** A token was handed out, is for something else, or was revoked; `fingerprint` of the hash that is kept. */
  token_made: z.object({ name: tokenNameSchema, rights: tokenRightsSchema, fingerprint: z.string() }),
  token_rights_set: z.object({ name: tokenNameSchema, rights: tokenRightsSchema }),
  /** `fingerprint`: of the hash of the token, so that it counts no more even where the sealed file still has it. */
  token_revoked: z.object({ name: tokenNameSchema, fingerprint: z.string().optional() }),
  /** The key left the memory of the desk, which halted; `idleMinutes` where nobody had done anything for so long. */
  key_locked: z.object({ idleMinutes: z.int().nullable() }),
  key_unlocked: z.object({}),
  desk_started: z.object({ version: z.string(), checks: z.record(z.string(), z.string()) }),
  desk_stopped: z.object({}),
  /** At a start: why what was signed before may not be all in this journal, and the orders signed by hand that are known to be missing. */
  past_unproven: z.object({ why: z.array(z.string()).min(1), handOrders: z.array(handOrderSchema).optional() }),
  /** A transaction the desk sent, or calldata it handed out. */
  transaction: z.object({
    chainId: chainIdSchema,
    purpose: z.string(),
    to: addressSchema,
    data: z.string(),
    transactionHash: z.string().nullable(),
    outcome: z.enum(['sent', 'confirmed', 'failed', 'calldata']),
    /** What was paid for it, where its receipt came. */
    feeWei: rawAmountSchema.optional(),
    /** Of what was sent: the number of the account that it takes. */
    nonce: z.int().nonnegative().optional(),
  }),
};
