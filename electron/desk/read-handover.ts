import type { CalendarDay } from '../contract/calendar-day.ts';
import type { Deed, Doer, Handover } from '../contract/handover.ts';
import type { EventFilter, EventGroup, EventRow } from '../contract/journal.ts';
import { isProgram } from '../contract/names.ts';
import { resultsBy } from '../contract/results.ts';
import type { Status } from '../contract/trading.ts';
import type { JournalReader } from '../journal/queries.ts';
import { monotonic } from '../time/monotonic.ts';
import { findEvents } from './find-events.ts';
import type { LiveView } from './live-view.ts';
import { nextStep } from './reading-steps.ts';
import { sumResults } from './sum-results.ts';

type Progress = { thousandths: number; handover: Handover | null };
type Read = Parameters<typeof sumResults>[0] &
  Pick<JournalReader, 'quoteCounts' | 'logSpan' | 'eventsPart' | 'eventKinds'>;

/** Rows of the journal of the first step; the next ones take as many as fit into its time. */
const FIRST_ROWS = 20_000;
/** How much of the whole it is to count quotes; the rest goes to the sums. Thousandths. */
const QUOTES_SHARE = 400;
/** What was done is read to its end, and told up to this. */
const MOST_DONE = 2_000;
const MOST_DOERS = 500;
const MOST_SEALS = 100;
const PAGE = 500;

/** Reads all that is told of a day, step by step, and tells how far it has come; what is open is read last. */
export async function* readHandover(
  read: Read,
  day: CalendarDay,
  { view, now }: { view: Pick<LiveView, 'whole'>; now: () => number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Progress, void> {
  const { since, until } = day;
  const quotes = { signed: 0, withheld: 0, codes: new Map<string, number>() };
  for await (const share of countQuotes(read, day, quotes, signal)) {
    yield { thousandths: Math.floor(QUOTES_SHARE * share), handover: null };
  }
  for await (const { thousandths, result } of sumResults(read, { since, until, by: 'pair' }, now(), signal)) {
    const soFar = QUOTES_SHARE + Math.floor(((1_000 - QUOTES_SHARE) * thousandths) / 1_000);
    if (result === null) {
      yield { thousandths: soFar, handover: null };
      continue;
    }
    const { curve: _, rows, ...sums } = resultsBy(result, 'pair');
    const deeds = await readDeeds(read, day, signal);
    const seals = await readSeals(read, day, signal);
    if (signal?.aborted) return;
    const { status, chains, exposure, attention } = view.whole();
    const handover: Handover = {
      ...day,
      chains: chains.map(({ chainId, name }) => ({ chainId, name })),
      signed: quotes.signed,
      refused: [...quotes.codes].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count),
      withheld: quotes.withheld,
      results: { ...sums, rows: rows.map(({ curve: _, ...row }) => row) },
      ...deeds,
      seals,
      open: {
        at: now(),
        state: status.state,
        reason: status.reason,
        actor: status.actor,
        since: status.since,
        exposure: exposure.filter(({ live }) => live !== '0'),
        attention,
        off: status.state === 'HALTED' ? [] : status.chains.flatMap(offPairs),
      },
    };
    yield { thousandths: 1_000, handover };
  }
}

/** Counts the quotes of a day into `quotes`, and tells how much of it is done, from 0 to 1. */
async function* countQuotes(
  read: Read,
  { since, until }: CalendarDay,
  quotes: { signed: number; withheld: number; codes: Map<string, number> },
  signal: AbortSignal | undefined,
): AsyncGenerator<number, void> {
  const { first, last } = await read.logSpan({ since, until: until - 1 });
  let atOnce = FIRST_ROWS;
  for (let from = first; from <= last && !signal?.aborted; ) {
    const to = Math.min(last, from + atOnce - 1);
    const began = monotonic();
    for (const { code, count, signed } of await read.quoteCounts({ first: from, last: to, since, until })) {
      if (code === null) quotes.signed += count;
      else {
        quotes.codes.set(code, (quotes.codes.get(code) ?? 0) + count);
        quotes.withheld += signed;
      }
    }
    atOnce = nextStep(atOnce, monotonic() - began);
    from = to + 1;
    yield (to - first + 1) / (last - first + 1);
  }
}

/** What people did, what stopped and started, and who did how much. */
async function readDeeds(
  read: Read,
  { since, until }: CalendarDay,
  signal: AbortSignal | undefined,
): Promise<Pick<Handover, 'done' | 'leftOut' | 'doers'>> {
  const time = { since, until: until - 1 };
  const kinds = await read.eventKinds();
  const groups = new Map(kinds.map(({ kind, group }) => [kind, group]));
  const stops = kinds.filter(({ group }) => group === 'stops').map(({ kind }) => kind);
  const doers = new Map<string, Map<EventGroup, number>>();
  const newest: EventRow[] = [];
  let count = 0;
  for await (const row of eventsOf(read, { ...time, actor: { people: true } }, signal)) {
    const group = groups.get(row.kind) ?? 'desk';
    const known = doers.get(row.actor) ?? new Map<EventGroup, number>();
    doers.set(row.actor, known.set(group, (known.get(group) ?? 0) + 1));
    if (newest.length < MOST_DONE) newest.push(row);
    count += 1;
  }
  // Those of people are there already.
  const own: EventRow[] = [];
  for await (const row of eventsOf(read, { ...time, kinds: stops }, signal)) {
    if (!isProgram(row.actor)) continue;
    if (own.length < MOST_DONE) own.push(row);
    count += 1;
  }
  const done = [...newest, ...own]
    .sort((a, b) => b.seq - a.seq)
    .slice(0, MOST_DONE)
    .map((row): Deed => ({ ...row, group: groups.get(row.kind) ?? null }))
    .reverse();
  return { done, leftOut: count - done.length, doers: doersOf(doers) };
}

function doersOf(doers: ReadonlyMap<string, ReadonlyMap<EventGroup, number>>): Doer[] {
  return [...doers]
    .map(([actor, counts]) => {
      const groups = [...counts].map(([group, count]) => ({ group, count })).sort((a, b) => b.count - a.count);
      return { actor, count: groups.reduce((sum, { count }) => sum + count, 0), groups };
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_DOERS);
}

/** The seals of a day, oldest first, and the first after it. */
async function readSeals(
  read: Read,
  { since, until }: CalendarDay,
  signal: AbortSignal | undefined,
): Promise<EventRow[]> {
  const kinds = ['journal_sealed'];
  const seals: EventRow[] = [];
  for await (const row of eventsOf(read, { since, until: until - 1, kinds }, signal)) {
    seals.push(row);
    if (seals.length === MOST_SEALS) break;
  }
  seals.reverse();
  for await (const { rows } of findEvents(
    read,
    { filter: { since: until, kinds }, order: 'oldest', limit: 1 },
    monotonic,
    signal,
  )) {
    seals.push(...rows);
  }
  return seals;
}

/** Newest first. */
async function* eventsOf(
  read: Read,
  filter: EventFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventRow, void> {
  let before: number | undefined;
  for (let left = true; left && !signal?.aborted; ) {
    left = false;
    for await (const found of findEvents(read, { filter, order: 'newest', before, limit: PAGE }, monotonic, signal)) {
      yield* found.rows;
      before = found.progress.at;
      left = found.more;
    }
  }
}

function offPairs({ chainId, pairs }: Status['chains'][number]): string[] {
  return Object.entries(pairs).flatMap(([pair, state]) => (state === 'LIVE' ? [] : [`${pair} on ${chainId}`]));
}
