import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { MARK_NAMES } from '../../../electron/contract/marks.ts';
import type { MarkedFill } from '../../../electron/contract/quote-log.ts';
import { useConsole, useDesk, useLine } from '../../state/console.tsx';
import { useStream } from '../../state/use-stream.ts';
import { NO_END } from './fill-ranges.ts';
import type { SummaryOf } from './use-summary.ts';

const PAGE = 500;
/** After a fill everything is read anew this much later, once for all that come meanwhile. Milliseconds. */
const GATHER = 700;
/** Marks come due with time, without any fill. */
const MARKS_EVERY = 5_000;

export type WhichFills = Omit<SummaryOf, 'by'>;

/** The same as the desk is asked for it. */
export function whichInput({ span: { since, until }, chainId, pair, user, counterparty }: WhichFills) {
  return {
    since,
    until: until ?? NO_END,
    ...(chainId === undefined ? {} : { chainId }),
    ...(pair === undefined ? {} : { pair }),
    ...(user === undefined ? {} : { user }),
    ...(counterparty === undefined ? {} : { counterparty }),
  };
}

interface Seen {
  others: string;
  since: number;
  rows: readonly MarkedFill[];
  ended: boolean;
}
const NONE: readonly MarkedFill[] = [];
/** Of the visit before: a page that is opened again begins with what it showed, and reads what is new. */
let seenLast: Seen | null = null;

/** Whether what was seen is of the same choice, and begins no later. */
function goesOn(seen: Seen, others: string, since: number): boolean {
  return seen.others === others && seen.since <= since;
}

/**
 * What is seen once the newest fills were read. Where more came than a page has they do not reach what was seen, and those between were
 * never read: it begins anew with the newest.
 */
export function seenAfter(
  old: Seen | null,
  newest: readonly MarkedFill[],
  { others, since }: Pick<Seen, 'others' | 'since'>,
): Seen {
  const isWhole = newest.length < PAGE;
  const known = new Set(old?.rows.map(({ seq }) => seq));
  return old !== null && goesOn(old, others, since) && (isWhole || newest.some(({ seq }) => known.has(seq)))
    ? {
        ...old,
        since,
        rows: withStretch(old.rows, newest, { after: null, isLast: isWhole }).filter(({ time }) => time >= since),
      }
    : { others, since, rows: newest, ended: isWhole };
}

/** What is seen once older fills were read, after the fill `last`. Where it began anew meanwhile they do not follow on it. */
export function seenFurther(
  old: Seen | null,
  older: readonly MarkedFill[],
  { others, since, last }: Pick<Seen, 'others' | 'since'> & { last: MarkedFill },
): Seen | null {
  return old !== null && goesOn(old, others, since) && old.rows.at(-1)?.seq === last.seq
    ? { ...old, rows: [...old.rows, ...older], ended: older.length < PAGE }
    : old;
}

type Place = Pick<MarkedFill, 'time' | 'seq'>;

/** A page below the newest one, as the desk is asked for it: the fills that stand after `before`. */
interface Page {
  before: Place;
  limit: number;
}

/** What the desk told of since fills were read: their times, Unix milliseconds; `all` where it may have told of more. */
interface Told {
  all: boolean;
  times: readonly number[];
}

/** The pages below the newest one of which the desk may say something else by now: a mark was not due yet, or it told of a fill there. */
export function pagesToReread(rows: readonly MarkedFill[], { all, times }: Told): Page[] {
  const pages: Page[] = [];
  for (let at = PAGE; at < rows.length; at += PAGE) {
    const page = rows.slice(at, at + PAGE);
    const [above, last] = [rows[at - 1], page.at(-1)];
    if (above === undefined || last === undefined) break;
    const isTold = times.some((time) => time <= above.time && time >= last.time);
    if (!all && !isTold && !page.some(isYoung)) continue;
    pages.push({ before: { time: above.time, seq: above.seq }, limit: page.length });
  }
  return pages;
}

/** Whether a mark of it was not due yet when it was read. */
function isYoung(fill: MarkedFill): boolean {
  return MARK_NAMES.some((name) => fill[name] === 'not_yet');
}

/** What is seen once a page of it was read again. */
export function seenAgain(
  old: Seen | null,
  fills: readonly MarkedFill[],
  { others, since, page: { before, limit } }: Pick<Seen, 'others' | 'since'> & { page: Page },
): Seen | null {
  if (old === null || !goesOn(old, others, since)) return old;
  const isLast = fills.length < limit;
  return { ...old, rows: withStretch(old.rows, fills, { after: before, isLast }), ended: old.ended || isLast };
}

/** What rows must have in common to stand in one table, but for where their span begins. `record`: that of the desk they are of. */
export function othersOf(record: string | null, which: Omit<WhichFills, 'span'>, until: number | null): string {
  const { chainId, pair, user, counterparty } = which;
  return JSON.stringify([record, until, chainId, pair, user, counterparty === undefined ? [] : counterparty]);
}

/** The fills of a span, newest first: the newest ones live, older ones as the table is scrolled down. */
export function useFills({ span: { since, until }, chainId, pair, user, counterparty }: WhichFills) {
  const { connection, queries } = useConsole();
  const { record } = useLine();
  const cache = useQueryClient();
  const which = useMemo(
    () => whichInput({ span: { since, until }, chainId, pair, user, counterparty }),
    [since, until, chainId, pair, user, counterparty],
  );
  const first = useQuery({
    // Rows of one journal say nothing of another one.
    queryKey: [...queries.fills.list.key(), which, record],
    queryFn: ({ signal }) => connection.client.fills.list({ ...which, limit: PAGE }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: MARKS_EVERY,
  });
  // Rows that were seen stay while a span moves on with the clock; another choice begins anew.
  const others = othersOf(record, { chainId, pair, user, counterparty }, until);
  const [seen, setSeen] = useState<Seen | null>(() => seenLast);
  const newest = first.isPlaceholderData ? undefined : first.data;
  useEffect(() => {
    if (newest === undefined) return;
    setSeen((old) => seenAfter(old, newest, { others, since }));
  }, [newest, others, since]);
  useEffect(() => {
    seenLast = seen;
  }, [seen]);
  const shown = seen !== null && goesOn(seen, others, since) ? seen : null;
  const rows = shown?.rows ?? NONE;
  const ended = shown?.ended ?? false;

  const reading = useRef(false);
  const last = rows.at(-1);
  const more = useCallback(async () => {
    if (reading.current || ended || last === undefined) return;
    reading.current = true;
    try {
      const before = { time: last.time, seq: last.seq };
      const older = await connection.client.fills.list({ ...which, before, limit: PAGE });
      setSeen((old) => seenFurther(old, older, { others, since, last }));
    } catch {
      // The line is gone: scrolling asks again once it is back.
    } finally {
      reading.current = false;
    }
  }, [connection, which, others, since, last, ended]);

  // What was told of before it was listened for is not known.
  const told = useRef<Told>({ all: true, times: [] });
  const rereading = useRef(false);
  const reread = useRef(async () => {});
  reread.current = async () => {
    if (rereading.current || shown === null) return;
    rereading.current = true;
    const pages = pagesToReread(rows, told.current);
    told.current = { all: false, times: [] };
    try {
      for (const page of pages) {
        const again = await connection.client.fills.list({ ...which, ...page });
        setSeen((old) => seenAgain(old, again, { others, since, page }));
      }
    } catch {
      told.current = { all: true, times: [] };
    } finally {
      rereading.current = false;
    }
  };
  const { dataUpdatedAt } = first;
  // Whenever the newest were read, those below them that may differ are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time tells of another reading
  useEffect(() => void reread.current(), [dataUpdatedAt]);

  const gathering = useRef<ReturnType<typeof setTimeout> | null>(null);
  const open = useCallback((signal: AbortSignal) => connection.client.fills.watch(undefined, { signal }), [connection]);
  useStream(
    open,
    (batch) => {
      // A batch that is full may have left some out.
      const all = told.current.all || batch.length >= PAGE;
      told.current = { all, times: [...told.current.times, ...batch.map(({ time }) => time)] };
      gathering.current ??= setTimeout(() => {
        gathering.current = null;
        void cache.invalidateQueries({ queryKey: queries.fills.list.key() });
      }, GATHER);
    },
    () => {
      told.current = { all: true, times: [] };
    },
  );
  useEffect(() => () => clearTimeout(gathering.current ?? undefined), []);
  const read = { isPending: shown === null && first.error === null, error: first.error, refetch: first.refetch };
  return { rows, more, ended, read };
}

/**
 * Fills newest first, with a stretch of them as the desk lists it now: what it does not list there any more is gone, as after a backup was
 * put back. It begins `after` one of them, or at the top; `isLast`: nothing stands below it.
 */
function withStretch(
  fills: readonly MarkedFill[],
  stretch: readonly MarkedFill[],
  { after, isLast }: { after: Place | null; isLast: boolean },
): readonly MarkedFill[] {
  const last = stretch.at(-1);
  const above = after === null ? [] : fills.filter((fill) => !isBelow(fill, after));
  const below = isLast || last === undefined ? [] : fills.filter((fill) => isBelow(fill, last));
  return [...above, ...stretch, ...below];
}

function isBelow(fill: Place, other: Place): boolean {
  return fill.time < other.time || (fill.time === other.time && fill.seq < other.seq);
}

/** The name of a pair's chain, where the same pair is listed on another one too; else null: the pair says enough. */
export function useChainOf({ chainId, pair }: { chainId: number | null; pair: string | null }): string | null {
  return useDesk((view) => {
    if (!view.listed.some((other) => other.pair === pair && other.chainId !== chainId)) return null;
    return view.chains.find((chain) => chain.chainId === chainId)?.name ?? null;
  });
}

/** Of one user's fills the others between them are read too: not further than this. */
const MOST_PAGES = 6;
const AGAIN = 5_000;
const NO_COVERS: ReadonlyMap<number, HedgedFill> = new Map();

/** What became of the risk of these fills, by row: newest first, as they stand in the table. */
export function useCovers(
  rows: readonly MarkedFill[],
  which: { chainId?: number; pair?: string },
): ReadonlyMap<number, HedgedFill> {
  const { connection } = useConsole();
  const { chainId, pair } = which;
  const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
  const read = useQuery({
    queryKey: ['covers', chainId, pair, first, last],
    enabled: first > 0,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
    queryFn: async () => {
      const covers = new Map<number, HedgedFill>();
      let before = first + 1;
      for (let page = 0; page < MOST_PAGES && before > last; page += 1) {
        const fills = await connection.client.hedge.fills({ chainId, pair, before, limit: PAGE });
        for (const fill of fills) covers.set(fill.seq, fill);
        if (fills.length < PAGE) break;
        before = fills.at(-1)?.seq ?? 0;
      }
      return covers;
    },
  });
  return read.data ?? NO_COVERS;
}
