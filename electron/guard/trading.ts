import { stackOf } from '../book/book-log.ts';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { Scope, TradingState } from '../contract/trading.ts';
import type { Journal } from '../journal/journal.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import type { Latch } from '../signer/latch.ts';
import type { After } from '../time/after.ts';
import { ArmedFile } from './armed-file.ts';
import { restoreTrading } from './restore-trading.ts';
import { StartChecks } from './start-checks.ts';
import { TradingStates } from './trading-states.ts';
import { type ByWhom, type Stopped, TradingSwitch } from './trading-switch.ts';

/** Where the guard says what went wrong in the desk itself. */
export interface GuardLog {
  error(line: string, facts?: Record<string, unknown>): void;
}

export interface TradingOptions {
  /** Where `armed` lies. */
  folder: string;
  journal: Pick<Journal, 'append' | 'onFailure' | 'onAppended'>;
  latch: Latch;
  /** Unix milliseconds. */
  now: () => number;
  after: After;
  log?: GuardLog;
}

/** How long a look at `armed` holds, in milliseconds: every firm request asks, and looking is a call of the system. */
const ARMED_LOOK_MS = 50;

/** Trading state of every scope: who stopped and started what, and what therefore holds (DESIGN, trading state). */
export class Trading {
  readonly states: TradingStates;
  readonly #checks = new StartChecks();
  readonly #armed: ArmedFile;
  readonly #switch: TradingSwitch;
  readonly #now: () => number;
  readonly #log: GuardLog | undefined;
  readonly #changes: Emitter<number | null>;
  readonly #latch: Latch;
  /** When it was last looked whether `armed` is there, on the latch's clock, which nobody sets. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Takes up the states in the journal: a desk is LIVE again only when it was and `armed` is there. */
  constructor({ folder, journal, latch, now, after, log }: TradingOptions, stored: readonly StoredTradingState[]) {
    const checks = this.#checks;
    this.states = new TradingStates(now());
    this.#armed = new ArmedFile(folder);
    this.#now = now;
    this.#latch = latch;
    this.#log = log;
    this.#changes = createEmitter((error) =>
      log?.error('A listener to the trading state failed.', { error: stackOf(error) }),
    );
    this.#switch = new TradingSwitch({
      journal,
      latch,
      now,
      after,
      checks,
      states: this.states,
      armed: this.#armed,
      changed: ({ chainId }) => this.tell(chainId ?? null),
    });
    const halt: TradingSwitch['halt'] = (scope, by) => this.#switch.halt(scope, by);
    restoreTrading(stored, { states: this.states, armed: this.#armed, halt });
    journal.onFailure((error) => {
      // A desk that was taken over has said that already, and nothing is wrong with its journal.
      const isOver = isDeskError(error, 'fleet_taken_over');
      const cause = isOver ? error.message : `The journal cannot be written: ${error.message}`;
      void this.halt({}, { actor: 'desk', cause });
    });
    journal.onAppended((events) => {
      for (const event of events) if (event.kind === 'desk_configured') this.#switch.adopt(event);
    });
  }

  /** Forbids signing in a scope at once; for a pair or a side this is "off". Resolves when its row is durable, or cannot be. */
  halt(scope: Scope, by: ByWhom): Promise<Stopped> {
    return this.#switch.halt(scope, by);
  }

  /** Takes the grid of a scope down at once and halts it after `seconds`; until then it quotes. */
  drain(scope: Scope, seconds: number, by: ByWhom): Promise<Stopped> {
    return this.#switch.drain(scope, seconds, by);
  }

  /**
   * Starts a scope again; resolves when that is in force. `check` is awaited first, and a stop meanwhile counts as one
   * that came after the asking. Throws what it throws, DeskError `checks_pending`, `checks_failed`, `overtaken_by_stop`,
   * `not_armed`, or what the journal throws, and then nothing has started.
   */
  resume(scope: Scope, by: ByWhom & { reason: string }, check?: () => Promise<void>): Promise<{ at: number }> {
    return this.#switch.resume(scope, by, check);
  }

  /** Does something under which nothing may be resumed: a resume under way is overtaken by a stop, one asked for meanwhile refused. */
  withoutResumes<T>(by: ByWhom, deed: () => Promise<T>): Promise<T> {
    return this.#switch.withoutResumes(by, deed);
  }

  /**
   * Says why a scope was stopped, after it was: stopping is one key without words. Resolves when it is written. Throws
   * DeskError `not_stopped`, or what the journal throws.
   */
  explain(scope: Scope, by: { actor: string; reason: string }): Promise<{ at: number }> {
    return this.#switch.explain(scope, by);
  }

  /** Signer, journal and chain are well: a desk that was LIVE trades again, and a halted one may be resumed. */
  checksPassed(): void {
    this.#checks.pass();
    this.tell(null);
  }

  /** One of them is not: the desk is halted, and stays so until they passed and somebody resumes it. */
  checksFailed(sentence: string): void {
    this.#switch.checksFailed(sentence);
    this.tell(null);
  }

  /** Of a desk of a fleet: nothing is signed and nothing resumed while its rows stand nowhere else, for this reason; null: they do. */
  alone(why: string | null): void {
    this.#switch.alone(why);
    this.tell(null);
  }

  /** Of a desk of a fleet: whether its rows stand nowhere else, so that a standby may have taken over, or may yet, without knowing of them. */
  get isAlone(): boolean {
    return this.#checks.isAlone;
  }

  /** Throws DeskError `fleet_alone` while it is. */
  demandNotAlone(): void {
    this.#checks.demandNotAlone();
  }

  get checksPending(): boolean {
    return this.#checks.pending;
  }

  /** An exception, or something that must never be: halts the scope, and that stays. Told once while it is halted. */
  failed(scope: Scope, error: unknown): void {
    const what = error instanceof Error ? error.message : String(error);
    this.#log?.error('An error of the desk itself halts a scope.', { scope, error: stackOf(error) });
    if (this.said(scope)?.state === 'HALTED') return;
    void this.halt(scope, { actor: 'desk', cause: `An error of the desk itself: ${what}` });
  }

  /** What was last said of exactly this scope, or null: the switches as people set them. */
  said(scope: Scope): StoredTradingState | null {
    return scope.chainId === undefined ? this.states.desk() : this.states.own(scope);
  }

  /** The state that holds for a scope: the strictest of its own and those around it. */
  stateOf(scope: Scope): TradingState {
    return this.states.effective(scope);
  }

  /**
   * Ends the drains whose time is over, also where a timer slept through it, and halts a desk whose `armed` file,
   * or `draining` while it drains, somebody took away: that is what a halt does that got no answer. To be asked before anything is signed and before
   * anything is handed over: a process that stood still wakes up anywhere between the two.
   */
  tick(): void {
    this.#switch.endDueDrains(this.#now());
    const at = this.#latch.now();
    const { state } = this.states.desk();
    if (state === 'HALTED' || at - this.#lookedAt < ARMED_LOOK_MS) return;
    this.#lookedAt = at;
    if (state === 'DRAIN' ? this.#armed.mayDrain() : this.#armed.exists()) return;
    void this.halt({}, { actor: 'desk', cause: 'The file that arms the desk was taken away.' });
  }

  /** Tells of each change: of one chain, or (null) of all. Returns what ends that. */
  onChange(listener: (chainId: number | null) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  close(): void {
    this.#switch.close();
  }

  /** Tells the listeners that what may be traded has changed: on one chain, or (null) on all. */
  tell(chainId: number | null): void {
    this.#changes.emit(chainId);
  }
}
