import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { plural } from '../../components/figures/counts.ts';
import { useClient, useToasts } from '../../state/console.tsx';
import { pagePath } from '../../state/pages.ts';

/** Takes a desk file over and goes to the self-check of what came of it. The desk stays HALTED. */
export function useOpenDesk(): (desk: unknown) => Promise<void> {
  const client = useClient();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useCallback(
    async (desk) => {
      const { chains, pairs } = await client.desk.import({ desk });
      void queries.invalidateQueries();
      toasts.show({
        level: 'done',
        title: 'The desk is set up, and HALTED',
        detail: `${plural(chains, 'chain')}, ${plural(pairs, 'pair')}. See its self-check, then go live on the Desk page with a reason.`,
      });
      navigate(pagePath('service'));
    },
    [client, queries, toasts, navigate],
  );
}
