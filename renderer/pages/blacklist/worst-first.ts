import type { TradedRow } from '../../../electron/contract/console/fills.ts';

/** Who cost us most a minute after their fills comes first; then those without that figure, by how often they asked. */
export function worstFirst(rows: readonly TradedRow[]): TradedRow[] {
  const rank = ({ after1m }: TradedRow) => (typeof after1m === 'number' ? after1m : Number.POSITIVE_INFINITY);
  return [...rows].sort((a, b) => (rank(a) === rank(b) ? b.asked - a.asked : rank(a) < rank(b) ? -1 : 1));
}
