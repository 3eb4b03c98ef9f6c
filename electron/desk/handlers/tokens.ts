import { asRead, personSchema } from '../../contract/names.ts';
import { consoleRights, isForPrices } from '../../contract/rights.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { fingerprint } from '../../signer/secrets.ts';
import type { ConsoleServer } from '../console-server.ts';
import type { PricesDoor } from '../prices-door.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** Where those who come with a token are let in, of a running desk. */
export interface TokenDoors {
  /** Opens with the first token for prices. */
  prices: Pick<PricesDoor, 'open' | 'revoke'>;
  /** Null where no console is served over the network. */
  console: () => Pick<ConsoleServer, 'address' | 'url' | 'revoke'> | null;
}

/** People, and programs of the house. `owner` is the user who runs the desk; `doors` is null where none runs. */
export function tokenHandlers(
  { book, credentials, journal, tokenUses, now }: Rooms,
  owner: string,
  doors: TokenDoors | null,
) {
  return {
    list: os.tokens.list.handler(async () => {
      await credentials.forgetTokens(await journal.read.revokedTokens());
      return Promise.all(
        credentials.tokens().map(async (token) => ({ ...token, lastUsedAt: await tokenUses.last(token) })),
      );
    }),
    owner: os.tokens.owner.handler(({ context }) => {
      if (context.givenSecrets !== true) {
        throw new DeskError('secrets_stay', 'The token of the user who runs the desk does not go out to a console.', {
          remedy: 'Run "makerdesk console" on the machine of the desk, as the user who runs it.',
        });
      }
      const served = doors?.console() ?? null;
      if (served === null) {
        throw new DeskError('no_running_desk', 'No desk runs here that serves a console.', {
          remedy: 'Start it with "makerdesk serve"; in the desktop app the console is its window.',
        });
      }
      return { console: served.url };
    }),
    create: os.tokens.create.handler(async ({ input: { name, rights }, context: { actor } }) => {
      const isPerson = isForPerson(rights);
      if (isPerson) expectFree(name, owner);
      const { token, hash } = await credentials.makeToken({ name, rights, since: now(), by: actor });
      const body = { name, rights, fingerprint: fingerprint(hash) };
      await journal.append({ time: now(), actor, kind: 'token_made', body });
      const address = doors?.console()?.address ?? null;
      return {
        token,
        prices: isForPrices(rights) ? ((await doors?.prices.open()) ?? null) : null,
        ...(isPerson && { console: address === null ? null : `${address}#${token}` }),
      };
    }),
    setRights: os.tokens.setRights.handler(async ({ input: { name, rights, seen }, context: { actor } }) => {
      if (isForPerson(rights)) expectFree(name, owner);
      await credentials.setRights(name, rights, seen);
      if (!isForPrices(rights)) book.pushed.revoke(name);
      // Whoever comes again is told what they may do from now on.
      doors?.prices.revoke(name);
      doors?.console()?.revoke(name);
      const seq = await journal.append({ time: now(), actor, kind: 'token_rights_set', body: { name, rights } });
      if (isForPrices(rights)) await doors?.prices.open();
      return { seq };
    }),
    revoke: os.tokens.revoke.handler(async ({ input: { name }, context: { actor } }) => {
      const revoked = credentials.revokeToken(name);
      book.pushed.revoke(name);
      doors?.prices.revoke(name);
      doors?.console()?.revoke(name);
      const body = { name, fingerprint: await revoked };
      return { seq: await journal.append({ time: now(), actor, kind: 'token_revoked', body }) };
    }),
  };
}

function isForPerson(rights: string): boolean {
  return consoleRights(rights).length > 0;
}

/** Throws DeskError `name_taken` where a person of this name would stand in the journal as somebody else. */
function expectFree(name: string, owner: string): void {
  if (personSchema.safeParse(name).success && asRead(name) !== asRead(owner)) return;
  throw new DeskError('name_taken', `${name} is what the program or the user who runs the desk is called.`, {
    remedy: 'Choose another name: what is done with this token stands in the journal under it.',
  });
}
