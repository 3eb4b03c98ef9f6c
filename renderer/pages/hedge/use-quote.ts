import { useQuery } from '@tanstack/react-query';
import type { HedgeQuote, HedgeRow, HedgeState, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { useQueries } from '../../state/console.tsx';
import { usePaused } from '../../state/use-paused.ts';
import { tokenId } from './hedge-token.ts';
import { isOver } from './hedge-words.ts';
import type { KnownRoutes } from './routed.ts';
import type { ReadTicket, Ticket } from './ticket.ts';

/**
 * The service takes a question a second, and so many a day: it is asked once typing has paused, then before a price is too old,
 * and seldom for what placing means, which is looked at again whenever it is placed. Milliseconds.
 */
const AGAIN = 22_000;
const PREPARED_AGAIN = 120_000;

/** The venues' prices of a ticket, asked anew while it stands; none of what was done elsewhere. */
export function useQuote(read: ReadTicket) {
  const input = usePaused(read.venue?.isRecord === true ? null : read.ask);
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

/** What placing it would mean: allowance, balance, and what a person has to be asked; looked at again with the next price where it cannot be placed. */
export function usePreparation(read: ReadTicket) {
  const input = usePaused(read.wish);
  return useQuery(
    useQueries().hedge.prepare.queryOptions({
      input: input ?? { ask: NOTHING, way: { mode: 'none' } },
      enabled: input !== null,
      refetchInterval: ({ state }) => (state.data?.refusal === null ? PREPARED_AGAIN : AGAIN),
      gcTime: 0,
      staleTime: PREPARED_AGAIN,
    }),
  );
}

/** A hedge in these has promised nothing yet. */
const UNSIGNED: ReadonlySet<HedgeState> = new Set(['opened', 'approving', 'built', 'simulated']);

/**
 * Tells of each news whether what placing the ticket means has changed with it: another hedge of one of its tokens began, is signed, or is
 * over. Each is told once for each of these, whatever its steps between: asking anew costs a question.
 */
export function hedgeWatch(): (rows: readonly HedgeRow[], ticket: Pick<Ticket, 'token' | 'against'>) => boolean {
  const told = new Set<string>();
  return (rows, { token, against }) => {
    const fresh = rows.filter((row) => !told.has(turnOf(row)));
    for (const row of fresh) told.add(turnOf(row));
    return fresh.some(({ src, dest }) => [src, dest].some((one) => [token, against].includes(tokenId(one))));
  };
}

function turnOf(row: HedgeRow): string {
  return `${row.seq} ${isOver(row) ? 'over' : UNSIGNED.has(row.state) ? 'begun' : 'signed'}`;
}

/** What one venue offers. */
export type Offer = HedgeQuote['quotes'][number];

/** The quote with the chosen bridge's price in its venue's place; a bridge that is offered no more has none. */
export function quoteOver(quote: HedgeQuote, { bridge }: Pick<Ticket, 'bridge'>): HedgeQuote {
  if (bridge === '') return quote;
  return { ...quote, quotes: quote.quotes.map((offer) => offerOver(offer, bridge)) };
}

/** What a venue offers over this bridge; one that offers no bridges stays as it is. */
export function offerOver(offer: Offer, bridge: string): Offer {
  const { quote: first, others } = offer;
  if (first === null || first.bridge === null || first.bridge.choice === bridge) return offer;
  const chosen = others.find((way) => way.bridge?.choice === bridge) ?? null;
  const fault = chosen === null ? `The service offers no route over ${bridge} now: choose another bridge.` : null;
  return { ...offer, quote: chosen, fault };
}

/** The bridges of an offer to choose from, the service's first choice first; none where nothing crosses. */
export function bridgesOf({ quote, others }: Offer): string[] {
  return [quote, ...others].flatMap((way) => way?.bridge?.choice ?? []);
}

/** What the venue of a ticket offers. */
export function offerOf(quote: HedgeQuote | undefined, { venue }: Pick<ReadTicket, 'venue'>): Offer | null {
  return quote?.quotes.find((offer) => offer.venue === venue?.name) ?? null;
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

/** The desk keeps what the services say for hours, and asks a silent one again only after a minute. */
const ROUTES_AGAIN = 120_000;

/** What has a route for this ticket, as far as the services say; it never waits for them. */
export function useRoutes({
  src,
  dest,
  venue,
}: Pick<ReadTicket, 'src' | 'dest' | 'venue'>): KnownRoutes & { isPending: boolean } {
  const { data, isPending } = useQuery(
    useQueries().hedge.routes.queryOptions({ refetchInterval: ROUTES_AGAIN, staleTime: ROUTES_AGAIN }),
  );
  return { routes: data ?? null, isPending, src: useSupport(src, venue), dest: useSupport(dest, venue) };
}

function useSupport(token: HedgeToken | undefined, venue: ReadTicket['venue']): boolean | null {
  const isAsked = token !== undefined && venue?.routes === 'lanes';
  const { data } = useQuery(
    useQueries().hedge.tokenSupport.queryOptions({
      input: { chainId: token?.chainId ?? 1, token: token?.address ?? `0x${'0'.repeat(40)}` },
      enabled: isAsked,
      refetchInterval: ROUTES_AGAIN,
      staleTime: ROUTES_AGAIN,
    }),
  );
  return isAsked ? (data?.supported ?? null) : null;
}
