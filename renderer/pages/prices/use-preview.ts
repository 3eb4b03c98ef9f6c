import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LadderPreview } from '../../../electron/contract/ladder-preview.ts';
import { useQueries } from '../../state/console.tsx';

/** Balances and the reference move although nobody types. Milliseconds. */
const EVERY_MS = 2_000;
/** How long a hand rests before the effect is worked out. Milliseconds. */
const REST_MS = 60;

/** What publishing the draft would do; follows the draft, what is live, and what the desk holds. */
export function usePreview(
  chainId: number,
  pair: string,
  version: number | undefined,
  revision: number | undefined,
): { preview: LadderPreview | undefined; failed: boolean } {
  const queries = useQueries();
  const query = useQuery(
    queries.ladders.preview.queryOptions({
      input: { chainId, pair },
      refetchInterval: EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const { data, refetch } = query;
  const behind = data !== undefined && (data.version !== version || data.revision !== revision);
  useEffect(() => {
    if (!behind || version === undefined) return;
    const resting = setTimeout(() => void refetch(), REST_MS);
    return () => clearTimeout(resting);
  }, [behind, version, refetch]);
  return { preview: data, failed: query.isError };
}
