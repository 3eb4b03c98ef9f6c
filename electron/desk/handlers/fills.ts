import type { Rooms } from '../rooms.ts';
import type { RowFeed } from '../row-feed.ts';
import { sumTrades } from '../sum-trades.ts';
import { os } from './base.ts';

/** What was filled, and what it was worth. */
export function fillHandlers({ journal, now }: Pick<Rooms, 'journal' | 'now'>, feed: RowFeed) {
  const { read } = journal;
  return {
    list: os.fills.list.handler(({ input }) => read.markedFills({ ...input, now: now() })),
    volume: os.fills.volume.handler(({ input }) => read.volume(input)),
    summary: os.fills.summary.handler(({ input, signal }) => sumTrades(read, input, now(), signal)),
    chart: os.fills.chart.handler(async ({ input }) => {
      const lines = await read.priceLines({ ...input, until: Math.min(input.until, Math.max(input.since + 1, now())) });
      return { ...lines, ...(await read.placedFills({ ...input, limit: input.marks })) };
    }),
    watch: os.fills.watch.handler(({ signal }) => feed.watchFills(signal)),
  };
}
