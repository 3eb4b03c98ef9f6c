import type { Address } from '../protocol/address.ts';
import type { Terms } from './ask.ts';

const MINUTE_MS = 60_000;

/** Times of one user's quotes, oldest first; those before `from` are older than a minute. */
interface Times {
  list: number[];
  from: number;
}

/** How many quotes each user was given within the last minute. Times are Unix milliseconds. */
export class UserRate {
  readonly #users = new Map<Address, Times>();

  /** Quotes of a user in the minute up to `now`. */
  count({ user }: Pick<Terms, 'user'>, now: number): number {
    const times = this.#users.get(user);
    return times === undefined ? 0 : left(times, now);
  }

  add({ user }: Pick<Terms, 'user'>, time: number): void {
    const times = this.#users.get(user);
    if (times === undefined) this.#users.set(user, { list: [time], from: 0 });
    else times.list.push(time);
  }

  /** Forgets what is older than a minute at `now`. */
  forget(now: number): void {
    for (const [user, times] of this.#users) {
      if (left(times, now) === 0) this.#users.delete(user);
      else if (times.from > 0) times.list.splice(0, times.from);
      times.from = 0;
    }
  }
}

function left(times: Times, now: number): number {
  while (times.from < times.list.length && now - (times.list[times.from] ?? now) >= MINUTE_MS) times.from += 1;
  return times.list.length - times.from;
}
