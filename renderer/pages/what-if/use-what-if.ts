import { useInfiniteQuery } from '@tanstack/react-query';
import type {
  WhatIfAsked,
  WhatIfEnd,
  WhatIfPair,
  WhatIfPart,
  WhatIfQuote,
  WhatIfQuotesAsked,
  WhatIfSettings,
} from '../../../electron/contract/what-if.ts';
import { useClient, useConsole } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { useParts } from '../../state/use-parts.ts';
import type { Span } from '../fills/fill-ranges.ts';
import { spanText } from '../results/result-span.ts';

const PAGE = 100;

/** What a stretch would have been, and what was asked for it. */
export interface WhatIfResult {
  readonly asked: WhatIfAsked;
  readonly pairs: readonly WhatIfPair[];
  readonly end: WhatIfEnd;
}

/** Which time the page is to price: a length that ends when it is asked for, milliseconds, or one that was picked. */
export interface ChosenTime {
  range: number;
  picked: Span | null;
}

/** Whether the time that was priced is the one that is chosen now. */
export function isOfTime(
  { since, until }: Pick<WhatIfAsked, 'since' | 'until'>,
  { range, picked }: ChosenTime,
): boolean {
  if (picked === null) return until - since === range;
  return since === picked.since && (picked.until === null || until === picked.until - 1);
}

/** Whether what was priced is what is chosen now: this time, by these settings. */
export function isOfChoice(asked: WhatIfAsked, chosen: ChosenTime, settings: WhatIfSettings | null): boolean {
  return isOfTime(asked, chosen) && JSON.stringify(asked.settings) === JSON.stringify(settings);
}

/** Which time was priced, and which is chosen where that is another one. `now` is Unix milliseconds. */
export function whenText(chosen: ChosenTime, result: Pick<WhatIfResult, 'asked' | 'end'> | null, now: number): string {
  const { range, picked } = chosen;
  const span = picked ?? { since: now - range, until: null };
  const chosenText = `${spanText(span, span.until === null ? now : span.until - 1, now)} ${zoneName(span.since)}`;
  if (result === null) return chosenText;
  const { asked, end } = result;
  const priced = `priced: ${spanText({ since: asked.since, until: null }, end.until, now)} ${zoneName(asked.since)}`;
  return picked === null || isOfTime(asked, chosen) ? priced : `${priced}, chosen: ${chosenText}`;
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
