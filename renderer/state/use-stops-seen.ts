import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Scope, StandingStop } from '../../electron/contract/trading.ts';
import { useDesk, useQueries } from './console.tsx';

/** Whoever is about to resume sees a stop of somebody else at once, or after at most this long; the desk refuses it in any case. */
const AGAIN_MS = 2_000;

export interface StopsSeen {
  /** The stops in force of the scope and around it; undefined while they are not known. */
  now: readonly StandingStop[] | undefined;
  /** Those on which the resume is decided. */
  seen: StandingStop[] | undefined;
  /** Whether one came after the deciding began, or got other words: it has to be taken as read first. */
  overtaken: boolean;
  takeAsRead: () => void;
  error: unknown;
  refetch: () => unknown;
}

/**
 * What a resume is decided on: the stops that are shown until somebody begins to say why it is safe. One that comes after that is not
 * resumed with the same words unless it was read, too.
 */
export function useStopsSeen(scope: Scope, isDeciding: boolean): StopsSeen {
  const { data, error, refetch } = useQuery(
    useQueries().trading.stopsAround.queryOptions({
      input: { scope },
      staleTime: 0,
      gcTime: 0,
      refetchInterval: AGAIN_MS,
    }),
  );
  // The desk tells of a stop, and of words that it gets, before it is asked again.
  const told = useDesk((view) => `${view.status?.since} ${view.status?.actor} ${view.status?.reason}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read anew for each word of the desk
  useEffect(() => void refetch(), [told, refetch]);
  const [seen, setSeen] = useState(data);
  if (data !== seen && data !== undefined && (seen === undefined || !isDeciding)) setSeen(data);
  const known = new Set(seen?.map((stop) => JSON.stringify(stop)));
  return {
    now: data,
    seen,
    overtaken: seen !== undefined && (data ?? []).some((stop) => !known.has(JSON.stringify(stop))),
    takeAsRead: () => setSeen(data),
    error,
    refetch,
  };
}
