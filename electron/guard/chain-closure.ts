import type { ChainView } from '../chain/chain-view.ts';
import type { Closure } from '../contract/trading.ts';

/** What decides whether a chain that may trade does so now. */
export interface ChainHealth {
  checksPending: boolean;
  view: ChainView | undefined;
  balanceMaxAgeSeconds: number;
  /** The chain's clock and ours contradict each other. */
  clockWrong: boolean;
  /** What was signed before this start is not known, and may not be over yet. */
  holdsOff: boolean;
  /** Events taken back of which the journal has not told yet what stands. */
  questions: number;
  /** What is said of it beside its own figures: a silent key, checks that failed or have not run. A stale reference closes its pair alone. */
  reported: ReadonlySet<Closure>;
}

/** Why a chain is closed at `now` (Unix milliseconds), or null while it is open. It opens by itself once the cause is gone. */
export function chainClosure(health: ChainHealth, now: number): Closure | null {
  if (health.checksPending) return 'starting';
  if (health.reported.has('checks_failed')) return 'checks_failed';
  const seenAt = health.view?.block ? health.view.seenAt : null;
  const unconfirmed = health.view?.unconfirmed;
  if (unconfirmed === 'disagree') return 'chain_unconfirmed';
  if (seenAt === null || now - seenAt > health.balanceMaxAgeSeconds * 1_000) {
    return unconfirmed === 'silent' ? 'chain_unconfirmed' : 'chain_unseen';
  }
  if (health.clockWrong) return 'chain_clock';
  if (health.holdsOff) return 'past_unproven';
  if (health.questions > 0) return 'chain_unseen';
  for (const closure of health.reported) return closure;
  return null;
}
