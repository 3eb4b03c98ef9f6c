import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useQueries } from '../../state/console.tsx';

/** What is set up on this desk; `changed` reads it anew. */
export function useSettings() {
  const queries = useQueries();
  const client = useQueryClient();
  const settings = useQuery(queries.settings.get.queryOptions({ staleTime: 0 }));
  const changed = useCallback(() => client.invalidateQueries({ queryKey: queries.settings.key() }), [client, queries]);
  return { ...settings, changed };
}
