import type { TradedRow } from '../../../electron/contract/console/fills.ts';
import { MARKOUT_NAMES, MARKS } from '../../../electron/contract/quote-log.ts';

type Sort = { name: string; rank: (row: TradedRow) => number };

/** Users without the figure come behind all that have it. */
const last = (mark: TradedRow['edge']) => (typeof mark === 'number' ? mark : Number.POSITIVE_INFINITY);

const COUNTS = {
  asked: { name: 'most asked', rank: (row) => -row.asked },
  fills: { name: 'most fills', rank: (row) => -row.fills },
  ratio: { name: 'lowest ratio', rank: (row) => (row.signed === 0 ? 0 : row.filled / row.signed) },
} as const satisfies Record<string, Sort>;

export type SortName = (typeof MARKOUT_NAMES)[number] | keyof typeof COUNTS;

/** By what users can be ranked, the worst for us first. */
export const SORTS: readonly ({ value: SortName } & Sort)[] = [
  ...MARKOUT_NAMES.map((value) => ({
    value,
    name: `worst at ${MARKS[value].text}`,
    rank: (row: TradedRow) => last(row[value]),
  })),
  ...Object.entries(COUNTS).map(([value, sort]) => ({ value: value as keyof typeof COUNTS, ...sort })),
];

/** The rows in the order of one figure; who is equal in it by how often they asked. */
export function sortUsers(rows: readonly TradedRow[], by: SortName): TradedRow[] {
  const rank = SORTS.find(({ value }) => value === by)?.rank ?? COUNTS.asked.rank;
  return [...rows].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? b.asked - a.asked : first < second ? -1 : 1;
  });
}
