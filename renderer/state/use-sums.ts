import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConnected } from './console.tsx';
import { readEarlier } from './read-earlier.ts';
import { restAfter, type Timed } from './rest.ts';

/** What the desk says while it works sums out: how far it is, and at the end the sums. */
type Steps<T> = AsyncIterable<{ thousandths: number; result: T | null }>;

/** Which sums: those of another span are the same ones of another time, those of another choice are not. */
interface SumsOf<T> {
  queryKey: QueryKey;
  span: { since: number; until: number | null };
  choice: unknown;
  ask: (signal: AbortSignal) => Promise<Steps<T>>;
}

/** Sums of a span of time, with how far they have come while the desk works them out, in thousandths. */
export function useSums<T>({ queryKey, span: { since, until }, choice, ask }: SumsOf<T>) {
  const cache = useQueryClient();
  const connected = useConnected();
  const isSame = (key: QueryKey | undefined) => JSON.stringify(key?.at(-1)) === JSON.stringify(choice);
  const readBefore = () => readEarlier<Timed<T>>(cache, queryKey, isSame);
  const [thousandths, setThousandths] = useState(0);
  const read = useQuery({
    queryKey: [...queryKey, since, until, choice],
    queryFn: async ({ signal }): Promise<Timed<T>> => {
      const began = performance.now();
      for await (const step of await ask(signal)) {
        setThousandths(step.thousandths);
        if (step.result !== null) return { value: step.result, tookMs: performance.now() - began };
      }
      throw new Error('The sums ended early.');
    },
    // Sums of another span may stay until those of this one are there; of another choice never.
    placeholderData: (old, before) => (isSame(before?.queryKey) ? old : readBefore()),
    refetchInterval: ({ state }) => restAfter(state),
  });
  // A question that failed has no placeholder any more; the last known sums stay all the same while the desk is not heard.
  const lastKnown = read.data === undefined && read.isError && !connected ? readBefore() : undefined;
  return {
    shown: (read.data ?? lastKnown)?.value,
    /** They are of a time that was shown before, for those of this one cannot be read. */
    isLastKnown: lastKnown !== undefined,
    read,
    /** Figures of another span are on the screen until those of this one are there. */
    waiting: read.isPending || read.isPlaceholderData,
    thousandths,
  };
}
