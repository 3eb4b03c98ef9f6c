import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { LogFilter, QuoteRow } from '../../../electron/contract/quote-log.ts';
import { useClient, useQueries } from '../../state/console.tsx';
import { mergeRows } from '../../state/merge-rows.ts';
import { useHold } from '../../state/use-hold.ts';
import { useStream } from '../../state/use-stream.ts';
import { matches } from './log-filter.ts';

const PAGE = 200;
const LIVE_AT_MOST = 5_000;

/** The log newest first: pages by sequence number, and what arrives live on top of them unless it is held. */
export function useLog(filter: LogFilter, reading: boolean) {
  const client = useClient();
  const queries = useQueries();
  const pages = useInfiniteQuery(
    queries.log.page.infiniteOptions({
      input: (before: number | undefined) => ({ filter, limit: PAGE, ...(before === undefined ? {} : { before }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => (last.more ? last.rows.at(-1)?.seq : undefined),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  );
  const [live, setLive] = useState<readonly QuoteRow[]>([]);
  const open = useCallback((signal: AbortSignal) => client.log.watch(undefined, { signal }), [client]);
  useStream(open, (batch) => setLive((rows) => mergeRows(rows, batch, { atMost: LIVE_AT_MOST, insert: true })));

  const read = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data]);
  const all = useMemo(() => {
    const newest = read[0]?.seq ?? -1;
    const arrived = live.filter((row) => row.seq > newest && matches(row, filter));
    const changed = mergeRows(read, live, { atMost: read.length, insert: false });
    return pages.isSuccess ? [...arrived, ...changed] : [];
  }, [read, live, filter, pages.isSuccess]);
  const { held, bound, toggle } = useHold(all[0]?.seq ?? -1, reading);
  const rows = useMemo(
    () => (bound === Number.POSITIVE_INFINITY ? all : all.filter(({ seq }) => seq <= bound)),
    [all, bound],
  );

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const waiting = all.length - rows.length;
  return { rows, held, toggle, waiting, more, pending: pages.isPending, whole: !hasNextPage, error: pages.error };
}
