import { useCallback, useEffect, useMemo, useState } from 'react';
import type { LogFilter, QuoteRow } from '../../../electron/contract/quote-log.ts';
import { useClient } from '../../state/console.tsx';
import { mergeRows } from '../../state/merge-rows.ts';
import { useHold } from '../../state/use-hold.ts';
import { useSearch } from '../../state/use-search.ts';
import { useStream } from '../../state/use-stream.ts';
import { matches } from './log-filter.ts';

/** Rows that arrived live; with more the log is read anew, so that none between them and what was read is missing. */
const LIVE_AT_MOST = 10_000;

/** The log newest first: what a search finds, and what arrives live on top of it unless it is held. */
export function useLog(filter: LogFilter, reading: boolean) {
  const client = useClient();
  // The log is read once its tail is listened to, never before: no row falls between the two.
  const [openings, setOpenings] = useState(0);
  const find = useCallback(
    (asked: { before?: number; limit: number }, signal: AbortSignal) =>
      client.log.find({ filter, ...asked }, { signal }),
    [client, filter],
  );
  const search = useSearch<QuoteRow>(find, openings);
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
