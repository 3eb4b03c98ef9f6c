import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { HedgeQuote, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { useQueries } from '../../state/console.tsx';
import type { KnownRoutes } from './routed.ts';
import type { ReadTicket, Ticket } from './ticket.ts';

/**
 * The service takes a question a second, and so many a day: it is asked once typing has paused, then before a price is too old,
 * and seldom for what placing means, which is looked at again whenever it is placed. Milliseconds.
 */
const PAUSE = 400;
const AGAIN = 22_000;
const PREPARED_AGAIN = 120_000;

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

/** What placing it would mean: allowance, balance, and what a person has to be asked. */
export function usePreparation(read: ReadTicket) {
  const input = useSettled(read.wish);
  return useQuery(
    useQueries().hedge.prepare.queryOptions({
      input: input ?? { ask: NOTHING, way: { mode: 'market' } },
      enabled: input !== null,
      refetchInterval: PREPARED_AGAIN,
      gcTime: 0,
      staleTime: PREPARED_AGAIN,
    }),
  );
}

/** The quote with the chosen bridge's price as the intent's; a bridge that is offered no more has none. */
export function quoteOver(quote: HedgeQuote, { bridge }: Pick<Ticket, 'bridge'>): HedgeQuote {
  const { quote: first, others } = quote.intent;
  if (bridge === '' || first === null || first.bridge?.choice === bridge) return quote;
  const chosen = others.find((way) => way.bridge?.choice === bridge) ?? null;
  const fault = chosen === null ? `The service offers no route over ${bridge} now: choose another bridge.` : null;
  return { ...quote, intent: { quote: chosen, fault, others } };
}

/** The bridges of a quote to choose from, the service's first choice first; none where nothing crosses. */
export function bridgesOf({ intent: { quote, others } }: HedgeQuote): string[] {
  return [quote, ...others].flatMap((way) => way?.bridge?.choice ?? []);
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

/** The desk keeps what the services say for hours, and asks a silent one again only after a minute. */
const ROUTES_AGAIN = 120_000;

/** What has a route for this ticket, as far as the services say; it never waits for them. */
export function useRoutes({ src, dest }: Pick<ReadTicket, 'src' | 'dest'>, mode: Ticket['mode']): KnownRoutes {
  const { data } = useQuery(
    useQueries().hedge.routes.queryOptions({ refetchInterval: ROUTES_AGAIN, staleTime: ROUTES_AGAIN }),
  );
  return { routes: data ?? null, src: useSupport(src, mode), dest: useSupport(dest, mode) };
}

function useSupport(token: HedgeToken | undefined, mode: Ticket['mode']): boolean | null {
  const { data } = useQuery(
    useQueries().hedge.tokenSupport.queryOptions({
      input: { chainId: token?.chainId ?? 1, token: token?.address ?? `0x${'0'.repeat(40)}` },
      enabled: token !== undefined && mode !== 'market',
      refetchInterval: ROUTES_AGAIN,
      staleTime: ROUTES_AGAIN,
    }),
  );
  return token === undefined || mode === 'market' ? null : (data?.supported ?? null);
}
