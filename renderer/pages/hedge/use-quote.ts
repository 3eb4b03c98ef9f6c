import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { HedgeQuote, QuotedWay } from '../../../electron/contract/hedge.ts';
import { useQueries } from '../../state/console.tsx';
import type { ReadTicket, Ticket } from './ticket.ts';

/** The service takes a question a second: it is asked once typing has paused, and then so often. Milliseconds. */
const PAUSE = 400;
const AGAIN = 12_000;

/** Both ways' prices of a ticket, asked anew while it stands. */
export function useQuote(read: ReadTicket) {
  const input = useSettled(read.ask);
  return useQuery(
    useQueries().hedge.quote.queryOptions({
      input: input ?? NOTHING,
      enabled: input !== null,
      refetchInterval: AGAIN,
      gcTime: 0,
      staleTime: AGAIN,
    }),
  );
}

/** What placing it would mean: allowance, balance, warnings. */
export function usePreparation(read: ReadTicket) {
  const input = useSettled(read.wish);
  return useQuery(
    useQueries().hedge.prepare.queryOptions({
      input: input ?? { ask: NOTHING, way: { mode: 'market' } },
      enabled: input !== null,
      refetchInterval: AGAIN,
      gcTime: 0,
      staleTime: AGAIN,
    }),
  );
}

/** The block of a quote that a way is carried out by. */
export function blockOf(quote: HedgeQuote | undefined, { mode }: Pick<Ticket, 'mode'>): HedgeQuote['market'] | null {
  if (quote === undefined) return null;
  return mode === 'market' ? quote.market : quote.intent;
}

/** The amount that is not fixed, as it stands on the screen. */
export function shownAmount(way: QuotedWay, side: Ticket['side']): string {
  return side === 'SELL' ? way.destAmount : way.srcAmount;
}

const NOTHING = {
  chainId: 1,
  srcToken: `0x${'0'.repeat(40)}`,
  destToken: `0x${'0'.repeat(40)}`,
  amount: '0',
} as const;

/** A value once it has been the same for a moment; nothing at once when it goes away. */
function useSettled<T>(value: T | null): T | null {
  const text = value === null ? null : JSON.stringify(value);
  const [settled, setSettled] = useState<string | null>(text);
  useEffect(() => {
    if (text === null) {
      setSettled(null);
      return;
    }
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null || settled !== text ? null : value;
}
