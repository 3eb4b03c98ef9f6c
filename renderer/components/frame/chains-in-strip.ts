import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import type { Status, TradingState } from '../../../electron/contract/trading.ts';

const AT_MOST = 2;
const URGENCY: Record<TradingState, number> = { HALTED: 0, DRAIN: 2, LIVE: 4 };

/** What a chain does: its trading state, or `closed` where the guard closed a LIVE one by itself. */
export function chainWord({ chainId, closed }: ChainRow, status: Status): TradingState | 'closed' {
  const state = status.chains.find((chain) => chain.chainId === chainId)?.state ?? status.state;
  return state === 'CLOSED' || (state === 'LIVE' && closed !== null) ? 'closed' : state;
}

/** The strip has room for two chains: with more, the worst come first and the rest are told in a word. */
export function chainsInStrip(
  chains: readonly ChainRow[],
  status: Status,
): { shown: readonly ChainRow[]; hidden: readonly ChainRow[] } {
  if (chains.length <= AT_MOST) return { shown: chains, hidden: [] };
  const urgency = (chain: ChainRow) => {
    const word = chainWord(chain, status);
    return word === 'closed' ? 1 : URGENCY[word] - (word === 'LIVE' && chain.fault !== null ? 1 : 0);
  };
  const worstFirst = [...chains].sort((a, b) => urgency(a) - urgency(b));
  return { shown: worstFirst.slice(0, AT_MOST), hidden: worstFirst.slice(AT_MOST) };
}

/** The chains behind the count, those that do not trade by name: `Base HALTED, 3 more LIVE`. */
export function hiddenText(hidden: readonly ChainRow[], status: Status): string {
  const stopped = hidden.filter((chain) => chainWord(chain, status) !== 'LIVE');
  const names = stopped.map((chain) => `${chain.name} ${chainWord(chain, status)}`);
  const live = hidden.length - stopped.length;
  return [...names, ...(live > 0 ? [`${live} more LIVE`] : [])].join(', ');
}
