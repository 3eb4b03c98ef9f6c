import { useCallback, useEffect, useRef, useState } from 'react';
import { type FilteredPage, readSavedFilters, type SavedFilter } from '../../electron/contract/saved-filters.ts';
import { useClient } from './console.tsx';
import { useStream } from './use-stream.ts';

/** Before, filters were saved in the browser: where, page by page. */
const placeOf = (page: FilteredPage) => `makerdesk.filters.${page}`;

/** What was saved in this browser and is not saved on the desk; under a name that means another filter there it gets one of its own. */
export function toCarryOver(kept: string | null, told: readonly SavedFilter[]): SavedFilter[] {
  let read: unknown = [];
  try {
    read = JSON.parse(kept ?? '[]');
  } catch {
    return [];
  }
  return readSavedFilters(read).flatMap((filter) => {
    const same = told.find(({ name }) => name === filter.name);
    if (same === undefined) return [filter];
    return same.query === filter.query ? [] : [{ ...filter, name: `${filter.name.slice(0, 44)} (earlier)` }];
  });
}

/** What this person saved on this desk, wherever they sit at it; null before the desk has told it. */
export function useSavedFilters(page: FilteredPage): readonly SavedFilter[] | null {
  const client = useClient();
  const [filters, setFilters] = useState<readonly SavedFilter[] | null>(null);
  const open = useCallback((signal: AbortSignal) => client.savedFilters.watch({ page }, { signal }), [client, page]);
  useStream(open, setFilters);
  const carried = useRef(false);
  useEffect(() => {
    const kept = localStorage.getItem(placeOf(page));
    if (filters === null || kept === null || carried.current) return;
    carried.current = true;
    const carry = async () => {
      for (const filter of toCarryOver(kept, filters)) await client.savedFilters.save({ page, filter });
      localStorage.removeItem(placeOf(page));
    };
    // What the desk does not take stays in the browser for the next time.
    carry().catch(() => {});
  }, [client, page, filters]);
  return filters;
}
