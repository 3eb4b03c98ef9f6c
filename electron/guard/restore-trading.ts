import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { ArmedFile } from './armed-file.ts';
import type { TradingStates } from './trading-states.ts';
import type { TradingSwitch } from './trading-switch.ts';

/**
 * Takes over how a desk traded that ran before: what was halted comes back halted, what was draining is halted now, and the
 * desk trades again only where it did and the file that arms it is there. The journal is told of each halt.
 */
export function restoreTrading(
  stored: readonly StoredTradingState[],
  { states, armed, halt }: { states: TradingStates; armed: ArmedFile; halt: TradingSwitch['halt'] },
): void {
  states.replace(stored);
  for (const { scope, reason } of stored.filter(({ state }) => state === 'DRAIN')) {
    void halt(scope, { actor: 'desk', reason, cause: 'The desk was restarted inside this drain.' });
  }
  if (states.desk().state !== 'LIVE') void armed.remove().catch(() => {});
  else if (!armed.exists()) void halt({}, { actor: 'desk', cause: 'The file that arms the desk is not there.' });
}
