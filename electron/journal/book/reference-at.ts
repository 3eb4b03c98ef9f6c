/** A reference older than this at the moment it is asked for says nothing of that moment. Milliseconds. */
export const REFERENCE_VALID_MS = 5_000;

/** How long after a trade its marks are taken. Milliseconds. */
export const MARK_AFTER_MS = { edge: 0, after10s: 10_000, after1m: 60_000, after5m: 300_000 } as const;
export type MarkName = keyof typeof MARK_AFTER_MS;
export const MARK_NAMES = Object.keys(MARK_AFTER_MS) as MarkName[];

/** SQL for the reference of a row's pair at `time`: the newest sample before it that is still valid, or NULL. */
export function referenceAt(row: { chain: string; pair: string; time: string }): string {
  return `(SELECT r.mid FROM reference_samples r WHERE r.chain_id = ${row.chain} AND r.pair = ${row.pair}
    AND r.time <= ${row.time} AND r.time >= ${row.time} - ${REFERENCE_VALID_MS} ORDER BY r.time DESC LIMIT 1)`;
}
