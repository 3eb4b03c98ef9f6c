import { z } from 'zod';
import { limitsSchema } from '../limits.ts';
import { chainIdSchema } from '../names.ts';
import { may } from './base.ts';

/** The limits of a chain. */
export const limitsContract = {
  /** All of them at once. With `seen`, only where those in force are still the ones that the person saw who sets them. */
  set: may('settings')
    .input(z.object({ chainId: chainIdSchema, limits: limitsSchema, seen: limitsSchema.optional() }))
    .output(z.object({ seq: z.int() })),
};
