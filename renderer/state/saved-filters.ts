import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { type KeptChoice, keptChoice } from './kept-choice.ts';

/** More than this nobody chooses from. */
const MOST_FILTERS = 50;

const savedSchema = z.object({
  /** Unlike that of any other of the page. */
  name: z.string().trim().min(1).max(60),
  /** The filter as the part of an address behind `?`. */
  query: z.string().min(1).max(4_000),
});
export type SavedFilter = z.infer<typeof savedSchema>;

/** Reads what was kept; one that cannot be read is left out alone. */
export function readSavedFilters(kept: string | null): readonly SavedFilter[] {
  try {
    const read: unknown = JSON.parse(kept ?? '[]');
    if (!Array.isArray(read)) return [];
    return read.flatMap((one) => savedSchema.safeParse(one).data ?? []).slice(0, MOST_FILTERS);
  } catch {
    return [];
  }
}

/** With this filter under this name: in the place of the one of that name, else behind the others. A refusal in words. */
export function withFilter(
  filters: readonly SavedFilter[],
  saved: SavedFilter,
): { filters: readonly SavedFilter[] } | { fault: string } {
  const read = savedSchema.safeParse(saved);
  if (!read.success) return { fault: 'Give it a name of 1 to 60 characters.' };
  const { name } = read.data;
  if (filters.some((one) => one.name === name)) {
    return { filters: filters.map((one) => (one.name === name ? read.data : one)) };
  }
  if (filters.length >= MOST_FILTERS) return { fault: `${MOST_FILTERS} are saved: delete one first.` };
  return { filters: [...filters, read.data] };
}

/** With another name for one of them, in its place. A refusal in words. */
export function renamedFilter(
  filters: readonly SavedFilter[],
  from: string,
  to: string,
): { filters: readonly SavedFilter[] } | { fault: string } {
  const name = to.trim();
  if (name !== from && filters.some((one) => one.name === name)) return { fault: `“${name}” is another one’s name.` };
  if (!savedSchema.shape.name.safeParse(name).success) return { fault: 'Give it a name of 1 to 60 characters.' };
  return { filters: filters.map((one) => (one.name === from ? { ...one, name } : one)) };
}

const PAGES = ['firm-log', 'fills', 'journal'] as const;
export type FilteredPage = (typeof PAGES)[number];

/** Kept as text, as the lists are compared by it. */
const KEPT: Readonly<Record<FilteredPage, KeptChoice<string>>> = {
  'firm-log': keptChoice('makerdesk.filters.firm-log', (kept) => kept ?? '[]'),
  fills: keptChoice('makerdesk.filters.fills', (kept) => kept ?? '[]'),
  journal: keptChoice('makerdesk.filters.journal', (kept) => kept ?? '[]'),
};

/** What was saved in this browser, and what other windows save. */
export function followSavedFilters(page: Window): void {
  for (const name of PAGES) KEPT[name].follow(page);
}

export function useSavedFilters(page: FilteredPage): {
  filters: readonly SavedFilter[];
  set: (filters: readonly SavedFilter[]) => void;
} {
  const kept = KEPT[page];
  const text = useSyncExternalStore(kept.subscribe, kept.now);
  return { filters: readSavedFilters(text), set: (filters) => kept.set(JSON.stringify(filters)) };
}
