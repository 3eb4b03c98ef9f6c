import type { Address } from '../protocol/address.ts';

const MINUTE_MS = 60_000;

/** How many quotes each user was given within the last minute. Times are Unix milliseconds. */
export class UserRate {
  readonly #times = new Map<Address, number[]>();

  /** Quotes of a user in the minute up to `now`. */
  count(user: Address, now: number): number {
    return this.#recent(user, now).length;
  }

  add(user: Address, time: number): void {
    const recent = this.#recent(user, time);
    recent.push(time);
    this.#times.set(user, recent);
  }

  /** Forgets users who asked for nothing in the minute up to `now`. */
  forget(now: number): void {
    for (const user of this.#times.keys()) if (this.#recent(user, now).length === 0) this.#times.delete(user);
  }

  #recent(user: Address, now: number): number[] {
    return (this.#times.get(user) ?? []).filter((time) => now - time < MINUTE_MS);
  }
}
