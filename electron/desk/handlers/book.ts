import type { Draft } from '../../contract/book.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import { folded } from '../stream.ts';
import { os } from './base.ts';

type BookRooms = Pick<Rooms, 'book' | 'journal'>;

/** Published ladders and the shared drafts. */
export function ladderHandlers({ book, journal }: BookRooms) {
  const published = (chainId: number, pair: string) => {
    const found = book.chain(chainId)?.pairs.get(pair);
    if (found) return found.ladder;
    throw new DeskError('unknown_pair', `${pair} is not a pair of chain ${chainId}.`);
  };
  return {
    published: os.ladders.published.handler(({ input }) => published(input.chainId, input.pair)),
    revisions: os.ladders.revisions.handler(({ input }) =>
      journal.read.revisions(input.chainId, input.pair, input.limit),
    ),
    draft: os.ladders.draft.handler(({ input }) => book.draft(input.chainId, input.pair)),
    watchDraft: os.ladders.watchDraft.handler(({ input, signal }) => {
      const { chainId, pair } = input;
      const now = () => book.draft(chainId, pair);
      now(); // an unknown pair is refused at once
      return draftsFrom(
        now,
        (listener) => book.onDraft(listener),
        (draft) => draft.chainId === chainId && draft.pair === pair,
        signal,
      );
    }),
    edit: os.ladders.edit.handler(({ input, context }) =>
      book.edit(input.chainId, input.pair, input.edits, context.actor, input.seen),
    ),
    discard: os.ladders.discard.handler(({ input, context }) =>
      book.discard(input.chainId, input.pair, context.actor, input.seen),
    ),
    publish: os.ladders.publish.handler(({ input, context }) =>
      book.publish(input.chainId, input.pair, input.version, context.actor),
    ),
  };
}

/** Tokens and pairs. */
export function listingHandlers({ book }: BookRooms) {
  return {
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

/** The draft as it is, and then after every change. */
async function* draftsFrom(
  read: () => Draft,
  onDraft: (listener: (draft: Draft) => void) => () => void,
  isOurs: (draft: Draft) => boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<Draft, void> {
  const changes = folded<Draft>(
    (listener) => onDraft((draft) => isOurs(draft) && listener(draft)),
    (_earlier, later) => later,
    signal,
  );
  const first = changes.next(); // listens before the draft is read
  yield read();
  const next = await first;
  if (next.done) return;
  yield next.value;
  yield* changes;
}
