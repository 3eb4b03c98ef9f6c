import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import type { MarkedFill } from '../../../electron/contract/quote-log.ts';
import { useConsole } from '../../state/console.tsx';

const PAGE = 500;
/** Of one user's fills the others between them are read too: not further than this. */
const MOST_PAGES = 6;
const AGAIN = 5_000;
const NONE: ReadonlyMap<number, HedgedFill> = new Map();

/** What became of the risk of these fills, by row: newest first, as they stand in the table. */
export function useCovers(
  rows: readonly MarkedFill[],
  which: { chainId?: number; pair?: string },
): ReadonlyMap<number, HedgedFill> {
  const { connection } = useConsole();
  const { chainId, pair } = which;
  const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
  const read = useQuery({
    queryKey: ['covers', chainId, pair, first, last],
    enabled: first > 0,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
    queryFn: async () => {
      const covers = new Map<number, HedgedFill>();
      let before = first + 1;
      for (let page = 0; page < MOST_PAGES && before > last; page += 1) {
        const fills = await connection.client.hedge.fills({ chainId, pair, before, limit: PAGE });
        for (const fill of fills) covers.set(fill.seq, fill);
        if (fills.length < PAGE) break;
        before = fills.at(-1)?.seq ?? 0;
      }
      return covers;
    },
  });
  return read.data ?? NONE;
}
