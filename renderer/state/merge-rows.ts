import type { QuoteRow } from '../../electron/contract/quote-log.ts';

/**
 * Rows newest first, with a batch of new or changed rows worked in. Rows already there change in place; new ones are
 * put in by their sequence number if `insert` says so.
 */
export function mergeRows(
  rows: readonly QuoteRow[],
  batch: readonly QuoteRow[],
  options: { atMost: number; insert: boolean },
): readonly QuoteRow[] {
  if (batch.length === 0) return rows;
  const changed = new Map(batch.map((row) => [row.seq, row]));
  const merged = rows.map((row) => {
    const next = changed.get(row.seq);
    changed.delete(row.seq);
    return next ?? row;
  });
  if (options.insert && changed.size > 0) {
    merged.push(...changed.values());
    merged.sort((a, b) => b.seq - a.seq);
  }
  return merged.slice(0, options.atMost);
}
