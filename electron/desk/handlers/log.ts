import { isOneIndex } from '../../journal/quotes/log.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { monotonic } from '../../time/monotonic.ts';
import { findQuotes } from '../find-quotes.ts';
import { xrayOf } from '../quote-xray.ts';
import type { Rooms } from '../rooms.ts';
import type { RowFeed } from '../row-feed.ts';
import { folded } from '../stream.ts';
import { JournalVerification, type VerifyStep } from '../verification.ts';
import { os } from './base.ts';

/** Rows of one batch of an export. */
const BATCH_ROWS = 200;

/** The signed-firm log. */
export function logHandlers(rooms: Pick<Rooms, 'journal' | 'folder' | 'book' | 'now'>, feed: RowFeed) {
  const { journal, folder } = rooms;
  const verification = new JournalVerification(folder);
  return {
    page: os.log.page.handler(({ input }) => journal.read.logPage(input)),
    find: os.log.find.handler(({ input, signal }) =>
      findQuotes(journal.read, { ...input, order: 'newest', isOneIndex: isOneIndex(input.filter) }, monotonic, signal),
    ),
    quote: os.log.quote.handler(({ input }) => quoteAt(input.seq)),
    xray: os.log.xray.handler(async ({ input }) => xrayOf(await quoteAt(input.seq), rooms)),
    watch: os.log.watch.handler(({ signal }) => feed.watchQuotes(signal)),
    all: os.log.all.handler(async function* ({ input: { filter }, signal }) {
      let before: number | undefined;
      for (let more = true; more && !signal?.aborted; ) {
        const search = { filter, before, limit: BATCH_ROWS, order: 'oldest', isOneIndex: isOneIndex(filter) } as const;
        for await (const found of findQuotes(journal.read, search, monotonic, signal)) {
          yield { rows: found.rows, progress: found.progress };
          before = found.progress.at;
          more = found.more;
        }
      }
    }),
    verify: os.log.verify.handler(async function* ({ signal }) {
      const listen = (listener: (step: VerifyStep) => void) => verification.listen(listener);
      for await (const step of folded<VerifyStep>(listen, (_earlier, later) => later, signal)) {
        yield step;
        if (step.done) return;
      }
    }),
  };

  async function quoteAt(seq: number) {
    const quote = await journal.read.quote(seq);
    if (quote) return quote;
    throw new DeskError('unknown_quote', `Row ${seq} of the journal is not a quote.`);
  }
}
