import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FillResult, ResultBy, ResultKey, Results } from '../../../electron/contract/results.ts';
import { useConsole } from '../../state/console.tsx';
import { readEarlier } from '../../state/read-earlier.ts';
import { NO_END, type Span } from '../fills/fill-ranges.ts';
import { restAfter } from '../fills/rest.ts';

const PAGE = 200;

export interface ResultsOf {
  span: Span;
  chainId?: number;
}

/** What the fills of a span came to by pair, user or counterparty, with how far the desk has come, in thousandths. */
export function useResults({ span: { since, until }, chainId }: ResultsOf, by: ResultBy) {
  const { connection, queries } = useConsole();
  const cache = useQueryClient();
  const isSame = (key: QueryKey | undefined) => key !== undefined && key.at(-1) === by && key.at(-2) === chainId;
  const [thousandths, setThousandths] = useState(0);
  const query = useQuery({
    queryKey: [...queries.results.sums.key(), since, until, chainId, by],
    queryFn: async ({ signal }): Promise<Results & { tookMs: number }> => {
      const began = performance.now();
      const asked = { since, until: until ?? NO_END, chainId, by };
      for await (const step of await connection.client.results.sums(asked, { signal })) {
        setThousandths(step.thousandths);
        if (step.result !== null) return { ...step.result, tookMs: performance.now() - began };
      }
      throw new Error('The sums ended early.');
    },
    placeholderData: (old, before) =>
      isSame(before?.queryKey)
        ? old
        : readEarlier<Results & { tookMs: number }>(cache, queries.results.sums.key(), isSame),
    refetchInterval: ({ state: { data } }) => restAfter(data),
  });
  return {
    results: query.data,
    read: query,
    /** Figures of another span are on the screen until those of this one are there. */
    waiting: query.isPending || query.isPlaceholderData,
    thousandths,
  };
}

/** The fills behind a row as they were when its sums were made, newest first, as far as the table was scrolled down. */
export function useResultFills(
  { span: { since, until }, chainId }: ResultsOf,
  { key, by, now }: { key: ResultKey | null; by: ResultBy; now: number },
) {
  const { connection, queries } = useConsole();
  const which = {
    since,
    until: Math.min(until ?? NO_END, now + 1),
    now,
    ...(chainId !== undefined && { chainId }),
    ...whoseFills(key, by),
  };
  const whose = key === null ? '' : nameOf(key);
  const query = useInfiniteQuery({
    queryKey: [...queries.results.fills.key(), which, chainId, whose],
    enabled: key !== null,
    initialPageParam: undefined as { time: number; seq: number } | undefined,
    queryFn: ({ pageParam, signal }) =>
      connection.client.results.fills({ ...which, before: pageParam, limit: PAGE }, { signal }),
    getNextPageParam: (page: FillResult[]) => {
      const last = page.at(-1);
      return page.length < PAGE || last === undefined ? undefined : { time: last.time, seq: last.seq };
    },
    // Fills of another span may stay until those of this one are there; those of another row or chain never.
    placeholderData: (old, before) =>
      before?.queryKey.at(-1) === whose && before.queryKey.at(-2) === chainId ? old : undefined,
  });
  return { ...query, fills: query.data?.pages.flat() ?? [] };
}

/** The filter of a row's fills. */
export function whoseFills(
  key: ResultKey | null,
  by: ResultBy,
): { chainId?: number; pair?: string; user?: `0x${string}`; counterparty?: string | null } {
  if (key === null) return {};
  if (by === 'pair') return { chainId: key.chainId ?? undefined, pair: key.pair ?? undefined };
  return by === 'user' ? { user: key.user ?? undefined } : { counterparty: key.counterparty };
}

/** Names a row among the others. */
export function nameOf({ chainId, pair, user, counterparty }: ResultKey): string {
  return user ?? (pair === null ? `counterparty ${counterparty}` : `${chainId}:${pair}`);
}
