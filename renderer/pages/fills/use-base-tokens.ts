import { useCallback } from 'react';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { useConsole } from '../../state/console.tsx';

/** The base token of a pair, as the live exposure knows it. */
export function useBaseTokens(): (pair: { chainId: number; base: string }) => TokenFigure | undefined {
  const { desk } = useConsole();
  return useCallback(
    ({ chainId, base }) => {
      const row = desk.view().exposure.find((candidate) => candidate.chainId === chainId && candidate.tokenId === base);
      return row === undefined ? undefined : { symbol: row.tokenId, decimals: row.decimals };
    },
    [desk],
  );
}
