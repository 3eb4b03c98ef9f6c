import type { WayState } from '../../contract/alert-ways.ts';
import { pause } from '../../protocol/pause.ts';
import type { Log } from '../log.ts';
import type { AlertCall, TellCall } from './call.ts';

/** A try may take so long, there are so many, and so long a rest between two. Milliseconds. */
const TRY_MS = 30_000;
const TRIES = 3;
const REST_MS = 5_000;
/** Calls that wait while a way hangs. */
const MOST_WAITING = 200;

export interface WayTimes {
  tryMs?: number;
  restMs?: number;
}

/**
 * What is told on one way: one call after the other, each tried a few times. Whatever the other side does, a try ends in time
 * and nothing waits for it but the calls behind it, of which there are never more than a bounded number.
 */
export class WayLine {
  readonly #options: { name: string; tell: TellCall; now: () => number; log: Log } & WayTimes;
  readonly #waiting: AlertCall[] = [];
  readonly #ending = new AbortController();
  #state: Omit<WayState, 'waiting'> = { toldAt: null, answered: null, fault: null };
  /** What is told just now. */
  #now: AlertCall | null = null;
  #running: Promise<void> | null = null;

  constructor(options: { name: string; tell: TellCall; now: () => number; log: Log } & WayTimes) {
    this.#options = options;
  }

  get state(): WayState {
    return { ...this.#state, waiting: this.#waiting.length + (this.#now === null ? 0 : 1) };
  }

  /** Whether a call of this fault is still to be told. */
  isWaiting(code: string): boolean {
    return this.#now?.code === code || this.#waiting.some((call) => call.code === code);
  }

  /** Takes a call; false where too many wait, so that it has to be brought again. */
  tell(call: AlertCall): boolean {
    if (this.#waiting.length >= MOST_WAITING || this.#ending.signal.aborted) return false;
    this.#waiting.push(call);
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

  /** Ends the try that runs; calls that wait are not told any more. */
  async close(): Promise<void> {
    this.#waiting.length = 0;
    this.#ending.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    for (let call = this.#waiting.shift(); call !== undefined; call = this.#waiting.shift()) {
      this.#now = call;
      await this.#tell(call);
      this.#now = null;
    }
    this.#running = null;
  }

  async #tell(call: AlertCall): Promise<void> {
    const { name, log, restMs = REST_MS } = this.#options;
    const { signal } = this.#ending;
    const { code } = call;
    for (let tries = 1; !signal.aborted; tries += 1) {
      const fault = await this.try(call).then(
        () => null,
        (error: Error) => error.message,
      );
      if (fault === null || signal.aborted) return;
      if (tries === TRIES) {
        this.#state = { ...this.#state, fault };
        log.error('an alert could not be told', { way: name, code, fault });
        return;
      }
      log.warn('an alert could not be told, and is tried again', { way: name, code, fault });
      await pause(restMs, signal);
    }
  }
}

/** Rejects once the signal is aborted, for what does not heed it. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was broken off')), { once: true });
  });
}
