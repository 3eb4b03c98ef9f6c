import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useDesk, useQueries } from '../../state/console.tsx';
import { rowOf } from './row-of.ts';

/** What is live of a pair, and its last revisions; read anew whenever the live view tells of another revision. */
export function usePublished(chainId: number, pair: string) {
  const queries = useQueries();
  const cache = useQueryClient();
  const revision = useDesk((view) => rowOf(view, { chainId, pair })?.revision ?? null);
  // Never from an earlier visit: for a moment an old ladder would stand there as the live one.
  const published = useQuery(queries.ladders.published.queryOptions({ input: { chainId, pair }, gcTime: 0 }));
  const revisions = useQuery(queries.ladders.revisions.queryOptions({ input: { chainId, pair, limit: 20 } }));
  const known = published.data?.revision;
  useEffect(() => {
    if (revision === null || known === undefined || revision === known) return;
    void cache.invalidateQueries({ queryKey: queries.ladders.key() });
  }, [cache, queries, revision, known]);
  return { published, revisions };
}
