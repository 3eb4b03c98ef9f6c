import type { MarkedFill } from '../../../electron/contract/quote-log.ts';

/** Fills newest first, with new ones and changed ones worked in. */
export function mergeFills(fills: readonly MarkedFill[], batch: readonly MarkedFill[]): readonly MarkedFill[] {
  if (batch.length === 0) return fills;
  const known = new Map(fills.map((fill) => [fill.seq, fill]));
  for (const fill of batch) known.set(fill.seq, fill);
  return [...known.values()].sort((a, b) => b.time - a.time || b.seq - a.seq);
}
