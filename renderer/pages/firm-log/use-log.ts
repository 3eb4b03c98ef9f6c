import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LogFilter, QuoteRow } from '../../../electron/contract/quote-log.ts';
import { useClient } from '../../state/console.tsx';
import { mergeRows } from '../../state/merge-rows.ts';
import { useHold } from '../../state/use-hold.ts';
import { useStream } from '../../state/use-stream.ts';
import { matches } from './log-filter.ts';

/** Rows that arrived live; with more the log is read anew, so that none between them and what was read is missing. */
const LIVE_AT_MOST = 10_000;

/** The log newest first: what a search finds, and what arrives live on top of it unless it is held. */
export function useLog(filter: LogFilter, reading: boolean) {
  const client = useClient();
  // The log is read once its tail is listened to, never before: no row falls between the two.
  const [openings, setOpenings] = useState(0);
  const search = useSearch(filter, openings);
  const [live, setLive] = useState<readonly QuoteRow[]>([]);
  const open = useCallback((signal: AbortSignal) => client.log.watch(undefined, { signal }), [client]);
  useStream(open, (batch) => {
    setLive((rows) => (batch.length === 0 ? [] : mergeRows(rows, batch, { atMost: LIVE_AT_MOST, insert: true })));
    if (batch.length === 0) setOpenings((count) => count + 1);
  });

  const { rows: read, progress, restart } = search;
  const full = live.length >= LIVE_AT_MOST && !reading;
  useEffect(() => {
    if (!full) return;
    setLive([]);
    restart();
  }, [full, restart]);
  const all = useMemo(() => {
    if (progress === null) return [];
    // What was looked at ends at the row that was the last when the search began.
    const arrived = live.filter((row) => row.seq > progress.last && matches(row, filter));
    const changed = mergeRows(read, live, { atMost: read.length, insert: false });
    const known = new Set(read.map(({ seq }) => seq));
    return [...arrived.filter(({ seq }) => !known.has(seq)), ...changed];
  }, [read, progress, live, filter]);
  const { held, bound, toggle } = useHold(all[0]?.seq ?? -1, reading);
  const rows = useMemo(
    () => (bound === Number.POSITIVE_INFINITY ? all : all.filter(({ seq }) => seq <= bound)),
    [all, bound],
  );
  return { ...search, rows, held, toggle, waiting: all.length - rows.length };
}

const PAGE = 200;

/** What was found so far. `progress` counts rows of the journal; `tookMs` is how long the first page took. */
export interface SearchState {
  rows: readonly QuoteRow[];
  more: boolean;
  searching: boolean;
  stopped: boolean;
  progress: { first: number; last: number; at: number } | null;
  tookMs: number | null;
  error: unknown;
}

const NOTHING: SearchState = {
  rows: [],
  more: true,
  searching: true,
  stopped: false,
  progress: null,
  tookMs: null,
  error: null,
};

/**
 * Searches the log for a filter, a page at a time, and shows rows as they are found. `openings` counts how often the tail
 * was opened: before it was, nothing is read, and everything is read anew with each.
 */
function useSearch(filter: LogFilter, openings: number) {
  const client = useClient();
  const [held, setHeld] = useState({ of: filter, state: NOTHING });
  // What was found for another filter is not shown as what this one finds, not for one frame.
  const state = held.of === filter ? held.state : NOTHING;
  const setState = useCallback(
    (next: SearchState | ((old: SearchState) => SearchState)) =>
      setHeld((old) => {
        const before = old.of === filter ? old.state : NOTHING;
        return { of: filter, state: typeof next === 'function' ? next(before) : next };
      }),
    [filter],
  );
  const latest = useRef(state);
  latest.current = state;
  const running = useRef<AbortController | null>(null);

  const read = useCallback(
    async (before: number | undefined) => {
      running.current?.abort();
      const stop = new AbortController();
      running.current = stop;
      const began = performance.now();
      const set = (next: (old: SearchState) => SearchState) => {
        if (running.current === stop) setState(next);
      };
      try {
        const input = { filter, limit: PAGE, ...(before === undefined ? {} : { before }) };
        for await (const found of await client.log.find(input, { signal: stop.signal })) {
          set((old) => ({
            rows: found.rows.length === 0 ? old.rows : [...old.rows, ...found.rows],
            more: found.more,
            searching: !found.done,
            stopped: false,
            // Rows written since the first page come over the live tail.
            progress: { ...found.progress, last: old.progress?.last ?? found.progress.last },
            tookMs: old.tookMs ?? (found.done ? performance.now() - began : null),
            error: null,
          }));
        }
      } catch (error) {
        if (!stop.signal.aborted) set((old) => ({ ...old, searching: false, error }));
      }
    },
    [client, filter, setState],
  );

  useEffect(() => {
    if (openings === 0) return;
    setState(NOTHING);
    void read(undefined);
    return () => running.current?.abort();
  }, [read, openings, setState]);

  const more = useCallback(() => {
    const now = latest.current;
    if (now.searching || !now.more || now.error !== null || now.progress === null) return;
    setState((old) => ({ ...old, searching: true, stopped: false }));
    void read(now.progress.at);
  }, [read, setState]);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState((old) => ({ ...old, searching: false, stopped: true }));
  }, [setState]);
  const restart = useCallback(() => {
    setState(NOTHING);
    void read(undefined);
  }, [read, setState]);
  return { ...state, readMore: more, stop, restart };
}
