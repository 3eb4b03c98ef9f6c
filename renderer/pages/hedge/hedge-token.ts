import { useMemo } from 'react';
import type { HedgeToken } from '../../../electron/contract/hedge.ts';
import { fromRaw, plainText } from '../../components/figures/decimal-text.ts';
import { useDesk } from '../../state/console.tsx';

/** A token in a list to choose from: chain and address, as the desk's map of tokens has them. */
export type TokenId = `${number}:${string}`;

export function tokenId({ chainId, address }: Pick<HedgeToken, 'chainId' | 'address'>): TokenId {
  return `${chainId}:${address}`;
}

/** The chain of a token that was chosen; undefined where none is. */
export function chainOf(id: TokenId | ''): number | undefined {
  return id === '' ? undefined : Number(id.slice(0, id.indexOf(':')));
}

/** Every token of every chain that the desk accounts for. */
export function useHedgeTokens(): readonly HedgeToken[] {
  const exposure = useDesk((view) => view.tokens);
  return useMemo(
    () =>
      [...exposure].map(([key, { symbol, decimals }]) => {
        const colon = key.indexOf(':');
        const address = key.slice(colon + 1) as HedgeToken['address'];
        return { chainId: Number(key.slice(0, colon)), address, symbol, decimals };
      }),
    [exposure],
  );
}

export function findToken(tokens: readonly HedgeToken[], id: TokenId | ''): HedgeToken | undefined {
  return tokens.find((token) => tokenId(token) === id);
}

/** A listed token by the name that pairs use. */
export function namedToken(
  tokens: readonly HedgeToken[],
  chainId: number,
  symbol: string | undefined,
): HedgeToken | undefined {
  return tokens.find((token) => token.chainId === chainId && token.symbol === symbol);
}

/** Raw units as a person would type them. */
export function typedAmount(raw: string, { decimals }: HedgeToken): string {
  const text = plainText(fromRaw(raw, decimals));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
