import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { plural } from '../../components/figures/counts.ts';
import { useClient, useToasts } from '../../state/console.tsx';

/** Takes a desk file over. The desk stays HALTED. */
export function useOpenDesk(): (desk: unknown) => Promise<void> {
  const client = useClient();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useCallback(
    async (desk) => {
      const { chains, pairs } = await client.desk.import({ desk });
      await queries.invalidateQueries();
      toasts.show({
        level: 'done',
        title: 'The desk is set up, and HALTED',
        detail: `${plural(chains, 'chain')}, ${plural(pairs, 'pair')}. What is missing before it goes live stands beside its steps.`,
      });
    },
    [client, queries, toasts],
  );
}
