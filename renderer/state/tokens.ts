import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChainConfig } from '../../electron/contract/desk-file.ts';
import type { TokenFigure } from '../components/figures/amounts.ts';
import { useDesk, useQueries } from './console.tsx';

export type Token = ChainConfig['tokens'][string];

/** The configuration of a chain; read anew when a listing changed here, and every half minute for what others did. */
export function useChainConfig(chainId: number | undefined) {
  const queries = useQueries();
  return useQuery(
    queries.desk.chain.queryOptions({
      input: { chainId: chainId ?? 1 },
      enabled: chainId !== undefined,
      refetchInterval: 30_000,
    }),
  );
}

/** Finds a token's symbol and decimals by chain and address: for amounts in logs and fills. */
export type TokenFinder = (chainId: number, address: string) => TokenFigure | undefined;

/** Every token the desk accounts for: the live exposure names them all, so that no page waits for a query. */
export function useTokenFinder(): TokenFinder {
  const listed = useDesk(({ exposure }) =>
    JSON.stringify(
      exposure.map(({ chainId, address, tokenId, decimals }) => [`${chainId}:${address}`, tokenId, decimals]),
    ),
  );
  return useMemo(() => {
    const rows: [string, string, number][] = JSON.parse(listed);
    const tokens = new Map(rows.map(([key, symbol, decimals]) => [key, { symbol, decimals }]));
    return (chainId, address) => tokens.get(`${chainId}:${address}`);
  }, [listed]);
}
