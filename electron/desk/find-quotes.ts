import type { LogFilter, QuoteRow } from '../contract/quote-log.ts';
import type { JournalReader } from '../journal/queries.ts';
import { nextStep } from './reading-steps.ts';

/** How far a search has come: it looks at rows `first` to `last` of the journal and has come to row `at`. */
export type SearchProgress = { first: number; last: number; at: number };
export type Found = { rows: QuoteRow[]; progress: SearchProgress; done: boolean; more: boolean };

type Search = {
  filter: LogFilter;
  /** The last sequence number that was looked at. */
  before?: number;
  limit: number;
  order: 'newest' | 'oldest';
  /** Whether one index answers it, so that nothing is gained by going step by step. */
  isOneIndex: boolean;
  /** Rows of the journal looked at in the first step; the next ones take as long as they may. */
  firstStep?: number;
};

const FIRST_STEP = 4_000;
/** However slow the disk is, a search comes forward. Rows of the journal. */
const LEAST_STEP = 256;

/**
 * Searches the log for up to `limit` rows. What no index answers alone is looked for step by step, so that rows come as
 * they are found, progress is told, other readers get their turn between, and the search ends with its signal.
 */
export async function* findQuotes(
  read: Pick<JournalReader, 'logPage' | 'logSpan'>,
  { filter, before, limit, order, isOneIndex, firstStep = FIRST_STEP }: Search,
  monotonic: () => number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Found, void> {
  const { first, last } = await read.logSpan(filter);
  const newest = order === 'newest';
  const end = newest ? first : last;
  let at = before ?? (newest ? last + 1 : first - 1);
  let left = limit;
  let step = isOneIndex ? Number.MAX_SAFE_INTEGER / 4 : firstStep;
  while (!signal?.aborted) {
    const to = newest ? Math.max(end, at - step) : Math.min(end, at + step);
    const began = monotonic();
    const page = await read.logPage({ filter, before: at, to, limit: left, order });
    const took = monotonic() - began;
    if (!isOneIndex) step = Math.max(LEAST_STEP, nextStep(step, took));
    left -= page.rows.length;
    const reached = newest ? to <= end : to >= end;
    at = page.more ? (page.rows.at(-1)?.seq ?? at) : reached ? end : to;
    const more = page.more || !reached;
    const done = left === 0 || !more;
    yield { rows: page.rows, progress: { first, last, at }, done, more };
    if (done) return;
  }
}
