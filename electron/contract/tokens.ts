import { z } from 'zod';
import { timeSchema, tokenNameSchema } from './names.ts';
import { tokenRightsSchema } from './rights.ts';

/** A token as it can be looked at: the token itself is shown once, when it is made, and kept nowhere. */
export const tokenSchema = z.object({
  name: tokenNameSchema,
  rights: tokenRightsSchema,
  /** When it was made, Unix milliseconds. */
  since: timeSchema,
  /** Who made it; of older ones that stands in the journal only. */
  by: z.string().optional(),
});
export type Token = z.infer<typeof tokenSchema>;

/** The same, with when it was last used, Unix milliseconds; null: never, or not known. */
export const listedTokenSchema = tokenSchema.extend({ lastUsedAt: timeSchema.nullable() });
export type ListedToken = z.infer<typeof listedTokenSchema>;

/** What is shown once. `prices` and `console` are where it may be used, null where no desk listens there; each only of a token for it. */
export const madeTokenSchema = z.object({
  token: z.string(),
  prices: z.string().nullable(),
  console: z.string().nullable().optional(),
});
