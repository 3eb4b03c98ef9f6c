import type { Scope, TradingState } from '../contract/trading.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import { foldImport, foldScope, type StoredTradingState, type TradingEvent } from '../journal/trading/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Latch } from '../signer/latch.ts';
import { scopeKey, scopesAround } from '../signer/scope-key.ts';
import type { After } from '../time/after.ts';
import { inTime } from '../time/in-time.ts';
import type { ArmedFile } from './armed-file.ts';
import type { StartChecks } from './start-checks.ts';
import type { TradingStates } from './trading-states.ts';

/** Who stops or starts, and why; `cause` is the rule and its inputs when no person did. */
export interface ByWhom {
  actor: string;
  reason?: string | null;
  cause?: string | null;
}

/** A stop in force. `at` is Unix milliseconds, `stamp` the latch's monotonic one: no order of its scope leaves after it. */
export interface Stopped {
  durable: boolean;
  at: number;
  stamp: number;
}

export interface SwitchParts {
  journal: Pick<Journal, 'append'>;
  latch: Latch;
  states: TradingStates;
  armed: ArmedFile;
  checks: StartChecks;
  now: () => number;
  after: After;
  /** Called in the step in which a state changes in memory. */
  changed: (scope: Scope) => void;
}

/** A stop whose row is not durable after this long is acknowledged as not durable: whoever pressed it must not wait for a dead disk. */
const LONGEST_WAIT_MS = 2_500;

/**
 * Stops take effect in memory first and are then written; starts are written first and then in force, and only if no
 * stop came since they were asked for (DESIGN, trading state). Ending a DRAIN is a stop as well.
 */
export class TradingSwitch {
  readonly #parts: SwitchParts;
  readonly #stops = new Map<string, number>();
  readonly #drains = new Map<string, () => void>();
  /** Scopes whose newest stop is not in the journal (yet). */
  readonly #unwritten = new Set<string>();
  #resuming = 0;
  /** Scopes of which a resume was asked for and is not answered yet. */
  readonly #asked = new Set<{ scope: Scope }>();
  /** Deeds under way under which nothing may be resumed. */
  #withoutResumes = 0;

  constructor(parts: SwitchParts) {
    this.#parts = parts;
  }

  /** Forbids signing in a scope at once. For a pair or a side this is "off". */
  halt(scope: Scope, by: ByWhom): Promise<Stopped> {
    return this.#stop(scope, 'HALTED', null, by);
  }

  /**
   * Takes the grid down and goes on quoting for some seconds, then halts by itself. A drain never trades for longer than
   * it would have been traded without it: where the scope drains already the earlier end stays, where it is HALTED this
   * is one more halt.
   */
  drain(scope: Scope, seconds: number, by: ByWhom): Promise<Stopped> {
    const own = scope.chainId === undefined ? this.#parts.states.desk() : this.#parts.states.own(scope);
    if (own?.state === 'HALTED') return this.halt(scope, by);
    const until = Math.min(this.#parts.now() + seconds * 1_000, own?.until ?? Number.POSITIVE_INFINITY);
    return this.#stop(scope, 'DRAIN', until, by);
  }

  /**
   * Starts a scope again, if `check` finds nothing against it. The answer is when it is in force. Throws what `check`
   * throws, DeskError `checks_pending` or `checks_failed`, `overtaken_by_stop`, `not_armed`, or what the journal throws;
   * the scope then stays as it was.
   */
  async resume(scope: Scope, by: ByWhom & { reason: string }, check?: () => Promise<void>): Promise<{ at: number }> {
    if (this.#withoutResumes > 0) {
      throw new DeskError('overtaken_by_stop', 'The configuration is being replaced, so nothing is resumed just now.', {
        remedy: 'Look at the new configuration, then resume again.',
      });
    }
    const asking = { scope };
    this.#asked.add(asking);
    try {
      return await this.#resume(scope, by, check);
    } finally {
      this.#asked.delete(asking);
    }
  }

  /** Does something under which nothing may be resumed: a resume under way is overtaken by a stop, one asked for meanwhile refused. */
  async withoutResumes<T>(by: ByWhom, deed: () => Promise<T>): Promise<T> {
    this.#withoutResumes += 1;
    try {
      for (const { scope } of this.#asked) void this.halt(scope, by);
      return await deed();
    } finally {
      this.#withoutResumes -= 1;
    }
  }

  /** Gives the stop of a scope its words, also where it was pressed again while they were written. The answer is when. */
  async explain(scope: Scope, { actor, reason }: { actor: string; reason: string }): Promise<{ at: number }> {
    const { states, journal, now } = this.#parts;
    const ownNow = () => (scope.chainId === undefined ? states.desk() : states.own(scope));
    const stop = ownNow();
    if (stop === null || stop.state === 'LIVE') {
      throw new DeskError('not_stopped', 'Nothing is stopped there, so there is nothing to explain.');
    }
    const time = now();
    const words = actor === stop.actor ? reason : `${reason} (${actor})`;
    const body = { scope, stoppedAt: stop.since, reason: words };
    const event = { time, actor, kind: 'stop_explained', body } as const;
    await journal.append(event);
    const since = ownNow();
    this.#take(event, since ?? undefined);
    const isPressedAgain = since !== null && since.state !== 'LIVE' && since.since !== stop.since;
    return isPressedAgain && since.reason === stop.reason ? this.explain(scope, { actor, reason }) : { at: time };
  }

  /** The checks failed: a desk that is not halted, or about to be resumed, is halted. */
  checksFailed(sentence: string): void {
    this.#parts.checks.fail(sentence);
    if (this.#parts.states.desk().state === 'HALTED' && this.#resuming === 0) return;
    void this.halt({}, { actor: 'desk', cause: sentence });
  }

  /** What is written here stands nowhere else, for this reason: a desk that is not halted, or about to be resumed, is halted. Null: it does again. */
  alone(why: string | null): void {
    this.#parts.checks.alone(why);
    if (why === null || (this.#parts.states.desk().state === 'HALTED' && this.#resuming === 0)) return;
    void this.halt({}, { actor: 'desk', cause: why });
  }

  /** Halts what should have stopped draining by `now` (Unix milliseconds): timers stand still while a machine sleeps. */
  endDueDrains(now: number): void {
    for (const state of this.#parts.states.all()) {
      if (state.state === 'DRAIN' && state.until !== null && state.until <= now) this.#endDrain(state.scope, state);
    }
  }

  /** Takes over the switches that an import set. */
  adopt(event: Extract<JournalEvent, { kind: 'desk_configured' }>): void {
    const { states, changed } = this.#parts;
    // Stops that came after it stay: those that are not written yet, or later than it.
    const isKept = ({ scope, since }: StoredTradingState) => this.#unwritten.has(scopeKey(scope)) || since > event.time;
    states.replace(foldImport(states.all(), event, isKept));
    changed({});
  }

  close(): void {
    for (const cancel of this.#drains.values()) cancel();
    this.#drains.clear();
  }

  async #resume(scope: Scope, by: ByWhom & { reason: string }, check?: () => Promise<void>): Promise<{ at: number }> {
    const asked = this.#stopsAround(scope);
    if (check !== undefined) {
      await check();
      this.#demandNoStopSince(scope, asked);
    }
    this.#parts.checks.demand();
    this.#resuming += 1;
    try {
      return await this.#start(scope, by, asked);
    } finally {
      this.#resuming -= 1;
    }
  }

  async #start(scope: Scope, by: ByWhom & { reason: string }, asked: number): Promise<{ at: number }> {
    const { journal, now } = this.#parts;
    const time = now();
    const event = stateEvent(scope, 'LIVE', null, by, time);
    const ownStops = this.#stops.get(scopeKey(scope));
    await journal.append(event);
    try {
      await this.#arm(scope, { by, time, asked });
    } catch (error) {
      // Its row says LIVE all the same: unless a stop of this very scope came after it, what holds is said again.
      if (this.#stops.get(scopeKey(scope)) === ownStops) this.#sayAgain(scope);
      throw error;
    }
    this.#endTimer(scope);
    this.#unwritten.delete(scopeKey(scope));
    this.#take(event);
    return { at: time };
  }

  async #arm(scope: Scope, { by, time, asked }: { by: ByWhom & { reason: string }; time: number; asked: number }) {
    this.#demandNoStopSince(scope, asked);
    if (scope.chainId !== undefined) return;
    try {
      await this.#parts.armed.write({ time, actor: by.actor, reason: by.reason });
    } catch (cause) {
      const sentence = 'The file that arms the desk cannot be written, so it stays halted.';
      void this.halt(scope, { actor: 'desk', cause: sentence });
      throw new DeskError('not_armed', sentence, { remedy: 'Make room on the disk, then resume again.', cause });
    }
    this.#demandNoStopSince(scope, asked);
  }

  /** Writes the stop that holds of a scope once more: the last row about it is what a desk comes back with. */
  #sayAgain(scope: Scope): void {
    const { states, journal, now } = this.#parts;
    const stop = states.own(scope);
    if (stop === null || stop.state === 'LIVE') return;
    const event = stateEvent(scope, stop.state, stop.until, stop, now());
    this.#take(event);
    journal.append(event).catch(() => {}); // a journal that cannot take it halts the desk
  }

  async #stop(scope: Scope, state: 'DRAIN' | 'HALTED', until: number | null, by: ByWhom): Promise<Stopped> {
    const { latch, states, journal, armed, now, after } = this.#parts;
    const key = scopeKey(scope);
    // First what needs no disk: nothing signed so far gets out, and nothing new is signed.
    const stamp = state === 'HALTED' ? latch.advance(scope) : latch.now();
    const at = now();
    // Who presses again has nothing to add: the words of a stop stand as long as it lasts.
    const before = states.own(scope);
    const kept = before === null || before.state === 'LIVE' ? null : before.reason;
    const event = stateEvent(scope, state, until, { ...by, reason: by.reason ?? kept }, at);
    this.#stops.set(key, (this.#stops.get(key) ?? 0) + 1);
    this.#unwritten.add(key);
    this.#endTimer(scope);
    if (until !== null) {
      const cancel = after(until - at, () => this.#endDrain(scope, by));
      this.#drains.set(key, cancel);
    }
    this.#take(event);
    // A drain disarms too: a desk that dies inside one comes back halted, whatever the journal could still be told.
    const isDesk = scope.chainId === undefined;
    const disarmed = isDesk ? (until === null ? armed.remove() : armed.drain()).catch(() => {}) : Promise.resolve();
    const written = journal.append(event).then(
      () => {
        if (states.own(scope)?.since === at) this.#unwritten.delete(key);
        return true;
      },
      () => false,
    );
    const durable = await inTime(
      Promise.all([written, disarmed]).then(
        ([row]) => row,
        () => false,
      ),
      LONGEST_WAIT_MS,
      () => false,
      after,
    );
    return { durable, at, stamp };
  }

  #endDrain(scope: Scope, { actor, reason }: ByWhom): void {
    const said = this.#parts.states.own(scope)?.reason ?? reason; // why it drains may have been added meanwhile
    void this.halt(scope, { actor, reason: said, cause: 'The drain came to its end.' });
  }

  #endTimer(scope: Scope): void {
    this.#drains.get(scopeKey(scope))?.();
    this.#drains.delete(scopeKey(scope));
  }

  /** What an event makes of its scope is in force. */
  #take(event: TradingEvent, before?: StoredTradingState): void {
    const { states, changed } = this.#parts;
    const after = foldScope(before, event);
    if (after === undefined || after === before) return;
    states.set(after);
    changed(after.scope);
  }

  #stopsAround(scope: Scope): number {
    return scopesAround(scope).reduce((sum, around) => sum + (this.#stops.get(scopeKey(around)) ?? 0), 0);
  }

  #demandNoStopSince(scope: Scope, asked: number): void {
    if (this.#stopsAround(scope) === asked) return;
    throw new DeskError('overtaken_by_stop', 'A stop came after this resume was asked for, so it does not count.', {
      remedy: 'See why trading was stopped, then resume again.',
    });
  }
}

function stateEvent(scope: Scope, state: TradingState, until: number | null, by: ByWhom, time: number) {
  const { actor, reason = null, cause = null } = by;
  return { time, actor, kind: 'trading_state' as const, body: { scope, state, reason, until, cause } };
}
