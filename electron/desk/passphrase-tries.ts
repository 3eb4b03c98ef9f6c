import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';

/** How long the next try waits after a wrong passphrase: one second, then twice as long each time, up to a minute. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Passphrases that people give: one try after the other, each wrong one is counted and makes the next one wait longer, also the
 * right one. None of them is kept here or written down.
 */
export class PassphraseTries {
  readonly #monotonic: () => number;
  readonly #onWrong: (count: number) => void;
  readonly #tries = new SerialQueue();
  #wrong = 0;
  /** By the monotonic clock. */
  #nextAt = 0;

  /** `monotonic` gives milliseconds of a clock that nobody sets; `onWrong` is told how many were wrong so far. */
  constructor(monotonic: () => number, onWrong: (count: number) => void) {
    this.#monotonic = monotonic;
    this.#onWrong = onWrong;
  }

  /** How many were wrong so far. */
  get wrong(): number {
    return this.#wrong;
  }

  /** Milliseconds until the next one is taken; 0: now. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.#nextAt - this.#monotonic()));
  }

  /** Returns what the passphrase opens. Throws DeskError `unlock_waits`, and what `open` throws: only `wrong_passphrase` is counted. */
  take<T>(open: () => Promise<T>): Promise<T> {
    return this.#tries.run(async () => {
      const wait = this.waitMs;
      if (wait > 0) {
        throw new DeskError('unlock_waits', `The next passphrase is taken in ${Math.ceil(wait / 1_000)} s.`, {
          remedy: 'Each wrong one makes the next wait longer, up to a minute.',
        });
      }
      try {
        return await open();
      } catch (error) {
        if (isDeskError(error, 'wrong_passphrase')) {
          this.#wrong += 1;
          this.#nextAt = this.#monotonic() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#wrong - 1));
          this.#onWrong(this.#wrong);
        }
        throw error;
      }
    });
  }
}
