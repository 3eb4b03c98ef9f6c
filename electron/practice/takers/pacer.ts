/** Turns later than this are let go: after a machine has slept nobody makes up for the night. */
const MOST_BEHIND_MS = 1_000;
const LONGEST_TIMER_MS = 60_000;

export interface Pacer {
  perSecond(): number;
  setSpeed(perSecond: number): void;
  stop(): void;
}

/**
 * Calls `turn` so many times a second: each turn has its own moment, counted from the last change of speed, so that
 * what a timer is late by does not add up. `now` is a monotonic clock in milliseconds.
 */
export function startPacer(options: { perSecond: number; now: () => number; turn: () => void }): Pacer {
  const { now, turn } = options;
  let perSecond = options.perSecond;
  let from = now();
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;

  const dueAt = () => from + ((taken + 1) * 1_000) / perSecond;

  function plan(): void {
    clearTimeout(timer);
    if (perSecond > 0) timer = setTimeout(run, Math.min(LONGEST_TIMER_MS, Math.max(1, dueAt() - now())));
  }

  function run(): void {
    const until = now();
    const late = until - dueAt();
    if (late > MOST_BEHIND_MS) from += late - MOST_BEHIND_MS;
    while (dueAt() <= until) {
      taken += 1;
      turn();
    }
    plan();
  }

  plan();
  return {
    perSecond: () => perSecond,
    setSpeed(next) {
      if (next === perSecond) return;
      perSecond = next;
      from = now();
      taken = 0;
      plan();
    },
    stop: () => clearTimeout(timer),
  };
}
