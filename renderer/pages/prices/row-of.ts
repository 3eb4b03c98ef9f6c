import type { PairRow } from '../../../electron/contract/book.ts';
import { type DeskView, findPair } from '../../state/live-desk.ts';

/** A pair's row in a view. */
export function rowOf(view: DeskView, { chainId, pair }: { chainId: number; pair: string }): PairRow | undefined {
  return findPair(view.pairs, chainId, pair);
}
