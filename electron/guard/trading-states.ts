import type { Scope, TradingState } from '../contract/trading.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { Side } from '../protocol/side.ts';
import { scopeKey, scopesAround } from '../signer/scope-key.ts';

const STRICTNESS: Record<TradingState, number> = { LIVE: 0, DRAIN: 1, HALTED: 2 };

/** The last word on every scope, in memory. A chain, pair or side of which nothing was said is LIVE; a desk is HALTED. */
export class TradingStates {
  readonly #openedAt: number;
  #states = new Map<string, StoredTradingState>();
  /** Whether anything was ever said of a pair: hundreds of pairs are asked for many times a second. */
  #saidOfPairs = false;

  constructor(openedAt: number) {
    this.#openedAt = openedAt;
  }

  set(state: StoredTradingState): void {
    this.#states.set(scopeKey(state.scope), state);
    this.#saidOfPairs ||= state.scope.pair !== undefined;
  }

  /** Puts other states in place of all there are. */
  replace(states: readonly StoredTradingState[]): void {
    this.#states = new Map(states.map((state) => [scopeKey(state.scope), state]));
    this.#saidOfPairs = states.some(({ scope }) => scope.pair !== undefined);
  }

  all(): StoredTradingState[] {
    return [...this.#states.values()];
  }

  /** What was said of exactly this scope, or null. */
  own(scope: Scope): StoredTradingState | null {
    if (scope.pair !== undefined && !this.#saidOfPairs) return null;
    return this.#states.get(scopeKey(scope)) ?? null;
  }

  desk(): StoredTradingState {
    return this.own({}) ?? this.#neverArmed();
  }

  /** The strictest state of a scope and those around it, and the widest of them that says so; null when all are LIVE. */
  strictest(scope: Scope): StoredTradingState | null {
    let found: StoredTradingState | null = null;
    for (const around of scopesAround(this.#saidOfPairs ? scope : { chainId: scope.chainId })) {
      const state = around.chainId === undefined ? this.desk() : this.own(around);
      if (state !== null && STRICTNESS[state.state] > (found === null ? 0 : STRICTNESS[found.state])) found = state;
    }
    return found;
  }

  effective(scope: Scope): TradingState {
    return this.strictest(scope)?.state ?? 'LIVE';
  }

  /** The state of a pair as people see it: HALTED too when each of its sides is. */
  ofPair(chainId: number, pair: string): TradingState {
    const state = this.effective({ chainId, pair });
    const sides = (['bids', 'asks'] satisfies Side[]).map((side) => this.effective({ chainId, pair, side }));
    return sides.every((side) => side === 'HALTED') ? 'HALTED' : state;
  }

  /** Whether the desk was never live: nobody has resumed it yet. */
  isNew(): boolean {
    return this.own({}) === null;
  }

  #neverArmed(): StoredTradingState {
    const reason = 'It has not gone live yet.';
    return { scope: {}, state: 'HALTED', reason, actor: 'desk', since: this.#openedAt, until: null, cause: null };
  }
}
