/** How long a step of a long question ought to take: others wait for the thread that reads as long. */
const STEP_MS = 40;
const MOST_GROWTH = 4;

/** How many rows the next step takes, after one of `size` rows took so long. */
export function nextStep(size: number, tookMs: number): number {
  return Math.max(1, Math.ceil(size * Math.min(MOST_GROWTH, Math.max(1 / MOST_GROWTH, STEP_MS / tookMs))));
}
