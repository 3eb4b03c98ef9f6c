import { useCallback, useEffect, useRef, useState } from 'react';

const PAGE = 200;

/** How far a search of the journal has come: it looks at rows `first` to `last`, from the last one on, and has come to row `at`. */
interface Progress {
  first: number;
  last: number;
  at: number;
}

/** What was found so far. `progress` counts rows of the journal; `tookMs` is how long the first page took. */
export interface SearchState<Row> {
  rows: readonly Row[];
  more: boolean;
  searching: boolean;
  stopped: boolean;
  progress: Progress | null;
  tookMs: number | null;
  error: unknown;
}

const NOTHING: SearchState<never> = {
  rows: [],
  more: true,
  searching: true,
  stopped: false,
  progress: null,
  tookMs: null,
  error: null,
};

/** Asks the desk for a page: rows as they are found, newest first. It keeps its identity as long as the same is looked for. */
type Find<Row> = (
  asked: { before?: number; limit: number },
  signal: AbortSignal,
) => Promise<AsyncIterable<{ rows: Row[]; progress: Progress; done: boolean; more: boolean }>>;

/** A page that was asked for, and what it was looked for with. */
interface AskedPage<Row> {
  of: Find<Row>;
  stop: AbortController;
  began: number;
  answer: ReturnType<Find<Row>>;
}

function askFor<Row>(find: Find<Row>, before?: number): AskedPage<Row> {
  const stop = new AbortController();
  const answer = find({ limit: PAGE, ...(before === undefined ? {} : { before }) }, stop.signal);
  answer.catch(() => {}); // heard where it is read; a page that is never read needs no word
  return { of: find, stop, began: performance.now(), answer };
}

/**
 * Searches the journal, a page at a time, and shows rows as they are found. `openings` counts how often the line to what is new
 * was opened: before it was, nothing is read, and everything is read anew with each.
 */
export function useSearch<Row>(find: Find<Row>, openings: number) {
  // Asked for as the page is drawn for the first time, so that the desk looks meanwhile.
  const first = useRef<AskedPage<Row> | null | undefined>(undefined);
  if (first.current === undefined) first.current = openings > 0 ? askFor(find) : null;
  const [held, setHeld] = useState<{ of: Find<Row>; state: SearchState<Row> }>({ of: find, state: NOTHING });
  // What was found for another search is not shown as what this one finds, not for one frame.
  const state = held.of === find ? held.state : NOTHING;
  const setState = useCallback(
    (next: SearchState<Row> | ((old: SearchState<Row>) => SearchState<Row>)) =>
      setHeld((old) => {
        const before = old.of === find ? old.state : NOTHING;
        const after = typeof next === 'function' ? next(before) : next;
        return old.of === find && after === before ? old : { of: find, state: after };
      }),
    [find],
  );
  const latest = useRef(state);
  latest.current = state;
  const running = useRef<AbortController | null>(null);

  const read = useCallback(
    async (before: number | undefined) => {
      running.current?.abort();
      const early = first.current ?? null;
      first.current = null;
      const page = early?.of === find ? early : askFor(find, before);
      if (page !== early) early?.stop.abort();
      const { stop, began } = page;
      running.current = stop;
      const set = (next: (old: SearchState<Row>) => SearchState<Row>) => {
        if (running.current === stop) setState(next);
      };
      try {
        for await (const found of await page.answer) {
          set((old) => ({
            rows: found.rows.length === 0 ? old.rows : [...old.rows, ...found.rows],
            more: found.more,
            searching: !found.done,
            stopped: false,
            // Rows written since the first page come by themselves.
            progress: { ...found.progress, last: old.progress?.last ?? found.progress.last },
            tookMs: old.tookMs ?? (found.done ? performance.now() - began : null),
            error: null,
          }));
        }
      } catch (error) {
        if (!stop.signal.aborted) set((old) => ({ ...old, searching: false, error }));
      }
    },
    [find, setState],
  );

  useEffect(() => {
    if (openings === 0) return;
    setState(NOTHING);
    void read(undefined);
    return () => running.current?.abort();
  }, [read, openings, setState]);

  const readMore = useCallback(() => {
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
  return { ...state, readMore, stop, restart };
}
