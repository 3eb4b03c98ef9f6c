import type { ChainBook } from '../book/chain-book.ts';
import type { ExposureRow } from '../contract/desk-view.ts';
import { boundedAmount } from '../protocol/amount.ts';
import type { ChainGuard } from './chain-guard.ts';

/** Every listed token of a chain with what is live of it and what covers it. */
export function exposureRows(chain: ChainBook, guard: ChainGuard): ExposureRow[] {
  return [...chain.tokens].map(([tokenId, { address, decimals }]) => {
    const { balance, allowance, exposure } = guard.covered(address);
    const token = guard.exposure.tokens().get(address);
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
  });
}
