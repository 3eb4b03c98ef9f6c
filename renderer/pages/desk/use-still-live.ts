import { useQuery } from '@tanstack/react-query';
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
