import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

type BookRooms = Pick<Rooms, 'book' | 'journal'>;

/** Tokens and pairs. */
export function listingHandlers({ book }: BookRooms) {
  return {
    list: os.listings.list.handler(({ input: { chainId } }) => {
      const chain = book.chain(chainId);
      if (chain === undefined) throw new DeskError('unknown_chain', `Chain ${chainId} is not one of this desk.`);
      return {
        tokens: Object.fromEntries(chain.tokens),
        pairs: Object.fromEntries([...chain.pairs].map(([id, { definition }]) => [id, definition])),
        retireHours: chain.config.retireHours,
      };
    }),
    saveToken: os.listings.saveToken.handler(({ input, context }) =>
      book.saveToken(input.chainId, input.tokenId, input.token, context.actor),
    ),
    removeToken: os.listings.removeToken.handler(({ input, context }) =>
      book.removeToken(input.chainId, input.tokenId, context.actor),
    ),
    savePair: os.listings.savePair.handler(({ input, context }) =>
      book.savePair(input.chainId, input.pair, input.definition, context.actor),
    ),
    retirePair: os.listings.retirePair.handler(({ input, context }) =>
      book.retirePair(input.chainId, input.pair, context.actor),
    ),
  };
}

export function limitHandlers({ book }: BookRooms) {
  return {
    set: os.limits.set.handler(({ input, context }) => book.setLimits(input.chainId, input.limits, context.actor)),
  };
}

/** Users who get no quotes. */
export function blacklistHandlers({ book, journal, now }: BookRooms & Pick<Rooms, 'now'>) {
  const isInForce = ({ until }: { until: number | null }) => until === null || now() < until;
  return {
    list: os.blacklist.list.handler(({ input }) =>
      [...(book.chain(input.chainId)?.barred.values() ?? [])].filter(isInForce),
    ),
    history: os.blacklist.history.handler(({ input }) => journal.read.blacklistHistory(input.chainId, input.limit)),
    add: os.blacklist.add.handler(({ input, context }) => book.blacklistAdd({ ...input, actor: context.actor })),
    remove: os.blacklist.remove.handler(({ input, context }) =>
      book.blacklistRemove({ ...input, actor: context.actor }),
    ),
  };
}
