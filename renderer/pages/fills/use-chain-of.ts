import { useDesk } from '../../state/console.tsx';

/** The name of a pair's chain, where the same pair is listed on another one too; else null: the pair says enough. */
export function useChainOf({ chainId, pair }: { chainId: number | null; pair: string | null }): string | null {
  return useDesk((view) => {
    if (!view.listed.some((other) => other.pair === pair && other.chainId !== chainId)) return null;
    return view.chains.find((chain) => chain.chainId === chainId)?.name ?? null;
  });
}
