import type { OwnDeskState } from '../contract/desks-elsewhere.ts';
import type { DeskClient } from './desk-client.ts';

const INTERVAL_MS = 1_000;

/** So many looks in a row without an answer make a desk silent. Counted, not timed: a computer that slept missed none. */
const QUIET_LOOKS = 3;

/** Whether a desk in this state quotes nothing for certain. One that is not open, or has no process, does not; one that says nothing may. */
export function quotesNothing(state: OwnDeskState): boolean {
  return state === 'HALTED' || state === 'waits' || state === 'ended';
}

export interface StateWatch {
  state(): OwnDeskState;
  /** Something the app has just learned, before the next question would tell. */
  set(state: OwnDeskState): void;
  /** Asks another desk from now on; null when there is none. */
  follow(client: DeskClient | null): void;
  close(): void;
}

/**
 * Asks the desk once a second what it is doing, and tells `changed` when that is something new; `isBack` with the first
 * answer after a time in which it was silent or ended.
 */
export function watchState(changed: (state: OwnDeskState, isBack: boolean) => void): StateWatch {
  let state: OwnDeskState = 'starting';
  let client: DeskClient | null = null;
  let isAsking = false;
  let quiet = 0;
  let isAway = false;

  const set = (next: OwnDeskState) => {
    if (next === state) return;
    state = next;
    const isBack = isAway && next !== 'starting' && next !== 'waits' && next !== 'silent' && next !== 'ended';
    isAway = next === 'silent' || next === 'ended' || (isAway && !isBack);
    changed(next, isBack);
  };
  const ask = async (asked: DeskClient) => {
    isAsking = true;
    const answer = await asked.trading.status().catch(() => null);
    if (asked !== client) return;
    isAsking = false;
    if (answer === null) return;
    quiet = 0;
    set(answer.state);
  };
  const tick = () => {
    if (client === null) return;
    quiet += 1;
    if (state !== 'starting' && state !== 'waits' && quiet > QUIET_LOOKS) set('silent');
    if (!isAsking) void ask(client);
  };
  const timer = setInterval(tick, INTERVAL_MS);
  return {
    state: () => state,
    set,
    follow: (next) => {
      client = next;
      isAsking = false;
      quiet = 0;
      set(next === null ? 'ended' : 'starting');
      tick();
    },
    close: () => clearInterval(timer),
  };
}
