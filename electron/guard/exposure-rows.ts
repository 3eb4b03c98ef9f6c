import type { ChainBook } from '../book/chain-book.ts';
import type { ExposureRow } from '../contract/desk-view.ts';
import type { Address } from '../protocol/address.ts';
import { boundedAmount } from '../protocol/amount.ts';
import type { ChainGuard } from './chain-guard.ts';
import { unlistedTokens } from './exposure.ts';

/** Every listed token of a chain with what is live of it and what covers it, and every other one of which something is still live. */
export function exposureRows(chain: ChainBook, guard: ChainGuard): ExposureRow[] {
  const live = guard.exposure.tokens();
  const rowOf = (address: Address, { tokenId, decimals }: Pick<ExposureRow, 'tokenId' | 'decimals'>): ExposureRow => {
    const { balance, allowance, exposure } = guard.covered(address);
    const token = live.get(address);
    return {
      chainId: chain.chainId,
      tokenId,
      address,
      decimals,
      live: boundedAmount(exposure),
      quotes: token?.quotes ?? 0,
      zeroAt: token?.zeroAt() ?? null,
      balance: balance === null ? null : `${balance}`,
      allowance: allowance === null ? null : `${allowance}`,
    };
  };
  const listed = [...chain.tokens].map(([tokenId, { address, decimals }]) => rowOf(address, { tokenId, decimals }));
  const others = unlistedTokens(chain, live.keys()).map((address): ExposureRow => {
    return { ...rowOf(address, { tokenId: address, decimals: 0 }), unlisted: true };
  });
  return [...listed, ...others];
}
