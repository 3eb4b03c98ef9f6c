import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ChainConfig } from '../../electron/contract/desk-file.ts';
import type { TokenFigure } from '../components/figures/amounts.ts';
import { useDesk, useQueries } from './console.tsx';
import { tokenKey } from './live-desk.ts';

export type Token = ChainConfig['tokens'][string];

/** What a chain lists; read anew when a listing changed here, and every half minute for what others did. */
export function useListings(chainId: number | undefined) {
  const queries = useQueries();
  return useQuery(
    queries.listings.list.queryOptions({
      input: { chainId: chainId ?? 1 },
      enabled: chainId !== undefined,
      refetchInterval: 30_000,
    }),
  );
}

/** Finds a token's symbol and decimals by chain and address: for amounts in logs and fills. */
export type TokenFinder = (chainId: number, address: string) => TokenFigure | undefined;

export function useTokenFinder(): TokenFinder {
  const tokens = useDesk((view) => view.tokens);
  return useCallback((chainId, address) => tokens.get(tokenKey(chainId, address)), [tokens]);
}
