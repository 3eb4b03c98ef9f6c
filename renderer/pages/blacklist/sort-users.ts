import type { TradedRow } from '../../../electron/contract/console/fills.ts';

type Rank = (row: TradedRow) => number;

/** Users without the figure come behind all that have it. */
const last = (mark: TradedRow['edge']) => (typeof mark === 'number' ? mark : Number.POSITIVE_INFINITY);

/** By what users can be ranked, the worst for us first. */
export const SORTS = {
  after10s: { name: 'worst at 10 s', rank: (row) => last(row.after10s) },
  after1m: { name: 'worst at 1 min', rank: (row) => last(row.after1m) },
  after5m: { name: 'worst at 5 min', rank: (row) => last(row.after5m) },
  asked: { name: 'most asked', rank: (row) => -row.asked },
  fills: { name: 'most fills', rank: (row) => -row.fills },
  ratio: { name: 'lowest ratio', rank: (row) => (row.signed === 0 ? 0 : row.filled / row.signed) },
} as const satisfies Record<string, { name: string; rank: Rank }>;

export type SortName = keyof typeof SORTS;

/** The rows in the order of one figure; who is equal in it by how often they asked. */
export function sortUsers(rows: readonly TradedRow[], by: SortName): TradedRow[] {
  const rank: Rank = SORTS[by].rank;
  return [...rows].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? b.asked - a.asked : first < second ? -1 : 1;
  });
}
