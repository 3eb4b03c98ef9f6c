import type { After } from '../time/after.ts';

/** Firm requests whose rows may wait for the disk at once; more are refused at once. */
const MOST_IN_FLIGHT = 1_000;

export interface Flight {
  /** On the monotonic clock, milliseconds. */
  readonly deadline: number;
  answered: boolean;
}

/** The requests that were signed and are not answered or not written yet. One timer watches all their deadlines. */
export class InFlight<F extends Flight> {
  readonly #flights = new Set<F>();
  readonly #monotonic: () => number;
  readonly #after: After;
  readonly #late: (flight: F) => void;
  #cancel: (() => void) | null = null;

  /** `late` is called for each request that is not answered at its deadline; it must answer it. */
  constructor(monotonic: () => number, after: After, late: (flight: F) => void) {
    this.#monotonic = monotonic;
    this.#after = after;
    this.#late = late;
  }

  get full(): boolean {
    return this.#flights.size >= MOST_IN_FLIGHT;
  }

  get size(): number {
    return this.#flights.size;
  }

  add(flight: F): void {
    this.#flights.add(flight);
    if (this.#cancel === null) this.#watch();
  }

  /** Its row is written, or cannot be. */
  delete(flight: F): void {
    this.#flights.delete(flight);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #watch(): void {
    this.#cancel = null;
    let next = Number.POSITIVE_INFINITY;
    for (const { answered, deadline } of this.#flights) if (!answered && deadline < next) next = deadline;
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#after(next - this.#monotonic(), () => this.#sweep());
  }

  #sweep(): void {
    const now = this.#monotonic();
    for (const flight of this.#flights) {
      if (!flight.answered && flight.deadline <= now) this.#late(flight);
    }
    this.#watch();
  }
}
