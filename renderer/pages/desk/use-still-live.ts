import { useQuery } from '@tanstack/react-query';
import { liveDollars } from '../../components/live-dollars.ts';
import { boundText } from '../../components/still-live.ts';
import { useClient, useDesk } from '../../state/console.tsx';

const ASK_EVERY_MS = 5_000;

/**
 * Everything signed that somebody can still use, asked of the chains every few seconds while it is looked at. What was found during
 * another stop is not known any more, nor is what was found before they could not be asked.
 */
export function useStillLive() {
  const client = useClient();
  const since = useDesk((view) => view.status?.since ?? null);
  const asked = useQuery({
    queryKey: ['still-live', since],
    queryFn: () => client.onChain.stillLive({}),
    refetchInterval: ASK_EVERY_MS,
    staleTime: ASK_EVERY_MS,
    gcTime: 0,
  });
  const { isPending, isError, isSuccess, error, refetch } = asked;
  return { data: isError ? undefined : asked.data, isPending, isError, isSuccess, error, refetch };
}

/** All that quotes and intent orders can still take, in dollars, and how far that is all there is. */
export function useLiveSum() {
  const exposure = useDesk((view) => view.exposure);
  const asked = useStillLive();
  const orders = asked.data?.chains ?? [];
  const amounts = [
    ...exposure.map(({ chainId, address, tokenId, decimals, live }) => {
      return { chainId, address, symbol: tokenId, decimals, raw: live };
    }),
    ...orders.flatMap((chain) =>
      chain.orders.map(({ src: { address, symbol, decimals }, left }) => {
        return { chainId: chain.chainId, address, symbol, decimals, raw: left };
      }),
    ),
  ].filter(({ raw }) => raw !== '0');
  const { dollars, without } = liveDollars(amounts, exposure);
  return { isNone: amounts.length === 0, bound: boundText(asked.data?.chains, without), dollars, without };
}
