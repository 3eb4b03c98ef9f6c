import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * What an earlier visit of a page read last of the same, as a placeholder: it stands there until what is asked for now is there.
 * `queryKey` is how the keys of such questions begin. Undefined where nothing of it is kept any more.
 */
export function readEarlier<T>(
  cache: QueryClient,
  queryKey: QueryKey,
  isSame: (key: QueryKey) => boolean,
): T | undefined {
  const [newest] = cache
    .getQueryCache()
    .findAll({ queryKey, predicate: ({ state, queryKey: key }) => state.data !== undefined && isSame(key) })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  return newest?.state.data as T | undefined;
}
