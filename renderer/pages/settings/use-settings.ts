import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ConsoleClient } from '../../state/connection.ts';
import { useQueries } from '../../state/console.tsx';

/** How often it is read anew when earlier keys of somebody were last used, while any are taken. Milliseconds. */
const AGAIN_MS = 5_000;

/** What is set up on this desk; `changed` reads it anew. */
export function useSettings() {
  const queries = useQueries();
  const client = useQueryClient();
  const settings = useQuery(
    queries.settings.get.queryOptions({
      staleTime: 0,
      refetchInterval: ({ state }) => ((state.data?.earlierKeys.length ?? 0) > 0 ? AGAIN_MS : false),
    }),
  );
  const changed = useCallback(() => client.invalidateQueries({ queryKey: queries.settings.key() }), [client, queries]);
  return { ...settings, changed };
}

export type Settings = Awaited<ReturnType<ConsoleClient['settings']['get']>>;

/** What every section of the desk's own settings gets. */
export interface SectionProps {
  settings: Settings;
  /** Something was saved: the settings are read anew. */
  onChanged: () => void;
}
