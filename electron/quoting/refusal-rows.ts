import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import type { NewEvent, QuoteBody } from '../journal/events.ts';

/** Refusal rows that may wait for the disk at once. */
const MOST_WAITING = 1_000;
/** Rows of 503 refusals in a burst, and how many a second after it. */
const BURST = 1_000;
const PER_SECOND = 20;

/**
 * Writes refusals to the journal. A desk that signs nothing may be asked for ever, so rows of refusals that say nothing
 * about the request (503) are kept to a budget; whatever has no row is counted.
 */
export class RefusalRows {
  readonly #append: (event: NewEvent) => Promise<number>;
  readonly #now: () => number;
  #waiting = 0;
  #budget = BURST;
  #refilledAt: number;
  /** Refusals without a row. */
  unwritten = 0;

  /** `now` is Unix milliseconds. */
  constructor(append: (event: NewEvent) => Promise<number>, now: () => number) {
    this.#append = append;
    this.#now = now;
    this.#refilledAt = now();
  }

  write(body: QuoteBody, code: RefusalCode): void {
    if (this.#waiting >= MOST_WAITING || (REFUSALS[code].status === 503 && !this.#spend())) {
      this.unwritten += 1;
      return;
    }
    this.#waiting += 1;
    this.#append({ time: this.#now(), actor: 'desk', kind: 'quote', body }).then(
      () => {
        this.#waiting -= 1;
      },
      () => {
        this.#waiting -= 1;
        this.unwritten += 1;
      },
    );
  }

  #spend(): boolean {
    const now = this.#now();
    const refill = ((now - this.#refilledAt) / 1_000) * PER_SECOND;
    this.#budget = Math.max(0, Math.min(BURST, this.#budget + refill));
    this.#refilledAt = now;
    if (this.#budget < 1) return false;
    this.#budget -= 1;
    return true;
  }
}
