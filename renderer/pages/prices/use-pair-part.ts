import type { PairRow } from '../../../electron/contract/book.ts';
import { useDesk } from '../../state/console.tsx';
import { rowOf } from './row-of.ts';

/** One figure of a pair's row: whoever asks is drawn anew only when that figure changes, not with every count of the row. */
export function usePairPart<T extends string | number | boolean | null | undefined>(
  chainId: number,
  pair: string,
  part: (row: PairRow) => T,
): T | undefined {
  return useDesk((view) => {
    const row = rowOf(view, { chainId, pair });
    return row === undefined ? undefined : part(row);
  });
}
