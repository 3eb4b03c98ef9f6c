import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Scope } from '../contract/trading.ts';
import type { Side } from '../protocol/side.ts';
import type { PairClosure } from './chain-guard.ts';
import type { OffSides } from './off-reference.ts';
import { isLadderStale } from './quote-limits.ts';
import type { TradingStates } from './trading-states.ts';

/** What closes a pair or a side of it: of the desk as it is, or of one that is played again from its journal. */
interface SideStanding {
  readonly trading: { readonly states: Pick<TradingStates, 'effective' | 'strictest'> };
  pairClosure(chain: ChainBook, pair: BookPair): Pick<PairClosure, 'code'> | null;
  /** Until when the pair may be quoted by what its engine said, and by what its reference said, Unix milliseconds; null with none. */
  pushedFreshUntil(chain: ChainBook, pair: BookPair): number | null;
  referenceFreshUntil(chain: ChainBook, pair: BookPair): number | null;
  offReference(chain: ChainBook, pair: BookPair): OffSides | null;
}

/** Why a side of a pair signs nothing at `now` (Unix milliseconds) although its chain does, or null. */
export function sideRefusal(
  desk: SideStanding,
  { chain, pair, side }: { chain: ChainBook; pair: BookPair; side: Side },
  now: number,
): RefusalCode | null {
  const scope = { chainId: chain.chainId, pair: pair.id, side };
  if (pair.retiredUntil !== null || pair.fault !== null) return 'pair_disabled';
  if (desk.trading.states.effective(scope) === 'HALTED') return stopCode(desk.trading.states, scope);
  const closed = desk.pairClosure(chain, pair);
  if (closed !== null) return closed.code;
  if (isLadderStale(chain, pair, now)) return 'ladder_stale';
  if (isPushStale(desk, { chain, pair }, now)) return 'prices_stale';
  const fresh = desk.referenceFreshUntil(chain, pair);
  if (fresh !== null && now > fresh) return 'reference_stale';
  return desk.offReference(chain, pair)?.[side]?.closed === true ? 'off_reference' : null;
}

/** Whether an engine prices the pair and has not said its prices again in time. */
export function isPushStale(
  desk: Pick<SideStanding, 'pushedFreshUntil'>,
  { chain, pair }: { chain: ChainBook; pair: BookPair },
  now: number,
): boolean {
  const fresh = desk.pushedFreshUntil(chain, pair);
  return fresh !== null && now > fresh;
}

/** What a stop, now or since, makes of an order of a side. */
export function stopCode(states: Pick<TradingStates, 'strictest'>, scope: Required<Scope>): RefusalCode {
  const stopped = states.strictest(scope);
  if (stopped?.state !== 'HALTED' || stopped.scope.pair === undefined) return 'halted';
  return stopped.scope.side === undefined ? 'pair_disabled' : 'side_disabled';
}
