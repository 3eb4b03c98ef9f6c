import { z } from 'zod';
import { limitsSchema } from './limits.ts';
import { chainIdSchema, pairIdSchema } from './names.ts';
import { repriceSchema } from './repriced-ladder.ts';

const MOST_CHANGES = 1_000;

/**
 * What would have been set otherwise. `ladders`: done to whatever was published of these pairs, on the chains or on all of them, in
 * this order; all pairs where none is named. `limits`: by chain id, in place of those that were in force. What is left out was as it was.
 */
export const whatIfSettingsSchema = z.strictObject({
  ladders: z
    .array(
      z.strictObject({
        pairs: z.array(pairIdSchema).min(1).max(MOST_CHANGES).optional(),
        chains: z.array(chainIdSchema).min(1).max(50).optional(),
        changes: z.array(repriceSchema).min(1).max(10),
      }),
    )
    .max(MOST_CHANGES)
    .optional(),
  limits: z.record(z.string().regex(/^[1-9][0-9]{0,15}$/, 'must be the id of a chain'), limitsSchema).optional(),
});
export type WhatIfSettings = z.infer<typeof whatIfSettingsSchema>;
