import { useState } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useHold } from '../../state/use-hold.ts';

/** A fill as its list shows it; one that is gone from the list keeps its place while the rows hold still. */
export type ShownFill = HedgedFill & { isGone?: true };

/**
 * The fills of a list, still while somebody reads them or has chosen some (`reading`): a press on a row chooses what is hedged, and none
 * may slide under the hand. `of` names the list: another one begins anew. `held`: by Space. `waiting` counts those
 * that come once it is let go.
 */
export function useStillFills(
  of: string,
  fills: readonly HedgedFill[],
  reading: boolean,
): { rows: readonly ShownFill[]; waiting: number; held: boolean } {
  const { held, bound, toggle } = useHold(
    fills.reduce((most, { seq }) => Math.max(most, seq), -1),
    reading,
  );
  useShortcuts({ hold: toggle });
  const [kept, keep] = useState<{ of: string; rows: readonly ShownFill[] }>({ of, rows: fills });
  const isHeld = Number.isFinite(bound) && kept.of === of && kept.rows.length > 0;
  const rows = isHeld ? stillFills(kept.rows, fills) : fills;
  if (kept.of !== of || rows.length !== kept.rows.length || rows.some((fill, at) => fill !== kept.rows[at])) {
    keep({ of, rows });
  }
  const there = new Set(rows.map(({ seq }) => seq));
  return { rows, waiting: fills.filter(({ seq }) => !there.has(seq)).length, held };
}

/** The rows that were shown, in their order and as they are now; what came meanwhile is left out, and what went can no more be chosen. */
export function stillFills(before: readonly ShownFill[], now: readonly HedgedFill[]): readonly ShownFill[] {
  const known = new Map(now.map((fill) => [fill.seq, fill]));
  return before.map((fill) => known.get(fill.seq) ?? (fill.isGone ? fill : { ...fill, isGone: true }));
}
