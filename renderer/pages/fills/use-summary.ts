import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Traded, TradedRow } from '../../../electron/contract/console/fills.ts';
import { useConnected, useConsole } from '../../state/console.tsx';
import { readEarlier } from '../../state/read-earlier.ts';
import { NO_END, type Span } from './fill-ranges.ts';
import { restAfter } from './rest.ts';

export interface SummaryOf {
  span: Span;
  by: 'pair' | 'user';
  chainId?: number;
  pair?: string;
  user?: `0x${string}`;
  /** Null: of requests that named none. */
  counterparty?: string | null;
}

interface Summary {
  rows: readonly TradedRow[];
  all: Traded;
  tookMs: number;
}

/** Sums by pair or by user, with how far they have come while the desk works them out, in thousandths. */
export function useSummary({ span: { since, until }, ...which }: SummaryOf) {
  const { connection, queries } = useConsole();
  const cache = useQueryClient();
  const connected = useConnected();
  const readBefore = () =>
    readEarlier<Summary>(cache, queries.fills.summary.key(), (key) => isSameChoice(key.at(-1), which));
  const [thousandths, setThousandths] = useState(0);
  const query = useQuery({
    queryKey: [...queries.fills.summary.key(), since, until, which],
    queryFn: async ({ signal }): Promise<Summary> => {
      const began = performance.now();
      const steps = await connection.client.fills.summary({ ...which, since, until: until ?? NO_END }, { signal });
      for await (const { thousandths: done, result } of steps) {
        setThousandths(done);
        if (result !== null) return { ...result, tookMs: performance.now() - began };
      }
      throw new Error('The sums ended early.');
    },
    // Sums of another span may stay until those of this one are there; of another choice never.
    placeholderData: (old, before) => (isSameChoice(before?.queryKey.at(-1), which) ? old : readBefore()),
    refetchInterval: ({ state: { data } }) => restAfter(data),
  });
  // A question that failed has no placeholder any more; the last known sums stay all the same while the desk is not heard.
  const lastKnown = query.data === undefined && query.isError && !connected ? readBefore() : undefined;
  return {
    summary: query.data ?? lastKnown,
    /** They are of a time that was shown before, for those of this one cannot be read. */
    isLastKnown: lastKnown !== undefined,
    error: query.error,
    read: query,
    /** Figures of another span are on the screen until those of this one are there. */
    waiting: query.isPending || query.isPlaceholderData,
    thousandths,
  };
}

function isSameChoice(before: unknown, now: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
