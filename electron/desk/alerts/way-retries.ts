import type { WayState } from '../../contract/alert-ways.ts';
import { pause } from '../../time/pause.ts';
import type { Log } from '../log.ts';
import type { AlertCall, TellCall } from './call.ts';

/** A try may take so long. After one that fails comes so long a rest, twice as long after each more, up to a number of times the first. Milliseconds. */
const TRY_MS = 30_000;
const REST_MS = 5_000;
const LONGEST_REST = 60;
/** What failed so often is said on the screen too; and after about a day of tries it is not tried any more. */
const TRIES_TO_SAY = 3;
const MOST_TRIES = 300;
/** Calls that wait while a way hangs. */
const MOST_WAITING = 200;

export interface WayTimes {
  tryMs?: number;
  restMs?: number;
}

/** `untold`: called where it is given up. */
type Waiting = { call: AlertCall; failed: number; untold: () => void };

/**
 * What is told on one way: one call after the other, each tried until it is told. Whatever the other side does, a try ends in
 * time, and a call that fails goes behind those of other faults, so that one that is never taken holds up none. There are never
 * more than a bounded number.
 */
export class WayQueue {
  readonly #options: { name: string; tell: TellCall; now: () => number; log: Log } & WayTimes;
  #waiting: Waiting[] = [];
  readonly #ending = new AbortController();
  #state: Omit<WayState, 'waiting'> = { toldAt: null, answered: null, fault: null };
  /** What is told just now. */
  #now: AlertCall | null = null;
  /** Tries that failed since one was taken. */
  #failed = 0;
  #running: Promise<void> | null = null;

  constructor(options: { name: string; tell: TellCall; now: () => number; log: Log } & WayTimes) {
    this.#options = options;
  }

  get state(): WayState {
    return { ...this.#state, waiting: this.#waiting.length + (this.#now === null ? 0 : 1) };
  }

  /** Whether a call of this fault is still to be told. */
  isWaiting(code: string): boolean {
    return this.#now?.code === code || this.#waiting.some(({ call }) => call.code === code);
  }

  /** Takes a call; false where too many wait, so that it has to be brought again. One that is given up, where `untold` is called, may be too. */
  tell(call: AlertCall, untold = () => {}): boolean {
    if (this.#waiting.length >= MOST_WAITING || this.#ending.signal.aborted) return false;
    this.#waiting.push({ call, failed: 0, untold });
    this.#running ??= this.#work();
    return true;
  }

  /** Tells a call at once and once, beside those that wait. Returns what was answered. Throws Error in words. */
  async try(call: AlertCall): Promise<string> {
    const { tell, now, tryMs = TRY_MS } = this.#options;
    const late = AbortSignal.timeout(tryMs);
    const signal = AbortSignal.any([this.#ending.signal, late]);
    try {
      const answered = await Promise.race([tell(call, signal), ended(signal)]);
      this.#state = { toldAt: now(), answered, fault: null };
      return answered;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(late.aborted ? `it took longer than ${tryMs / 1_000} s` : words);
    }
  }

  /** Ends the try that runs, and takes no more calls. Returns those that were not told here, in their order. */
  async close(): Promise<readonly Waiting[]> {
    this.#ending.abort();
    await this.#running;
    return this.#waiting;
  }

  async #work(): Promise<void> {
    const { restMs = REST_MS } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#now = next.call;
      const isTold = await this.#tell(next);
      this.#now = null;
      this.#failed = isTold ? 0 : this.#failed + 1;
      if (!isTold) await pause(restMs * Math.min(2 ** (this.#failed - 1), LONGEST_REST), signal);
    }
    this.#running = null;
  }

  /** One try; what fails is put behind the calls of other faults, before what is to be told of the same one later. */
  async #tell(waiting: Waiting): Promise<boolean> {
    const { name, log } = this.#options;
    const { code } = waiting.call;
    const fault = await this.try(waiting.call).then(
      () => null,
      (error: Error) => error.message,
    );
    if (fault === null) return true;
    if (this.#ending.signal.aborted) {
      this.#waiting.unshift(waiting);
      return false;
    }
    const next = { ...waiting, failed: waiting.failed + 1 };
    if (next.failed >= TRIES_TO_SAY) this.#state = { ...this.#state, fault };
    const isLast = next.failed === MOST_TRIES;
    if (isLast) log.error('an alert is not told: it was tried for a day', { way: name, code, fault });
    else if (next.failed === TRIES_TO_SAY) log.error('an alert could not be told', { way: name, code, fault });
    else if (next.failed < TRIES_TO_SAY) {
      log.warn('an alert could not be told, and is tried again', { way: name, code, fault });
    }
    const isOfThis = (one: Waiting) => one.call.code === code;
    const others = this.#waiting.filter((one) => !isOfThis(one));
    const later = this.#waiting.filter(isOfThis);
    this.#waiting = [...others, ...(isLast ? [] : [next]), ...later];
    // Where more is to be told of the same fault, that takes its place.
    if (isLast && later.length === 0) next.untold();
    return false;
  }
}

/** Rejects once the signal is aborted, for what does not heed it. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new Error('it was interrupted'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
