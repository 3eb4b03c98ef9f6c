/** Whoever has not renewed the seat for so long may sign no more, and a surface that has not heard the desk for so long hands over nothing. Milliseconds. */
export const LEASE_MS = 2_000;

/** One moment by a clock that nobody sets, and by the machine's; milliseconds. */
export interface Moment {
  readonly monotonic: number;
  readonly now: number;
}

/** Whether a surface that heard its desk then has lost it at a moment: by either clock, for a machine that slept has one that stood still. */
export function isDeskLost(heard: Moment, at: Moment): boolean {
  return at.monotonic - heard.monotonic > LEASE_MS || at.now - heard.now > LEASE_MS;
}
