import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../state/console.tsx';

const ASK_EVERY_MS = 5_000;

/** Everything signed that somebody can still use, asked of the chains every few seconds while it is looked at. */
export function useStillLive() {
  const client = useClient();
  return useQuery({
    queryKey: ['still-live'],
    queryFn: () => client.onChain.stillLive({}),
    refetchInterval: ASK_EVERY_MS,
    staleTime: ASK_EVERY_MS,
  });
}
