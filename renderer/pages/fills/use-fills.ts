import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FillRow } from '../../../electron/contract/quote-log.ts';
import { useConsole } from '../../state/console.tsx';
import { useStream } from '../../state/use-stream.ts';
import type { FillRange } from './fill-ranges.ts';
import { mergeFills } from './merge-fills.ts';

const AT_MOST = 1_000;
/** Sums are read anew this long after a fill at the earliest. Milliseconds. */
const SUM_EVERY = 1_500;

/** The fills of a range, newest first, those that arrive live among them, and the sums per pair. */
export function useFills(range: FillRange) {
  const { connection, queries, desk } = useConsole();
  const cache = useQueryClient();
  const from = useMemo(() => startOf(desk.now(), range), [desk, range]);
  const list = useQuery(queries.fills.list.queryOptions({ input: { since: from, limit: AT_MOST } }));
  const sums = useQuery({
    queryKey: [...queries.fills.volume.key(), from, range.bucketMs],
    queryFn: () =>
      connection.client.fills.volume({
        since: from,
        until: Math.ceil(desk.now()) + range.bucketMs,
        bucketMs: range.bucketMs,
      }),
    placeholderData: (old) => old,
  });
  const [live, setLive] = useState<readonly FillRow[]>([]);
  const summing = useRef<ReturnType<typeof setTimeout> | null>(null);
  const open = useCallback((signal: AbortSignal) => connection.client.fills.watch(undefined, { signal }), [connection]);
  useStream(open, (batch) => {
    setLive((rows) => mergeFills(rows, batch, AT_MOST));
    summing.current ??= setTimeout(() => {
      summing.current = null;
      void cache.invalidateQueries({ queryKey: queries.fills.volume.key() });
    }, SUM_EVERY);
  });
  useEffect(() => () => clearTimeout(summing.current ?? undefined), []);
  const rows = useMemo(
    () => mergeFills(list.data ?? [], live, AT_MOST).filter((fill) => fill.time >= from),
    [list.data, live, from],
  );
  const volume = sums.data ?? [];
  const counts = new Map<string, number>();
  for (const row of volume)
    counts.set(`${row.chainId}:${row.pair}`, (counts.get(`${row.chainId}:${row.pair}`) ?? 0) + row.fills);
  const busiest = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  return { rows, volume, busiest, pending: list.isPending, error: list.error ?? sums.error };
}

/** On a whole bar, so that bars keep their edges while time goes on. */
function startOf(now: number, range: FillRange): number {
  return Math.floor((now - range.ms) / range.bucketMs) * range.bucketMs;
}
