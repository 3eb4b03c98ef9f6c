import { useQuery } from '@tanstack/react-query';
import type { HedgeToken } from '../../../electron/contract/hedge.ts';
import { useQueries } from '../../state/console.tsx';
import type { KnownRoutes } from './routed.ts';
import type { ReadTicket, Ticket } from './ticket.ts';

/** The desk keeps what the services say for hours, and asks a silent one again only after a minute. */
const AGAIN = 120_000;

/** What has a route for this ticket, as far as the services say; it never waits for them. */
export function useRoutes({ src, dest }: Pick<ReadTicket, 'src' | 'dest'>, mode: Ticket['mode']): KnownRoutes {
  const { data } = useQuery(useQueries().hedge.routes.queryOptions({ refetchInterval: AGAIN, staleTime: AGAIN }));
  return { routes: data ?? null, src: useSupport(src, mode), dest: useSupport(dest, mode) };
}

function useSupport(token: HedgeToken | undefined, mode: Ticket['mode']): boolean | null {
  const { data } = useQuery(
    useQueries().hedge.tokenSupport.queryOptions({
      input: { chainId: token?.chainId ?? 1, token: token?.address ?? `0x${'0'.repeat(40)}` },
      enabled: token !== undefined && mode !== 'market',
      refetchInterval: AGAIN,
      staleTime: AGAIN,
    }),
  );
  return token === undefined || mode === 'market' ? null : (data?.supported ?? null);
}
