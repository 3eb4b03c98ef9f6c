import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { HedgeRow } from '../../../electron/contract/hedge.ts';
import { fromRaw, plainText, readDecimal, sum } from '../../components/figures/decimal-text.ts';
import { useQueries } from '../../state/console.tsx';

/** What the fills of a hedge came to, in dollars after gas, once all of them are hedged; else null. */
export function useNetResults(chainId: number, rows: readonly HedgeRow[]): (row: HedgeRow) => string | null {
  const isAny = rows.some(({ fillSeqs }) => fillSeqs.length > 0);
  const { data } = useQuery(
    useQueries().hedge.fills.queryOptions({
      input: { chainId, cover: ['hedged'], limit: 500 },
      enabled: isAny,
      refetchInterval: 10_000,
    }),
  );
  const results = useMemo(() => new Map((data ?? []).map(({ seq, resultUsd }) => [seq, resultUsd])), [data]);
  return useCallback(
    ({ fillSeqs }) => {
      let all = fromRaw('0', 0);
      for (const seq of fillSeqs) {
        const result = readDecimal(results.get(seq) ?? '');
        if (result === null) return null;
        all = sum(all, result);
      }
      return fillSeqs.length === 0 ? null : plainText(all);
    },
    [results],
  );
}
