import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Scope, StandingStop } from '../../electron/contract/trading.ts';
import { useDesk, useQueries } from './console.tsx';

/** Whoever is about to resume sees a stop of somebody else at once, or after at most this long; the desk refuses it in any case. */
const AGAIN_MS = 2_000;

export interface StopsSeen {
  /** The stops in force of the scope and around it; undefined while they are not known. */
  now: readonly StandingStop[] | undefined;
  /** Those on which the resume is decided; undefined while they are not known, and always at a desk that does not tell them. */
  seen: StandingStop[] | undefined;
  /** Whether it can be decided: they are known, or the desk is one of before that cannot tell them. */
  canDecide: boolean;
  /** Whether one came after the deciding began, or got other words: it has to be taken as read first. */
  overtaken: boolean;
  takeAsRead: () => void;
  /** Why they are not known; null also where the desk cannot tell them. */
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
      refetchInterval: ({ state }) => (isOfBefore(state.error) ? false : AGAIN_MS),
    }),
  );
  // The desk tells of a stop, and of words that it gets, before it is asked again.
  const told = useDesk((view) => `${view.status?.since} ${view.status?.actor} ${view.status?.reason}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read anew for each word of the desk
  useEffect(() => void refetch(), [told, refetch]);
  const [seen, setSeen] = useState(data);
  if (data !== seen && data !== undefined && (seen === undefined || !isDeciding)) setSeen(data);
  const known = new Set(seen?.map((stop) => JSON.stringify(stop)));
  // While it is asked again, why it failed before stands on.
  const [failed, setFailed] = useState<unknown>(null);
  const why = data === undefined ? (error ?? failed) : error;
  if (why !== failed) setFailed(why);
  const cannotTell = isOfBefore(why);
  return {
    now: data,
    seen,
    canDecide: seen !== undefined || cannotTell,
    overtaken: seen !== undefined && (data ?? []).some((stop) => !known.has(JSON.stringify(stop))),
    takeAsRead: () => setSeen(data),
    error: cannotTell ? null : why,
    refetch,
  };
}

/** A desk of before has no such question. It compares a resume with nothing that was seen either. */
function isOfBefore(error: unknown): boolean {
  return error instanceof ORPCError && error.code === 'NOT_FOUND';
}
