import { once } from 'node:events';
import { z } from 'zod';
import { pairIdSchema, tokenNameSchema } from '../../../contract/names.ts';
import { sourceOf } from '../source.ts';

const settingsSchema = z.strictObject({
  kind: z.literal('push'),
  /** The token for prices with which its references come. */
  token: tokenNameSchema,
  pairs: z.array(pairIdSchema).min(1).max(1_000),
});

/** What an engine pushes as `references` through the door for prices. */
export const push = sourceOf({
  kind: 'push',
  settings: settingsSchema,
  pairsOf: ({ pairs }) => pairs,
  async run({ token, pairs }, { heard, signal, pushed }) {
    const off = pushed.listen(heard.about.chainId, token, {
      pairs,
      said: (pair, price) => heard.heard(new Map([[pair, price]])),
      brokeOff: () => {
        heard.forget();
        heard.failed(`The sequence of the token ${token} was broken, or the token was revoked.`);
      },
    });
    if (!signal.aborted) await once(signal, 'abort');
    off();
  },
});
