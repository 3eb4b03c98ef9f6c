import type { PairRow } from '../../../electron/contract/book.ts';
import { type DeskView, pairKey } from '../../state/live-desk.ts';

const indexes = new WeakMap<DeskView['pairs'], ReadonlyMap<string, PairRow>>();

/** A pair's row. All who ask in one view share one index: with 500 pairs each of them would go through the list. */
export function rowOf(view: DeskView, pair: { chainId: number; pair: string }): PairRow | undefined {
  let index = indexes.get(view.pairs);
  if (index === undefined) {
    index = new Map(view.pairs.map((row) => [pairKey(row), row]));
    indexes.set(view.pairs, index);
  }
  return index.get(pairKey(pair));
}
