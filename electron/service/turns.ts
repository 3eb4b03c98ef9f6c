import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';

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
  sleep: (milliseconds) => pause(milliseconds, undefined, { ref: false }),
};

interface Queue {
  /** When the next question may go. */
  notBefore: number;
  readonly waiting: Waiting[];
  isServed: boolean;
  /** Which day it is, in days since 1970, what was asked on it, and what is noted of it: never less. */
  day: number;
  asked: number;
  noted: number;
}

interface Waiting {
  readonly isForOrder: boolean;
  go(): void;
}

/** What was asked on a day, in days since 1970, by the service's origin. */
export const askedDaysSchema = z.record(z.string(), z.object({ day: z.int(), asked: z.int().min(0) }));
export type AskedDays = z.infer<typeof askedDaysSchema>;

/** Where the count of the day outlives the process. */
export interface CountMemory {
  /** What was noted last. */
  readonly noted: AskedDays;
  /** Called every few seconds of asking at most and not waited for: what is noted is ahead of what was asked. */
  note(days: AskedDays): void;
}

/** On whose account a question is: one for an order under way may use what is kept back of the day. */
export interface Turn {
  signal?: AbortSignal | undefined;
  isForOrder?: boolean;
}

/** What may be asked of a service. */
export interface ServiceRate {
  spacingMs: number;
  /** Questions from 00:00 to 24:00 UTC; null where nobody counts them. */
  perDay: number | null;
}

/** The free tier: one question a second, 3,000 a day. */
const FREE_TIER: ServiceRate = { spacingMs: SPACING_MS, perDay: 3_000 };
/** With a key. How much its tier takes the service does not say; it says so with 429 where this is too much. */
const WITH_KEY: ServiceRate = { spacingMs: 250, perDay: null };
const DAY_MS = 86_400_000;
/** Of a day's questions, in hundredths: what is kept for orders under way. */
const RESERVE_PERCENT = 20;
/** What is noted is ahead by the questions of so long: after an end without a farewell the count is too high by them at most. */
const NOTED_AHEAD_MS = 11_000;
/** The slowest that questions get which nobody waits for, as a multiple. */
const MOST_STRETCH = 20;

/** What of a day's questions is left. */
export interface ServiceBudget {
  asked: number;
  perDay: number | null;
  /** How many of them are kept for orders under way. */
  reserve: number;
}

/**
 * How many times slower to ask what nobody waits for, so that what is left of the day's questions lasts until its end: 1 while
 * they are ahead of the day. `now` is Unix milliseconds.
 */
export function stretchOf({ asked, perDay }: Pick<ServiceBudget, 'asked' | 'perDay'>, now: number): number {
  if (perDay === null) return 1;
  const left = Math.max(0, 1 - asked / perDay);
  const ofDay = 1 - (now % DAY_MS) / DAY_MS;
  return left >= ofDay ? 1 : Math.min(MOST_STRETCH, ofDay / Math.max(left, ofDay / MOST_STRETCH));
}

/**
 * Who may ask a service now: one question after another to each origin, spaced, those for orders under way first. One of these
 * serves the whole process, so that the service counts no more than one request a second whoever asks.
 */
export class Turns {
  readonly #clock: TurnClock;
  readonly #queues = new Map<string, Queue>();
  readonly #hasKey: (url: string) => boolean;
  readonly #now: () => number;
  readonly #memory: CountMemory | null;

  /** `hasKey` tells whether questions to an address carry a key; `now` is Unix milliseconds, for counting days. */
  constructor(
    clock: TurnClock = REAL_CLOCK,
    hasKey: (url: string) => boolean = () => false,
    now: () => number = Date.now,
    memory: CountMemory | null = null,
  ) {
    this.#clock = clock;
    this.#hasKey = hasKey;
    this.#now = now;
    this.#memory = memory;
    for (const [origin, { day, asked }] of Object.entries(memory?.noted ?? {})) {
      this.#queues.set(origin, newQueue({ day, asked, noted: asked }));
    }
  }

  /** What was asked of a service today, by whoever of this desk, and how much it takes. */
  budget(url: string): ServiceBudget {
    const { perDay } = this.#rateOf(url);
    const { asked } = this.#onToday(this.#queueOf(url));
    return { asked, perDay, reserve: perDay === null ? 0 : Math.ceil((perDay * RESERVE_PERCENT) / 100) };
  }

  /** Throws DeskError `service_day_spent` once only what is kept for orders under way is left of the day's questions. */
  checkBudget(url: string): void {
    const { asked, perDay, reserve } = this.budget(url);
    if (perDay === null || asked + this.#queueOf(url).waiting.length < perDay - reserve) return;
    throw new DeskError(
      'service_day_spent',
      `Of the ${perDay} questions that the service takes a day the last ${reserve} are left: they are kept for orders under way.`,
      { remedy: 'Prices and new hedges wait until 00:00 UTC, or give the desk a key to the service under Settings.' },
    );
  }

  /**
   * Resolves when it is the caller's turn, and rejects as soon as `signal` aborts: the turn is then the next one's. What is not
   * for an order under way throws DeskError `service_busy` when too many wait already, and as `checkBudget` does.
   */
  async take(url: string, { signal, isForOrder = false }: Turn = {}): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queueOf(url);
    if (!isForOrder) this.checkBudget(url);
    if (!isForOrder && queue.waiting.length >= MOST_WAITING) {
      throw new DeskError('service_busy', `${queue.waiting.length} questions wait for the service already.`, {
        remedy: 'It takes one a second: ask again in a moment.',
      });
    }
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        queue.waiting.splice(queue.waiting.indexOf(mine), 1);
        reject(signal?.reason);
      };
      const mine: Waiting = {
        isForOrder,
        go: () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      queue.waiting.push(mine);
      void this.#serve(queue, url);
    });
  }

  /** Leaves the service alone for so long, whoever wants to ask: it said so. */
  hold(url: string, milliseconds: number): void {
    const queue = this.#queueOf(url);
    queue.notBefore = Math.max(queue.notBefore, this.#clock.now() + milliseconds);
  }

  /** What was asked on each one's day, to the last question: for an end that says farewell. */
  asked(): AskedDays {
    return this.#days(({ asked }) => asked);
  }

  async #serve(queue: Queue, url: string): Promise<void> {
    if (queue.isServed) return;
    queue.isServed = true;
    await null; // whoever asks at the same moment stands in the queue too
    while (queue.waiting.length > 0) {
      const left = Math.ceil(queue.notBefore - this.#clock.now());
      if (left > 0) {
        await this.#clock.sleep(left);
        continue;
      }
      const first = queue.waiting.findIndex(({ isForOrder }) => isForOrder);
      const [next] = queue.waiting.splice(Math.max(first, 0), 1);
      const { spacingMs } = this.#rateOf(url);
      queue.notBefore = this.#clock.now() + spacingMs;
      this.#count(queue, Math.ceil(NOTED_AHEAD_MS / spacingMs));
      next?.go();
    }
    queue.isServed = false;
  }

  /** Noted well before the last of what was noted is asked, so that an end at any moment finds enough. */
  #count(queue: Queue, ahead: number): void {
    const today = this.#onToday(queue);
    today.asked += 1;
    if (this.#memory === null || today.noted - today.asked > ahead / 2) return;
    today.noted = today.asked + ahead;
    this.#memory.note(this.#days(({ noted, asked }) => Math.max(noted, asked)));
  }

  #days(count: (queue: Queue) => number): AskedDays {
    const known = [...this.#queues].filter(([, { asked }]) => asked > 0);
    return Object.fromEntries(known.map(([origin, queue]) => [origin, { day: queue.day, asked: count(queue) }]));
  }

  /** The queue on this day. A clock that was set back makes no question unasked. */
  #onToday(queue: Queue): Queue {
    const today = Math.floor(this.#now() / DAY_MS);
    if (today > queue.day) Object.assign(queue, { asked: 0, noted: 0 });
    queue.day = today;
    return queue;
  }

  #rateOf(url: string): ServiceRate {
    return this.#hasKey(url) ? WITH_KEY : FREE_TIER;
  }

  #queueOf(url: string): Queue {
    const { origin } = new URL(url);
    const known = this.#queues.get(origin);
    if (known !== undefined) return known;
    const queue = newQueue({ day: 0, asked: 0, noted: 0 });
    this.#queues.set(origin, queue);
    return queue;
  }
}

function newQueue(counted: Pick<Queue, 'day' | 'asked' | 'noted'>): Queue {
  return { notBefore: Number.NEGATIVE_INFINITY, waiting: [], isServed: false, ...counted };
}
