import type { ChainBook } from '../book/chain-book.ts';
import type { Closure, Status, TradingState } from '../contract/trading.ts';
import type { StoredTradingState } from '../journal/stored.ts';
import type { TradingStates } from './trading-states.ts';

/** The state of everything, as `makerdesk status` and the console show it. */
export function deskStatus(
  states: TradingStates,
  chains: readonly ChainBook[],
  closureOf: (chain: ChainBook) => Closure | null,
): Status {
  const desk = states.desk();
  return {
    state: desk.state,
    reason: reasonOf(desk),
    actor: desk.actor,
    since: desk.since,
    drainUntil: desk.until,
    chains: chains.map((chain) => ({
      chainId: chain.chainId,
      state: states.effective({ chainId: chain.chainId }),
      closed: closureOf(chain),
      pairs: Object.fromEntries(
        [...chain.pairs.keys()].map((pair): [string, TradingState] => [pair, states.ofPair(chain.chainId, pair)]),
      ),
    })),
  };
}

/** A person's words; where the desk stopped by itself, the rule that tripped with its numbers comes first. */
function reasonOf({ actor, reason, cause }: StoredTradingState): string | null {
  return actor === 'desk' && reason !== null && cause !== null ? `${cause} ${reason}` : (reason ?? cause);
}
