/** Entries that slid out are dropped from the list once there are so many of them. */
const MOST_LEFT_OUT = 1_024;

/**
 * Amounts of the last milliseconds, exactly: one of time `t` is in it while fewer than `length` have passed since. Times must never
 * be less than those before.
 */
export class SlidingWindow {
  readonly #length: number;
  #times: number[] = [];
  #amounts: bigint[] = [];
  /** Those before have slid out. */
  #from = 0;
  #sum = 0n;

  constructor(length: number) {
    this.#length = length;
  }

  /** What is in it at a time; what slid out by then is forgotten. */
  slideTo(at: number): bigint {
    while (this.#from < this.#times.length && at - (this.#times[this.#from] ?? at) >= this.#length) {
      this.#sum -= this.#amounts[this.#from] ?? 0n;
      this.#from += 1;
    }
    if (this.#from === this.#times.length) this.clear();
    else if (this.#from > MOST_LEFT_OUT && this.#from * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#from);
      this.#amounts = this.#amounts.slice(this.#from);
      this.#from = 0;
    }
    return this.#sum;
  }

  /** What would be in it at a time; nothing is forgotten. */
  at(time: number): bigint {
    let sum = this.#sum;
    for (let index = this.#from; index < this.#times.length; index += 1) {
      if (time - (this.#times[index] ?? time) < this.#length) break;
      sum -= this.#amounts[index] ?? 0n;
    }
    return sum;
  }

  /** Counts an amount from a time on. Returns what is in it then. */
  add(at: number, amount: bigint): bigint {
    this.slideTo(at);
    this.#times.push(at);
    this.#amounts.push(amount);
    this.#sum += amount;
    return this.#sum;
  }

  /** Takes back what was added; nothing where it has slid out. */
  takeBack(at: number, amount: bigint): void {
    for (let index = this.#times.length - 1; index >= this.#from; index -= 1) {
      if (this.#times[index] !== at || this.#amounts[index] !== amount) continue;
      this.#times.splice(index, 1);
      this.#amounts.splice(index, 1);
      this.#sum -= amount;
      return;
    }
  }

  clear(): void {
    this.#times = [];
    this.#amounts = [];
    this.#from = 0;
    this.#sum = 0n;
  }
}
