/** Whole seconds over which updates are counted. */
const COUNTED_SECONDS = 10;

/** How many updates came within the last ten whole seconds. Times are Unix milliseconds. */
export class UpdateRate {
  /** Seconds in which updates came, and how many; oldest first. */
  readonly #seconds: { at: number; updates: number }[] = [];

  add(now: number, updates = 1): void {
    const at = Math.floor(now / 1_000);
    const last = this.#seconds.at(-1);
    if (last?.at === at) last.updates += updates;
    else this.#seconds.push({ at, updates });
    if (this.#seconds.length > COUNTED_SECONDS + 1) this.#seconds.shift();
  }

  count(now: number): number {
    const second = Math.floor(now / 1_000);
    const counted = this.#seconds.filter(({ at }) => at < second && at >= second - COUNTED_SECONDS);
    return counted.reduce((sum, one) => sum + one.updates, 0);
  }
}
