import { DeskError } from '../../protocol/desk-error.ts';
import { fingerprint } from '../../signer/secrets.ts';
import type { PricesDoor } from '../prices-door.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** Tokens for programs of the house. `door` opens with the first one, where a desk runs. */
export function tokenHandlers(
  { book, credentials, journal, now }: Rooms,
  door: Pick<PricesDoor, 'open' | 'revoke'> | null,
) {
  return {
    list: os.tokens.list.handler(async () => {
      await credentials.load();
      return credentials.tokens();
    }),
    create: os.tokens.create.handler(async ({ input: { name, rights }, context: { actor, givenSecrets } }) => {
      if (givenSecrets !== true) {
        throw new DeskError('secrets_stay', 'A token is told to the command line only.', {
          remedy: 'Make it there: makerdesk token new NAME --rights prices.',
        });
      }
      const { token, hash } = await credentials.makeToken(name, now());
      const body = { name, rights, fingerprint: fingerprint(hash) };
      await journal.append({ time: now(), actor, kind: 'token_made', body });
      return { token, prices: (await door?.open()) ?? null };
    }),
    revoke: os.tokens.revoke.handler(async ({ input: { name }, context: { actor } }) => {
      const revoked = credentials.revokeToken(name);
      book.pushed.revoke(name);
      door?.revoke(name);
      await revoked;
      return { seq: await journal.append({ time: now(), actor, kind: 'token_revoked', body: { name } }) };
    }),
  };
}
