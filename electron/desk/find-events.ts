import type { EventFilter, EventRow } from '../contract/journal.ts';
import type { JournalReader } from '../journal/queries.ts';
import type { SearchProgress } from './find-quotes.ts';
import { nextStep } from './reading-steps.ts';

type Found = { rows: EventRow[]; progress: SearchProgress; done: boolean; more: boolean };
type Search = {
  filter: EventFilter;
  order: 'newest' | 'oldest';
  /** The last row that was looked at; nothing before `from` is. */
  before?: number;
  from?: number;
  limit: number;
};

const FIRST_STEP = 4_000;
const MOST_STEP = 2_000_000;
/** Rows of the journal that are read at the least in one step. */
const LEAST_STEP = 256;
/** A page of rows is read and drawn in pieces, the first of so many: it stands while the others are read and drawn. */
const AT_ONCE = 50;

/**
 * Searches the journal for up to `limit` events, step by step, so that rows come as they are found, progress is told, other
 * readers get their turn between, and the search ends with its signal.
 */
export async function* findEvents(
  read: Pick<JournalReader, 'eventsPart' | 'logSpan'>,
  { filter, order, before, from = 1, limit }: Search,
  monotonic: () => number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Found, void> {
  const span = await read.logSpan(filter);
  const [first, last] = [Math.max(span.first, from), span.last];
  const newest = order === 'newest';
  const [begin, end] = newest ? [last, first] : [first, last];
  let next = before === undefined ? begin : newest ? Math.min(begin, before - 1) : Math.max(begin, before + 1);
  let left = limit;
  let step = FIRST_STEP;
  let atMost = Math.min(limit, AT_ONCE);
  while (!signal?.aborted) {
    const isOver = newest ? next < end : next > end;
    if (isOver) {
      yield { rows: [], progress: { first, last, at: before ?? end }, done: true, more: false };
      return;
    }
    const to = newest ? Math.max(end, next - step) : Math.min(end, next + step);
    const began = monotonic();
    const part = await read.eventsPart({
      filter,
      order,
      from: Math.min(next, to),
      to: Math.max(next, to),
      limit: atMost,
    });
    step = Math.min(MOST_STEP, Math.max(LEAST_STEP, nextStep(step, monotonic() - began)));
    left -= part.rows.length;
    atMost = left;
    const more = part.at !== end;
    const done = left === 0 || !more;
    let told = 0;
    for (; part.rows.length - told > AT_ONCE; told += AT_ONCE) {
      const rows = part.rows.slice(told, told + AT_ONCE);
      yield { rows, progress: { first, last, at: rows.at(-1)?.seq ?? part.at }, done: false, more: true };
    }
    yield { rows: part.rows.slice(told), progress: { first, last, at: part.at }, done, more };
    if (done) return;
    next = newest ? part.at - 1 : part.at + 1;
  }
}
