import type { Scope } from '../contract/trading.ts';
import { scopeKey, scopesAround } from './scope-key.ts';

/** The counters a quote was accepted under. Made by `Latch.read`, judged by `Latch.holds`, and meaningless elsewhere. */
export interface LatchReading {
  readonly total: number;
  readonly cells: readonly Cell[];
  readonly counts: readonly number[];
}

interface Cell {
  count: number;
}

/**
 * The last thing between a signature and a socket: a counter for the desk, each chain, each pair and each side, which
 * every stop that forbids signing advances. An order is handed over only under the counters it was accepted under, and
 * they are compared in the same synchronous step, so that no order can slip out behind a stop.
 */
export class Latch {
  readonly #monotonic: () => number;
  readonly #cells = new Map<string, Cell>();
  readonly #paths = new Map<string, readonly Cell[]>();
  #total = 0;

  /** `monotonic` gives milliseconds of a clock that never jumps, the one the bench and the tests compare stamps on. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  read(scope: Scope): LatchReading {
    const cells = this.#path(scope);
    return { total: this.#total, cells, counts: cells.map((cell) => cell.count) };
  }

  /** Stops everything accepted so far in `scope`. The answer is the monotonic stamp after which none of it is released. */
  advance(scope: Scope): number {
    this.#cell(scope).count += 1;
    this.#total += 1;
    return this.#monotonic();
  }

  /** The latch's clock: what its stamps are compared with. */
  now(): number {
    return this.#monotonic();
  }

  /** Whether no stop came since the reading was taken. */
  holds(reading: LatchReading): boolean {
    if (reading.total === this.#total) return true;
    return reading.cells.every((cell, index) => cell.count === reading.counts[index]);
  }

  /**
   * Hands an order over if no stop came since the reading: check, stamp and hand-over are one synchronous step.
   * The answer is the monotonic stamp of the release, or null when the order must be withheld.
   */
  release(reading: LatchReading, handOver: () => void): number | null {
    if (!this.holds(reading)) return null;
    const stamp = this.#monotonic();
    handOver();
    return stamp;
  }

  #path(scope: Scope): readonly Cell[] {
    const key = scopeKey(scope);
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const path = scopesAround(scope).map((around) => this.#cell(around));
    this.#paths.set(key, path);
    return path;
  }

  #cell(scope: Scope): Cell {
    const key = scopeKey(scope);
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = { count: 0 };
    this.#cells.set(key, cell);
    return cell;
  }
}
