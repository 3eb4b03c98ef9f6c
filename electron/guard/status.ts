import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { Closure, ShownState, Status, TradingState } from '../contract/trading.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { PairClosure } from './chain-guard.ts';
import type { TradingStates } from './trading-states.ts';

/** What closes chains and pairs although nobody stopped them. */
interface Closures {
  chain: (chain: ChainBook) => Closure | null;
  /** Why a chain is closed, where more is known than the code says. */
  why: (chain: ChainBook, closed: Closure | null) => string | null;
  pair: (chain: ChainBook, pair: BookPair) => PairClosure | null;
}

/** The state of everything, as `makerdesk status` and the console show it. What a check closed is never called LIVE. */
export function deskStatus(states: TradingStates, chains: readonly ChainBook[], closures: Closures): Status {
  const desk = states.desk();
  return {
    state: desk.state,
    reason: reasonOf(desk),
    actor: desk.actor,
    since: desk.since,
    drainUntil: desk.until,
    isNew: states.isNew() || undefined,
    chains: chains.map((chain) => chainStatus(states, chain, closures)),
  };
}

function chainStatus(states: TradingStates, chain: ChainBook, closures: Closures): Status['chains'][number] {
  const { chainId } = chain;
  const closed = closures.chain(chain);
  const failed = closed === 'checks_failed';
  const pairs: [string, ShownState][] = [];
  const closedPairs: [string, { code: Closure; why: string }][] = [];
  for (const pair of chain.pairs.values()) {
    const own = closures.pair(chain, pair);
    if (own !== null) closedPairs.push([pair.id, { code: own.code, why: own.sentence }]);
    pairs.push([pair.id, shown(states.ofPair(chainId, pair.id), failed || own !== null)]);
  }
  const why = closures.why(chain, closed);
  return {
    chainId,
    state: shown(states.effective({ chainId }), failed),
    closed,
    ...(why === null ? {} : { why }),
    pairs: Object.fromEntries(pairs),
    ...(closedPairs.length === 0 ? {} : { closedPairs: Object.fromEntries(closedPairs) }),
  };
}

function shown(state: TradingState, closed: boolean): ShownState {
  return closed && state === 'LIVE' ? 'CLOSED' : state;
}

/** A person's words; where the desk stopped by itself, the rule that tripped with its numbers comes first. */
export function reasonOf({ actor, reason, cause }: StoredTradingState): string | null {
  return actor === 'desk' && reason !== null && cause !== null ? `${cause} ${reason}` : (reason ?? cause);
}
