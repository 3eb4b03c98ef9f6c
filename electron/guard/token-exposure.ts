/** What is signed and can still be filled of one token. Raw units. */
export class TokenExposure {
  live = 0n;
  quotes = 0;
  /** How many live quotes end in which second. */
  readonly #expiries = new Map<number, number>();

  /** A quote became live, or is not live any more. `expiry` is Unix seconds. */
  count(change: 1 | -1, amount: bigint, expiry: number): void {
    const left = (this.#expiries.get(expiry) ?? 0) + change;
    if (left === 0) this.#expiries.delete(expiry);
    else this.#expiries.set(expiry, left);
    this.quotes += change;
    this.live += change === 1 ? amount : -amount;
    if (this.live < 0n || this.quotes < 0 || left < 0) throw new Error('The live exposure of a token fell below zero.');
  }

  /** A live quote was filled in part (`amount` below zero), or a fill of it was taken back. */
  adjust(amount: bigint): void {
    this.live += amount;
    if (this.live < 0n) throw new Error('The live exposure of a token fell below zero.');
  }

  /** When the last of it can no longer be filled, Unix milliseconds: an order is fillable in its expiry second. Null when nothing is live. */
  zeroAt(): number | null {
    if (this.quotes === 0) return null;
    let last = 0;
    for (const expiry of this.#expiries.keys()) if (expiry > last) last = expiry;
    return Math.min((last + 1) * 1_000, Number.MAX_SAFE_INTEGER);
  }
}
