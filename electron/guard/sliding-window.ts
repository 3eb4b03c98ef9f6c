/** Entries that slid out are dropped from the list once there are so many of them. */
const MOST_LEFT_OUT = 1_024;
/** Where there are more entries, those of one part of the window are put together: half as many parts as entries. */
const MOST_ENTRIES = 65_536;
const PARTS = 32_768;

/**
 * Amounts of the last milliseconds: one of time `t` is in it while fewer than `length` have passed since. Times must never be less
 * than those before. Where there are very many, those that came within 1/32,768 of its length slide out together, when the last of
 * them does: never is too little in it.
 */
export class SlidingWindow {
  readonly #length: number;
  #times: number[] = [];
  #amounts: bigint[] = [];
  /** Those before have slid out. */
  #from = 0;
  #sum = 0n;
  /** The latest time that it slid to. */
  #slidTo = Number.NEGATIVE_INFINITY;

  constructor(length: number) {
    this.#length = length;
  }

  /** What is in it at a time; what slid out by then is forgotten. */
  slideTo(at: number): bigint {
    this.#slidTo = Math.max(this.#slidTo, at);
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

  /** Whether nothing is in it at a time, not even nothing that was counted. */
  isEmpty(at: number): boolean {
    this.slideTo(at);
    return this.#times.length === 0;
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

  /** When the first of what is in it at a time slides out; infinity where nothing is in it. */
  nextOut(at: number): number {
    this.slideTo(at);
    const first = this.#times[this.#from];
    return first === undefined ? Number.POSITIVE_INFINITY : first + this.#length;
  }

  /** Counts an amount from a time on. */
  add(at: number, amount: bigint): void {
    if (this.#times.length === 0) {
      // Most windows hold one: a list that is pushed to has room for seventeen.
      this.#times = [at];
      this.#amounts = [amount];
    } else {
      this.#times.push(at);
      this.#amounts.push(amount);
    }
    this.#sum += amount;
    if (this.#times.length - this.#from > MOST_ENTRIES) this.#thinOut();
  }

  /** Counts an amount from a time on that is not after all others; nothing where its time is over. */
  put(at: number, amount: bigint): void {
    if (this.#slidTo - at >= this.#length) return;
    const index = this.#firstFrom(at);
    if (index === this.#times.length) {
      this.add(at, amount);
      return;
    }
    if (this.#times[index] === at) this.#amounts[index] = (this.#amounts[index] ?? 0n) + amount;
    else {
      this.#times.splice(index, 0, at);
      this.#amounts.splice(index, 0, amount);
    }
    this.#sum += amount;
  }

  /** Takes back what was added at a time; nothing where its time is over. */
  takeBack(at: number, amount: bigint): void {
    if (this.#slidTo - at >= this.#length) return;
    let left = amount;
    // What was put together slides out with the last of its part, which is the first here that is not before it.
    for (let index = this.#firstFrom(at); left > 0n && index < this.#times.length; index += 1) {
      const held = this.#amounts[index] ?? 0n;
      const taken = held < left ? held : left;
      this.#amounts[index] = held - taken;
      this.#sum -= taken;
      left -= taken;
    }
  }

  clear(): void {
    this.#times = [];
    this.#amounts = [];
    this.#from = 0;
    this.#sum = 0n;
  }

  /** The first entry in it that is not before a time. */
  #firstFrom(at: number): number {
    let [low, high] = [this.#from, this.#times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts the entries of one part of the window together. */
  #thinOut(): void {
    const [times, amounts]: [number[], bigint[]] = [[], []];
    let part = Number.NaN;
    for (let index = this.#from; index < this.#times.length; index += 1) {
      const [at, amount] = [this.#times[index] ?? 0, this.#amounts[index] ?? 0n];
      const partOfIt = Math.floor((at * PARTS) / this.#length);
      if (partOfIt === part) {
        times[times.length - 1] = at;
        amounts[amounts.length - 1] = (amounts.at(-1) ?? 0n) + amount;
      } else {
        times.push(at);
        amounts.push(amount);
        part = partOfIt;
      }
    }
    this.#times = times;
    this.#amounts = amounts;
    this.#from = 0;
  }
}
