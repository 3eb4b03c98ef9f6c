import { z } from 'zod';
import { tokenNameSchema } from '../names.ts';
import { tokenRightsSchema } from '../rights.ts';
import { listedTokenSchema, madeTokenSchema } from '../tokens.ts';
import { may } from './base.ts';

/** The people of a desk and the programs of the house, each with a token by which they are known. */
export const tokensContract = {
  list: may('admin').output(z.array(listedTokenSchema)),
  /**
   * The address of the console with the token of the user who runs the desk, for their command line alone. `secrets_stay`, and
   * `no_running_desk` where none runs that serves a console.
   */
  owner: may('admin').output(z.object({ console: z.string() })),
  /** The token is told this once, to whoever makes it. `token_exists`, `name_taken`. */
  create: may('admin')
    .input(z.object({ name: tokenNameSchema, rights: tokenRightsSchema }))
    .output(madeTokenSchema),
  /**
   * From now on it is for something else; consoles that are open with it begin anew. With `seen`, only where that is still what it is for,
   * else `changed_meanwhile`. `no_such_token`, `name_taken`.
   */
  setRights: may('admin')
    .input(z.object({ name: tokenNameSchema, rights: tokenRightsSchema, seen: tokenRightsSchema.optional() }))
    .output(z.object({ seq: z.int() })),
  /** It counts no more, at once: consoles and engines that came with it are cut off, and what it priced is off. */
  revoke: may('admin')
    .input(z.object({ name: tokenNameSchema }))
    .output(z.object({ seq: z.int() })),
};
