import { verifyJournal } from '../../journal/verify.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import type { RowFeed } from '../row-feed.ts';
import { folded } from '../stream.ts';
import { os } from './base.ts';

/** Rows of one batch of an export. */
const BATCH_ROWS = 1_000;

/** The signed-firm log. */
export function logHandlers({ journal, folder }: Pick<Rooms, 'journal' | 'folder'>, feed: RowFeed) {
  return {
    page: os.log.page.handler(({ input }) => journal.read.logPage(input)),
    quote: os.log.quote.handler(async ({ input }) => {
      const quote = await journal.read.quote(input.seq);
      if (quote) return quote;
      throw new DeskError('unknown_quote', `Row ${input.seq} of the journal is not a quote.`);
    }),
    watch: os.log.watch.handler(({ signal }) => feed.watchQuotes(signal)),
    all: os.log.all.handler(async function* ({ input, signal }) {
      let after: number | undefined;
      while (!signal?.aborted) {
        const page = await journal.read.logPage({
          filter: input.filter,
          before: after,
          limit: BATCH_ROWS,
          order: 'oldest',
        });
        if (page.rows.length > 0) yield page.rows;
        after = page.rows.at(-1)?.seq;
        if (!page.more) return;
      }
    }),
    verify: os.log.verify.handler(async function* ({ signal }) {
      type Step = { checked: number; total: number; done: boolean; firstBad: number | null; detail: string | null };
      const steps = folded<Step>(
        (listener) => {
          const end = { done: true, firstBad: null, detail: null };
          verifyJournal(folder, (progress) => listener({ ...progress, ...end, done: false })).then(
            ({ ok, total, firstBad, detail }) =>
              listener({
                checked: total,
                total,
                ...end,
                firstBad,
                detail: ok ? null : (detail ?? 'The journal is broken.'),
              }),
            (error: unknown) => listener({ checked: 0, total: 0, ...end, detail: String(error) }),
          );
          return () => {};
        },
        (_earlier, later) => later,
        signal,
      );
      for await (const step of steps) {
        yield step;
        if (step.done) return;
      }
    }),
  };
}

export function fillHandlers({ journal }: Pick<Rooms, 'journal'>, feed: RowFeed) {
  return {
    list: os.fills.list.handler(({ input }) => journal.read.fills(input)),
    volume: os.fills.volume.handler(({ input }) => journal.read.volume(input)),
    watch: os.fills.watch.handler(({ signal }) => feed.watchFills(signal)),
  };
}
