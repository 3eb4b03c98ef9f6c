import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FillResult, ResultBy, ResultKey } from '../../../electron/contract/results.ts';
import { useConsole } from '../../state/console.tsx';
import { useSums } from '../../state/use-sums.ts';
import { NO_END, type Span } from '../fills/fill-ranges.ts';

const PAGE = 200;

export interface ResultsOf {
  span: Span;
  chainId?: number;
}

/**
 * What the fills of a span came to, by pair, by user and by counterparty as of one moment: whichever is looked at, the net is the same.
 * With `by` the rows of one of these are read alone.
 */
export function useResults({ span, chainId }: ResultsOf, by?: ResultBy) {
  const { connection, queries } = useConsole();
  return useSums({
    queryKey: queries.results.sums.key(),
    span,
    choice: { chainId, by },
    ask: (signal) =>
      connection.client.results.sums({ since: span.since, until: span.until ?? NO_END, chainId, by }, { signal }),
  });
}

/** The moment of which fills are shown, of what was chosen. Unix milliseconds. */
export interface FillsMoment {
  choice: string;
  since: number;
  until: number;
  now: number;
}

/** The moment that is shown next: the newest, but for who has read on in these fills, or reads on: what they read stays. */
export function momentAfter(shown: FillsMoment, newest: FillsMoment, isReadOn: boolean): FillsMoment {
  const { choice, since, until, now } = newest;
  const isSame = shown.since === since && shown.until === until && shown.now === now;
  return shown.choice === choice && (isReadOn || isSame) ? shown : newest;
}

/**
 * The fills behind a row as they were when its sums were made, newest first, as far as the table was scrolled down. From the second page
 * on they stay of the moment `asOf` until `showNewest`. `range` names the span while it goes on with the clock.
 */
export function useResultFills(
  { span: { since, until }, chainId }: ResultsOf,
  { key, by, now, range }: { key: ResultKey | null; by: ResultBy; now: number; range: string },
) {
  const { connection, queries } = useConsole();
  const whose = key === null ? '' : nameOf(key);
  const choice = JSON.stringify([range, chainId, whose]);
  const newest = { choice, since, until: Math.min(until ?? NO_END, now + 1), now };
  const [shown, setShown] = useState(newest);
  const which = {
    since: shown.since,
    until: shown.until,
    now: shown.now,
    ...(chainId !== undefined && { chainId }),
    ...whoseFills(key, by),
  };
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
  const isReadOn = !query.isPlaceholderData && (query.isFetchingNextPage || (query.data?.pages.length ?? 0) > 1);
  const next = momentAfter(shown, newest, isReadOn);
  if (next !== shown) setShown(next);
  return {
    ...query,
    fills: query.data?.pages.flat() ?? [],
    /** Null where they are as they are now. */
    asOf: shown.choice === choice && shown.now !== now ? shown.now : null,
    showNewest: () => setShown(newest),
  };
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
