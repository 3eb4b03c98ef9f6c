import { z } from 'zod';

/** Pages whose filters are saved. */
const FILTERED_PAGES = ['firm-log', 'fills', 'journal'] as const;
export const filteredPageSchema = z.enum(FILTERED_PAGES);
export type FilteredPage = z.infer<typeof filteredPageSchema>;

/** More than this nobody chooses from. */
const MOST_FILTERS = 50;

export const filterNameSchema = z.string().trim().min(1).max(60);
export const savedFilterSchema = z.object({
  /** Unlike that of any other of the page. */
  name: filterNameSchema,
  /** The filter as the part of an address behind `?`. */
  query: z.string().min(1).max(4_000),
});
export type SavedFilter = z.infer<typeof savedFilterSchema>;

/** Reads what was kept; one that cannot be read is left out alone. */
export function readSavedFilters(kept: unknown): readonly SavedFilter[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => savedFilterSchema.safeParse(one).data ?? []).slice(0, MOST_FILTERS);
}

/** With this filter under this name: in the place of the one of that name, else behind the others. A refusal in words. */
export function withFilter(
  filters: readonly SavedFilter[],
  saved: SavedFilter,
): { filters: readonly SavedFilter[] } | { fault: string } {
  const read = savedFilterSchema.safeParse(saved);
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
  if (!filterNameSchema.safeParse(name).success) return { fault: 'Give it a name of 1 to 60 characters.' };
  return { filters: filters.map((one) => (one.name === from ? { ...one, name } : one)) };
}
