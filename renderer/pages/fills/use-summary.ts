import { useConsole } from '../../state/console.tsx';
import { useSums } from '../../state/use-sums.ts';
import { NO_END, type Span } from './fill-ranges.ts';

export interface SummaryOf {
  span: Span;
  by: 'pair' | 'user';
  chainId?: number;
  pair?: string;
  user?: `0x${string}`;
  /** Null: of requests that named none. */
  counterparty?: string | null;
}

/** What was asked, signed and filled in a span, by pair or by user. */
export function useSummary({ span, ...choice }: SummaryOf) {
  const { connection, queries } = useConsole();
  return useSums({
    queryKey: queries.fills.summary.key(),
    span,
    choice,
    ask: (signal) =>
      connection.client.fills.summary({ ...choice, since: span.since, until: span.until ?? NO_END }, { signal }),
  });
}
