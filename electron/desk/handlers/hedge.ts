import type { HedgeRow } from '../../contract/hedge.ts';
import { askForFills } from '../../hedge/fills-to-hedge.ts';
import { hedgeDetail, hedgeRows } from '../../hedge/hedge-view.ts';
import type { Hedging } from '../../hedge/hedging.ts';
import type { HedgeRecord } from '../../journal/hedges/fold.ts';
import type { Hex } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { HedgeFeed } from '../hedge-feed.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** What the desk was filled on, and how it gets rid of it. Without a running desk it can be read and nothing is placed. */
export function hedgeHandlers(
  { journal, book, now, log }: Pick<Rooms, 'journal' | 'book' | 'now' | 'log'>,
  hedging: Hedging | null,
) {
  const { hedge } = os;
  const { read } = journal;
  const feed = new HedgeFeed(journal, now, log);
  const running = (): Hedging => {
    if (hedging !== null) return hedging;
    throw new DeskError('no_hedging', 'Hedges are placed by a running desk only.', { remedy: 'Start the desk.' });
  };
  const recordOf = async (seq: number): Promise<HedgeRecord> => {
    const found = await read.hedge(seq);
    if (found !== null) return found;
    throw new DeskError('unknown_hedge', `Row ${seq} of the journal opened no hedge.`);
  };
  const rowOf = async (hedge: HedgeRecord): Promise<HedgeRow> => {
    const [row] = await hedgeRows(read, [hedge]);
    if (row === undefined) throw new Error('a hedge without a row');
    return row;
  };
  return {
    positions: hedge.positions.handler(({ input }) => read.positions(input.chainId ?? null, now())),
    fills: hedge.fills.handler(({ input }) => read.hedgedFills({ ...input, now: now() })),
    askFor: hedge.askFor.handler(({ input }) => askForFills({ journal, now }, input)),
    venues: hedge.venues.handler(() => running().venues()),
    routes: hedge.routes.handler(() => running().routes.chains()),
    tokenSupport: hedge.tokenSupport.handler(async ({ input: { chainId, token } }) => {
      return { supported: await running().routes.isSupported(chainId, token) };
    }),
    quote: hedge.quote.handler(({ input }) => running().engine.quote(input)),
    prepare: hedge.prepare.handler(({ input }) => running().prepare(input)),
    place: hedge.place.handler(async ({ input: { confirmed, ...wish }, context: { actor } }) =>
      rowOf(await running().engine.place(wish, { actor, confirmed })),
    ),
    list: hedge.list.handler(async ({ input }) => {
      const found = await read.hedges({ ...input, limit: input.limit + 1 });
      return { rows: await hedgeRows(read, found.slice(0, input.limit)), more: found.length > input.limit };
    }),
    get: hedge.get.handler(async ({ input }) => {
      const { seq } = input;
      const [found, steps, [net = null]] = await Promise.all([
        recordOf(seq),
        read.hedgeSteps(seq),
        read.hedgeNets([seq]),
      ]);
      return hedgeDetail(found, steps, net);
    }),
    cancel: hedge.cancel.handler(async ({ input, context }) => {
      await running().engine.cancel(input.seq, context.actor);
      return rowOf(await recordOf(input.seq));
    }),
    giveUp: hedge.giveUp.handler(async ({ input, context }) => {
      await running().engine.giveUp(input.seq, input.reason, context.actor);
      return rowOf(await recordOf(input.seq));
    }),
    sentBy: hedge.sentBy.handler(async ({ input, context }) => {
      await running().engine.sentBy(input.seq, input.hash.toLowerCase() as Hex, context.actor);
      return rowOf(await recordOf(input.seq));
    }),
    correct: hedge.correct.handler(async ({ input: { seq, seen, ...by }, context }) => {
      await running().engine.correct(seq, by, context.actor, seen);
      return rowOf(await recordOf(seq));
    }),
    send: hedge.send.handler(async ({ input, context }) => {
      await running().engine.send(input.seq, input.confirmed, context.actor);
      return rowOf(await recordOf(input.seq));
    }),
    pin: hedge.pin.handler(({ input, context }) => book.pinContract(input, context.actor)),
    auto: hedge.auto.handler(({ input }) => running().auto.rows({ set: input?.set })),
    setAuto: hedge.setAuto.handler(async ({ input: { chainId, pair, settings, seen }, context }) => {
      const { auto } = running();
      await auto.set(chainId, pair, settings, context.actor, seen);
      return auto.rows();
    }),
    watch: hedge.watch.handler(({ signal }) => feed.watch(signal)),
  };
}
