import type { PairRow } from '../../electron/contract/book.ts';
import type { Attention, ChainRow, DeskUpdate, ExposureRow } from '../../electron/contract/desk-view.ts';
import type { Status } from '../../electron/contract/trading.ts';

/** The desk as last heard. `status` is null until the desk has spoken once. `skewMs` is its clock minus ours. */
export interface DeskView {
  status: Status | null;
  actor: string;
  skewMs: number;
  chains: readonly ChainRow[];
  pairs: readonly PairRow[];
  exposure: readonly ExposureRow[];
  attention: readonly Attention[];
  surfaceUrl: string | null;
}

export const UNHEARD: DeskView = {
  status: null,
  actor: '',
  skewMs: 0,
  chains: [],
  pairs: [],
  exposure: [],
  attention: [],
  surfaceUrl: null,
};

export function pairKey(row: { chainId: number; pair: string }): string {
  return `${row.chainId}:${row.pair}`;
}

/**
 * The view after an update. Rows that did not change keep their identity, so that only what changed is drawn anew. The
 * first update of a line (`whole`) replaces the pairs, later ones only bring those that changed.
 */
export function applyUpdate(view: DeskView, update: DeskUpdate, whole: boolean, now: number): DeskView {
  return {
    status: update.status ?? view.status,
    actor: update.actor,
    skewMs: update.time - now,
    chains: update.chains ?? view.chains,
    pairs: whole ? (update.pairs ?? []) : mergePairs(view.pairs, update),
    exposure: update.exposure ?? view.exposure,
    attention: update.attention ?? view.attention,
    surfaceUrl: update.surfaceUrl === undefined ? view.surfaceUrl : update.surfaceUrl,
  };
}

function mergePairs(rows: readonly PairRow[], update: DeskUpdate): readonly PairRow[] {
  if (update.pairs === undefined && update.removedPairs === undefined) return rows;
  const changed = new Map((update.pairs ?? []).map((row) => [pairKey(row), row]));
  const removed = new Set((update.removedPairs ?? []).map(pairKey));
  const merged: PairRow[] = [];
  for (const row of rows) {
    const key = pairKey(row);
    if (!removed.has(key) || changed.has(key)) merged.push(changed.get(key) ?? row);
    changed.delete(key);
  }
  return [...merged, ...changed.values()];
}
