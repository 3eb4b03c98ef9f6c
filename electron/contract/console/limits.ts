import { z } from 'zod';
import { limitsSchema } from '../desk-file.ts';
import { chainIdSchema } from '../names.ts';
import { base } from './base.ts';

/** The limits of a chain. */
export const limitsContract = {
  set: base.input(z.object({ chainId: chainIdSchema, limits: limitsSchema })).output(z.object({ seq: z.int() })),
};
