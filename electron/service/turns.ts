import { setTimeout as sleep } from 'node:timers/promises';
import { DeskError } from '../protocol/desk-error.ts';

/** The service's free tier takes one request a second; a little more, since some travel faster than others. */
const SPACING_MS = 1_100;
/** Questions that may wait for their turn. */
const MOST_WAITING = 10;

/** A clock that only goes forward, in milliseconds, and a wait on it. */
export interface TurnClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const REAL_CLOCK: TurnClock = {
  now: () => performance.now(),
  sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
};

interface Queue {
  /** When the next question may go. */
  notBefore: number;
  waiting: number;
  last: Promise<void>;
}

/**
 * Who may ask a service now: one question after another to each origin, spaced. One of these serves the whole process, so
 * that the service counts no more than one request a second whoever asks.
 */
export class Turns {
  readonly #clock: TurnClock;
  readonly #queues = new Map<string, Queue>();

  constructor(clock: TurnClock = REAL_CLOCK) {
    this.#clock = clock;
  }

  /**
   * Resolves when it is the caller's turn, and rejects as soon as `signal` aborts: the turn is then the next one's. Throws
   * DeskError `service_busy` when too many wait already.
   */
  async take(url: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queueOf(url);
    if (queue.waiting >= MOST_WAITING) {
      throw new DeskError('service_busy', `${queue.waiting} questions wait for the service already.`, {
        remedy: 'It takes one a second: ask again in a moment.',
      });
    }
    queue.waiting += 1;
    const before = queue.last;
    const mine = before.then(() => this.#wait(queue, signal));
    queue.last = mine;
    await (signal === undefined ? mine : unlessAborted(mine, signal));
  }

  /** Leaves the service alone for so long, whoever wants to ask: it said so. */
  hold(url: string, milliseconds: number): void {
    const queue = this.#queueOf(url);
    queue.notBefore = Math.max(queue.notBefore, this.#clock.now() + milliseconds);
  }

  async #wait(queue: Queue, signal?: AbortSignal): Promise<void> {
    while (this.#left(queue) > 0 && !signal?.aborted) await this.#clock.sleep(this.#left(queue));
    queue.waiting -= 1;
    if (!signal?.aborted) queue.notBefore = this.#clock.now() + SPACING_MS;
  }

  #left({ notBefore }: Queue): number {
    return Math.ceil(notBefore - this.#clock.now());
  }

  #queueOf(url: string): Queue {
    const { origin } = new URL(url);
    const known = this.#queues.get(origin);
    if (known !== undefined) return known;
    const queue = { notBefore: Number.NEGATIVE_INFINITY, waiting: 0, last: Promise.resolve() };
    this.#queues.set(origin, queue);
    return queue;
  }
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
