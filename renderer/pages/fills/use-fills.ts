import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import type { MarkedFill } from '../../../electron/contract/quote-log.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
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
    ? { ...old, since, rows: mergeFills(old.rows, newest).filter(({ time }) => time >= since) }
    : { others, since, rows: newest, ended: isWhole };
}

/** What is seen once older fills were read, after the fill `last`. Where it began anew meanwhile they do not follow on it. */
export function seenFurther(
  old: Seen | null,
  older: readonly MarkedFill[],
  { others, since, last }: Pick<Seen, 'others' | 'since'> & { last: MarkedFill },
): Seen | null {
  return old !== null && goesOn(old, others, since) && old.rows.at(-1)?.seq === last.seq
    ? { ...old, rows: mergeFills(old.rows, older), ended: older.length < PAGE }
    : old;
}

/** The fills of a span, newest first: the newest ones live, older ones as the table is scrolled down. */
export function useFills({ span: { since, until }, chainId, pair, user, counterparty }: WhichFills) {
  const { connection, queries } = useConsole();
  const cache = useQueryClient();
  const which = useMemo(
    () => whichInput({ span: { since, until }, chainId, pair, user, counterparty }),
    [since, until, chainId, pair, user, counterparty],
  );
  const first = useQuery({
    ...queries.fills.list.queryOptions({ input: { ...which, limit: PAGE } }),
    placeholderData: keepPreviousData,
    refetchInterval: MARKS_EVERY,
  });
  // Rows that were seen stay while a span moves on with the clock; another choice begins anew.
  const others = JSON.stringify([until, chainId, pair, user, counterparty === undefined ? [] : counterparty]);
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

  const gathering = useRef<ReturnType<typeof setTimeout> | null>(null);
  const open = useCallback((signal: AbortSignal) => connection.client.fills.watch(undefined, { signal }), [connection]);
  useStream(open, () => {
    gathering.current ??= setTimeout(() => {
      gathering.current = null;
      void cache.invalidateQueries({ queryKey: queries.fills.list.key() });
    }, GATHER);
  });
  useEffect(() => () => clearTimeout(gathering.current ?? undefined), []);
  const read = { isPending: shown === null && first.error === null, error: first.error, refetch: first.refetch };
  return { rows, more, ended, read };
}

/** Fills newest first, with new ones and changed ones worked in. */
function mergeFills(fills: readonly MarkedFill[], batch: readonly MarkedFill[]): readonly MarkedFill[] {
  if (batch.length === 0) return fills;
  const known = new Map(fills.map((fill) => [fill.seq, fill]));
  for (const fill of batch) known.set(fill.seq, fill);
  return [...known.values()].sort((a, b) => b.time - a.time || b.seq - a.seq);
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
