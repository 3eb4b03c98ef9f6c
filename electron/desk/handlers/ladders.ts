import type { Draft } from '../../contract/book.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { draftSummaries } from '../draft-summaries.ts';
import { builtLadder, foundShape } from '../ladder-builds.ts';
import { LadderPeople } from '../ladder-people.ts';
import { ladderPreview } from '../ladder-preview.ts';
import type { LiveView } from '../live-view.ts';
import { referencesOf } from '../references-of.ts';
import type { Rooms } from '../rooms.ts';
import { folded } from '../stream.ts';
import { os } from './base.ts';

/** Published ladders and the shared drafts. */
export function ladderHandlers(
  rooms: Pick<Rooms, 'book' | 'guard' | 'journal' | 'now'>,
  view: Pick<LiveView, 'figures'>,
) {
  const { book, journal } = rooms;
  const referenceOf = referencesOf(rooms);
  const people = new LadderPeople();
  const known = (chainId: number, pair: string) => {
    const found = book.chain(chainId)?.pairs.get(pair);
    if (found) return found;
    throw new DeskError('unknown_pair', `${pair} is not a pair of chain ${chainId}.`);
  };
  return {
    published: os.ladders.published.handler(({ input }) => known(input.chainId, input.pair).ladder),
    revisions: os.ladders.revisions.handler(async ({ input }) => {
      // What an engine pushes is live a moment before it is there.
      await book.written();
      return journal.read.revisions(input.chainId, input.pair, input.limit);
    }),
    cellHistory: os.ladders.cellHistory.handler(({ input }) =>
      journal.read.cellHistory(input.chainId, input.pair, input.cell, input.before),
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
        view,
        signal,
      );
    }),
    edit: os.ladders.edit.handler(({ input, context }) =>
      book.edit(input.chainId, input.pair, input.edits, context.actor, input.seen, input.session),
    ),
    discard: os.ladders.discard.handler(({ input, context }) =>
      book.discard(input.chainId, input.pair, context.actor, input.seen),
    ),
    rebase: os.ladders.rebase.handler(({ input, context }) =>
      book.rebase(input.chainId, input.pair, context.actor, input.seen),
    ),
    drafts: os.ladders.drafts.handler(() => draftSummaries(rooms)),
    preview: os.ladders.preview.handler(({ input }) => ladderPreview(rooms, referenceOf, input.chainId, input.pair)),
    shape: os.ladders.shape.handler(({ input }) => foundShape(rooms, input.chainId, input.pair)),
    build: os.ladders.build.handler(({ input }) =>
      input.pairs.map((pair) => builtLadder(rooms, referenceOf, pair, input.form)),
    ),
    watchPeople: os.ladders.watchPeople.handler(({ input, context, signal }) => {
      known(input.chainId, input.pair);
      return people.watch(input, context.actor, signal);
    }),
    stand: os.ladders.stand.handler(({ input }) => {
      people.stand(input.session, input.at);
      return {};
    }),
    setHand: os.ladders.setHand.handler(({ input, context: { actor } }) => book.setHand({ ...input, actor })),
    setFollow: os.ladders.setFollow.handler(({ input, context: { actor } }) => book.setFollow({ ...input, actor })),
    acceptReference: os.ladders.acceptReference.handler(({ input, context }) =>
      book.acceptReference(input, context.actor),
    ),
    publishSeveral: os.ladders.publishSeveral.handler(({ input, context }) =>
      book.publishSeveral(input, context.actor),
    ),
    takeBack: os.ladders.takeBack.handler(({ input, context }) => book.takeBack(input, context.actor)),
    publish: os.ladders.publish.handler(({ input, context }) =>
      book.publish(input.chainId, input.pair, input.version, context.actor, input.keepFollowing),
    ),
  };
}

/**
 * The draft as it is, and then after every change; of one in which nobody wrote since, which a program may move many times a second,
 * the newest together with the figures of the pairs.
 */
async function* draftsFrom(
  read: () => Draft,
  onDraft: (listener: (draft: Draft) => void) => () => void,
  isOurs: (draft: Draft) => boolean,
  view: Pick<LiveView, 'figures'>,
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
  let { version } = next.value;
  for await (const draft of changes) {
    yield draft;
    if (draft.isLive || draft.version === version) await view.figures(signal);
    version = draft.version;
  }
}
