import { isInForce } from '../../book/blacklist.ts';
import { FaultyInput } from '../../book/faults.ts';
import { readToken } from '../../chain/read-token.ts';
import type { Hedging } from '../../hedge/hedging.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { ChainChecks } from '../chain-checks.ts';
import { heldTokens } from '../held-tokens.ts';
import type { Rooms } from '../rooms.ts';
import { newlyDiscarded, strictBodiesOf } from '../strict-bodies.ts';
import { os } from './base.ts';

/** A form waits for what a token says of itself no longer than this, milliseconds. */
const READ_MS = 4_000;

type BookRooms = Pick<Rooms, 'book' | 'journal'>;

/** Tokens and pairs. A token is saved as the chain says it is; where the node does not answer, its pairs wait for the answer. */
export function listingHandlers(
  { book, now }: BookRooms & Pick<Rooms, 'now'>,
  checks: Pick<ChainChecks, 'examineToken'>,
  hedging: Pick<Hedging, 'routes'> | null,
) {
  return {
    heldTokens: os.listings.heldTokens.handler(async ({ input: { chainId } }) => {
      const named = (await hedging?.routes.tokensNamed(chainId)) ?? [];
      const held = await heldTokens({ book }, chainId, named);
      return held.map(({ balance, ...token }) => ({ ...token, balance: `${balance}` }));
    }),
    list: os.listings.list.handler(({ input: { chainId } }) => {
      const chain = book.chain(chainId);
      if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
      return {
        tokens: Object.fromEntries(chain.tokens),
        pairs: Object.fromEntries([...chain.pairs].map(([id, { definition }]) => [id, definition])),
        retireHours: chain.config.retireHours,
      };
    }),
    preview: os.listings.preview.handler(({ input: { chainId, change } }) => {
      const [chain, after] = [book.chain(chainId), book.trialListing(chainId, change)];
      if (chain === undefined || after === undefined) {
        throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
      }
      return { discards: newlyDiscarded(strictBodiesOf(chain, now()), strictBodiesOf(after, now())) };
    }),
    saveToken: os.listings.saveToken.handler(async ({ input, context }) => {
      const { chainId, tokenId, token, seen } = input;
      const chain = book.chain(chainId);
      const check = chain && (await checks.examineToken(chain, tokenId, token));
      if (check?.outcome === 'failed') {
        const path = / decimals /.test(check.sentence) ? 'decimals' : 'address';
        throw new FaultyInput('token_refused', `The token ${tokenId}`, [{ path, message: check.sentence }]);
      }
      const saved = await book.saveToken(chainId, tokenId, token, context.actor, seen);
      const waits = check !== undefined && check.outcome === 'unanswered';
      return { ...saved, ...(waits ? { waits: check.sentence } : {}) };
    }),
    readToken: os.listings.readToken.handler(({ input: { chainId, address } }) => {
      const chain = book.chain(chainId);
      if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
      return readToken({ rpcUrl: book.seals.whole(chain.config.rpcUrl), chainId, address, timeoutMs: READ_MS });
    }),
    removeToken: os.listings.removeToken.handler(({ input, context }) =>
      book.removeToken(input.chainId, input.tokenId, context.actor),
    ),
    savePair: os.listings.savePair.handler(({ input, context }) =>
      book.savePair(input.chainId, input.pair, input.definition, context.actor, input.seen),
    ),
    retirePair: os.listings.retirePair.handler(({ input, context }) =>
      book.retirePair(input.chainId, input.pair, context.actor),
    ),
  };
}

export function limitHandlers({ book }: BookRooms) {
  return {
    set: os.limits.set.handler(({ input, context }) => {
      context.still?.(); // what was no looser must not have become so
      return book.setLimits(input.chainId, input.limits, context.actor, input.seen);
    }),
  };
}

/** Users who get no quotes. */
export function blacklistHandlers({ book, journal, now }: BookRooms & Pick<Rooms, 'now'>) {
  return {
    list: os.blacklist.list.handler(({ input }) =>
      [...(book.chain(input.chainId)?.blacklisted.values() ?? [])].filter((entry) => isInForce(entry, now())),
    ),
    history: os.blacklist.history.handler(({ input }) => journal.read.blacklistHistory(input.chainId, input.limit)),
    add: os.blacklist.add.handler(({ input, context }) => book.blacklistAdd({ ...input, actor: context.actor })),
    remove: os.blacklist.remove.handler(({ input, context }) =>
      book.blacklistRemove({ ...input, actor: context.actor }),
    ),
  };
}
