import type { ChainView } from '../chain/chain-view.ts';
import type { Closure } from '../contract/trading.ts';

/** What decides whether a chain that may trade does so now. */
export interface ChainHealth {
  checksPending: boolean;
  view: ChainView | undefined;
  balanceMaxAgeSeconds: number;
  /** The latest expiry (Unix seconds) of an order that our clock ended. */
  endedByClock: number;
  /** Events taken back of which the journal has not told yet what stands. */
  questions: number;
  /** What other rooms reported, such as a stale reference. */
  reported: ReadonlySet<Closure>;
}

/** Balances read at least this long after an order's expiry have in them what was filled of it. */
const SEEN_AFTER_EXPIRY_SECONDS = 15;

/** Why a chain is closed at `now` (Unix milliseconds), or null while it is open. It opens by itself once the cause is gone. */
export function chainClosure(health: ChainHealth, now: number): Closure | null {
  if (health.checksPending) return 'starting';
  const seenAt = health.view?.block ? health.view.seenAt : null;
  if (seenAt === null || now - seenAt > health.balanceMaxAgeSeconds * 1_000) return 'chain_unseen';
  if (seenAt <= (health.endedByClock + SEEN_AFTER_EXPIRY_SECONDS) * 1_000) return 'chain_unseen';
  if (health.questions > 0) return 'chain_unseen';
  for (const closure of health.reported) return closure;
  return null;
}
