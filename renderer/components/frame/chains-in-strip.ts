import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import type { Status, TradingState } from '../../../electron/contract/trading.ts';

const AT_MOST = 2;
const URGENCY: Record<TradingState, number> = { HALTED: 0, DRAIN: 2, LIVE: 3 };

/** The strip has room for two chains: with more, the worst come first and the rest are counted. */
export function chainsInStrip(
  chains: readonly ChainRow[],
  status: Status,
): { shown: readonly ChainRow[]; hidden: number } {
  if (chains.length <= AT_MOST) return { shown: chains, hidden: 0 };
  const urgency = (chain: ChainRow) => {
    const state = status.chains.find(({ chainId }) => chainId === chain.chainId)?.state ?? status.state;
    return state === 'LIVE' && chain.closed !== null ? 1 : URGENCY[state];
  };
  const worstFirst = [...chains].sort((a, b) => urgency(a) - urgency(b));
  return { shown: worstFirst.slice(0, AT_MOST), hidden: chains.length - AT_MOST };
}
