import { useInfiniteQuery } from '@tanstack/react-query';
import type {
  WhatIfAsked,
  WhatIfEnd,
  WhatIfPair,
  WhatIfPart,
  WhatIfQuote,
  WhatIfQuotesAsked,
} from '../../../electron/contract/what-if.ts';
import { useClient, useConsole } from '../../state/console.tsx';
import { useParts } from '../../state/use-parts.ts';

const PAGE = 100;

/** What a stretch would have been, and what was asked for it. */
export interface WhatIfResult {
  readonly asked: WhatIfAsked;
  readonly pairs: readonly WhatIfPair[];
  readonly end: WhatIfEnd;
}

/** Has the desk price a stretch again; null asks for nothing, and stops what runs. */
export function useWhatIf(asked: WhatIfAsked | null) {
  const client = useClient();
  const ask = (key: string, signal: AbortSignal) => client.whatIf.run(JSON.parse(key), { signal });
  return useParts<WhatIfPart, WhatIfResult>(asked === null ? null : JSON.stringify(asked), ask, (parts, key) => {
    const end = parts.find((one) => one.part === 'end');
    if (end === undefined) return null;
    return { asked: JSON.parse(key), end, pairs: parts.flatMap((one) => (one.part === 'pairs' ? one.pairs : [])) };
  });
}

/** A figure of a result that was pressed. */
export type Figure = Pick<WhatIfQuotesAsked, 'group' | 'pair'>;

/** The requests behind a figure, oldest first, as far as they were read. */
export function useQuotesBehind(asked: WhatIfAsked, { group, pair }: Figure) {
  const { connection, queries } = useConsole();
  return useInfiniteQuery({
    queryKey: [...queries.whatIf.key(), 'quotes', JSON.stringify({ ...asked, group, pair })],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<WhatIfQuote[]> => {
      const page = { ...asked, group, pair, after: pageParam, limit: PAGE };
      for await (const part of await connection.client.whatIf.quotes(page, { signal })) {
        if (part.part === 'quotes') return part.quotes;
      }
      throw new Error('The requests ended early.');
    },
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.seq),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
