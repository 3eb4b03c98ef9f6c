import type { TradingState } from '../contract/trading.ts';
import type { DeskClient } from './desk-client.ts';

/** What the app knows of its desk. `starting`: no answer yet. `silent`: it runs and does not answer. `ended`: no process. */
export type DeskState = TradingState | 'starting' | 'silent' | 'ended';

const INTERVAL_MS = 1_000;

/** A desk that has not answered for this long is shown as silent. */
const PATIENCE_MS = 3_000;

export interface StateWatch {
  state(): DeskState;
  /** Something the app has just learned, before the next question would tell. */
  set(state: DeskState): void;
  /** Asks another desk from now on; null when there is none. */
  follow(client: DeskClient | null): void;
  close(): void;
}

/** Asks the desk once a second what it is doing, and tells `changed` when that is something new. */
export function watchState(changed: (state: DeskState) => void): StateWatch {
  let state: DeskState = 'starting';
  let client: DeskClient | null = null;
  let waitingSince: number | null = null;

  const set = (next: DeskState) => {
    if (next === state) return;
    state = next;
    changed(next);
  };
  const ask = async (asked: DeskClient) => {
    waitingSince = Date.now();
    const answer = await asked.trading.status().catch(() => null);
    if (asked !== client) return;
    waitingSince = null;
    if (answer !== null) set(answer.state);
  };
  const tick = () => {
    if (client === null) return;
    if (waitingSince === null) void ask(client);
    else if (state !== 'starting' && Date.now() - waitingSince >= PATIENCE_MS) set('silent');
  };
  const timer = setInterval(tick, INTERVAL_MS);
  return {
    state: () => state,
    set,
    follow: (next) => {
      client = next;
      waitingSince = null;
      set(next === null ? 'ended' : 'starting');
      tick();
    },
    close: () => clearInterval(timer),
  };
}
