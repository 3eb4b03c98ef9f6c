import { z } from 'zod';
import { tokenNameSchema } from '../names.ts';
import { tokenRightsSchema, tokenSchema } from '../prices.ts';
import { base } from './base.ts';

/** Tokens for programs of the house, such as an engine that pushes prices. */
export const tokensContract = {
  list: base.output(z.array(tokenSchema)),
  /** The token is told this once, to the command line alone; `prices` is where it may be used, null where no desk listens. */
  create: base
    .input(z.object({ name: tokenNameSchema, rights: tokenRightsSchema }))
    .output(z.object({ token: z.string(), prices: z.string().nullable() })),
  /** It counts no more, at once, and what it priced is off. */
  revoke: base.input(z.object({ name: tokenNameSchema })).output(z.object({ seq: z.int() })),
};
