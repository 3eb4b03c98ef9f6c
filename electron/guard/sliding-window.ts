/** Entries that slid out are dropped from the list once there are so many of them. */
const MOST_LEFT_OUT = 1_024;
/** Where there are more entries, those of one part of the window are put together: half as many parts as entries. */
const MOST_ENTRIES = 65_536;
const PARTS = 32_768;
/** The newest stay as they came: an amount is taken back soon or never. */
const MOST_TAKEN_BACK = 2_048;

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
    return this.#sum;
  }

  /** Takes back what was just added; nothing where it has slid out, or where thousands came after it. */
  takeBack(at: number, amount: bigint): void {
    const oldest = Math.max(this.#from, this.#times.length - MOST_TAKEN_BACK);
    for (let index = this.#times.length - 1; index >= oldest; index -= 1) {
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

  /** Puts the entries of one part of the window together, but for the newest. */
  #thinOut(): void {
    const newest = this.#times.length - MOST_TAKEN_BACK;
    const [times, amounts]: [number[], bigint[]] = [[], []];
    let part = Number.NaN;
    for (let index = this.#from; index < newest; index += 1) {
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
    this.#times = times.concat(this.#times.slice(newest));
    this.#amounts = amounts.concat(this.#amounts.slice(newest));
    this.#from = 0;
  }
}
